import type { EffectList } from "#lib/contracts/annotation.ts";
import { listAnnotations } from "#lib/server/data/annotations.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { readMarkWindows } from "./read-mark-windows.ts";
import { describeEffect, EFFECT_KINDS, REFERENCE_MS, studyMarks } from "./study-marks.ts";

/** Most marks that are studied for one answer: of more, the newest. */
const MAX_MARKS = 100;

/**
 * What each deed on a node in a window did to one metric, oldest first. Without control nodes: those are compared for one
 * mark at a time.
 * @throws AppError `not_found`, or `invalid` for a metric that no node can have.
 */
export async function listEffects({
  ctx,
  input,
}: {
  ctx: Context;
  input: {
    nodeId: number;
    metric: string;
    fromMs: number;
    toMs: number;
    beforeMs: number;
    afterMs: number;
    zone: string;
  };
}): Promise<EffectList> {
  const metric = requireMetric(input.metric);
  const node = await findVisibleNode(ctx, input.nodeId);
  const nowMs = ctx.now();
  const readFromMs = input.fromMs - REFERENCE_MS - input.beforeMs;
  const around = await listAnnotations(ctx.db.prisma, {
    fromMs: readFromMs,
    toMs: input.toMs + input.afterMs,
    nodeIds: [input.nodeId],
    kinds: EFFECT_KINDS,
    limit: 5 * MAX_MARKS,
  });
  const asked = around.filter(({ atMs }) => atMs >= input.fromMs && atMs <= input.toMs).slice(-MAX_MARKS);
  const [oldest] = asked;
  if (oldest === undefined) return { effects: [] };
  // Earlier deeds are studied too: a verdict must not depend on the window that a mark is looked at in.
  const earlier = around.filter(({ atMs }) => atMs >= oldest.atMs - REFERENCE_MS && atMs < oldest.atMs);
  const marks = [...earlier.slice(-MAX_MARKS), ...asked];
  const options = { beforeMs: input.beforeMs, afterMs: input.afterMs, nowMs };
  const windowOf = await readMarkWindows(ctx.db, { metric, node, marks, all: around, options });
  const wanted = new Set(asked.map(({ annotationId }) => annotationId));
  const studies = studyMarks(marks, around, windowOf, options);
  return {
    effects: studies
      .filter(({ mark }) => wanted.has(mark.annotationId))
      .map((study) => describeEffect(study, { metric, node }, { zone: input.zone, nowMs })),
  };
}
