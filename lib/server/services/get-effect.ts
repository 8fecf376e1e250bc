import type { Effect as EffectAnswer } from "#lib/contracts/annotation.ts";
import type { Effect } from "#lib/domain/analysis/event-study.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { AppError } from "#lib/errors.ts";
import { listAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import { listNodesNewest, type NodeNewest } from "#lib/server/data/nodes.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { Context } from "./context.ts";
import { findVisibleAnnotation } from "./find-editable-annotation.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { readMarkWindows } from "./read-mark-windows.ts";
import { readMetricWindow } from "./read-metric-window.ts";
import { describeEffect, EFFECT_KINDS, REFERENCE_MS, stepOf, studyMark, studyMarks } from "./study-marks.ts";

/** More control nodes make the comparison hardly narrower: their spread is what limits it. */
const MAX_CONTROLS = 8;
const MAX_MARKS = 500;

/**
 * What one mark did to one metric of one node: slope and level before and after, against nodes of the same cluster that
 * were left alone meanwhile.
 * @throws AppError `not_found` when node or mark are not there, or the mark does not concern the node; `invalid` for a
 * metric that no node can have.
 */
export async function getEffect({
  ctx,
  input,
}: {
  ctx: Context;
  input: {
    nodeId: number;
    annotationId: number;
    metric: string;
    beforeMs: number;
    afterMs: number;
    zone: string;
  };
}): Promise<EffectAnswer> {
  const metric = requireMetric(input.metric);
  const [node, mark] = await Promise.all([
    findVisibleNode(ctx, input.nodeId),
    findVisibleAnnotation(ctx, input.annotationId),
  ]);
  if (!mark.nodeIds.includes(node.nodeId)) {
    throw new AppError("not_found", `Annotation ${mark.annotationId} does not concern node ${node.nodeId}.`);
  }
  const nowMs = ctx.now();
  const options = { beforeMs: input.beforeMs, afterMs: input.afterMs, nowMs };
  const endMs = Math.max(mark.atMs, mark.endsAtMs ?? mark.atMs) + input.afterMs;
  const fromMs = mark.atMs - REFERENCE_MS - input.beforeMs;
  const toMs = Math.max(mark.atMs + 1, Math.min(nowMs, endMs));
  const period = { fromMs, toMs: endMs, kinds: EFFECT_KINDS, limit: MAX_MARKS };
  // Read apart: the marks of a large fleet would crowd out the node's own.
  const [own, around] = await Promise.all([
    listAnnotations(ctx.db.prisma, { ...period, nodeIds: [node.nodeId] }),
    listAnnotations(ctx.db.prisma, { ...period, fromMs: mark.atMs - input.beforeMs }),
  ]);
  const earlier = own.filter(({ atMs }) => atMs >= mark.atMs - REFERENCE_MS && atMs < mark.atMs);
  const marks = [...earlier, mark];
  const windowOf = await readMarkWindows(ctx.db, { metric, node, marks, all: own, options });
  const study = studyMarks(marks, own, windowOf, options).at(-1);
  if (study === undefined) throw new AppError("internal", "A mark was not studied.");

  const sides = { fromMs: mark.atMs - input.beforeMs, toMs, stepMs: stepOf(mark, own, options, node) };
  const controls = await studyControls(ctx, { mark, around, node, metric, sides, options });
  return describeEffect(study, { metric, node }, { zone: input.zone, nowMs, controls });
}

/** The same study on nodes of the cluster that neither this mark nor another one in its windows concerns. */
async function studyControls(
  ctx: Context,
  {
    mark,
    around,
    node,
    metric,
    sides,
    options,
  }: {
    mark: AnnotationRow;
    around: readonly AnnotationRow[];
    node: NodeNewest;
    metric: Metric;
    sides: { fromMs: number; toMs: number; stepMs: number };
    options: { beforeMs: number; afterMs: number; nowMs: number };
  },
): Promise<Effect[]> {
  const touched = new Set(
    around
      .filter(({ atMs, endsAtMs }) => atMs <= sides.toMs && (endsAtMs ?? atMs) >= sides.fromMs)
      .flatMap(({ nodeIds }) => nodeIds),
  );
  for (const nodeId of mark.nodeIds) touched.add(nodeId);
  const candidates = (await listNodesNewest(ctx.db))
    .filter(({ clusterId, nodeId }) => clusterId === node.clusterId && !touched.has(nodeId))
    .filter(({ firstSeenAtMs, atMs }) => firstSeenAtMs <= sides.fromMs && atMs >= mark.atMs)
    .slice(0, MAX_CONTROLS);
  const effects: Effect[] = [];
  // One after the other: eight reads at once would take the pool from everybody else.
  for (const control of candidates) {
    const window = await readMetricWindow(ctx.db, { metric, node: control, ...sides });
    const effect = studyMark(mark, [], window, options);
    if (!isInsufficient(effect)) effects.push(effect);
  }
  return effects;
}
