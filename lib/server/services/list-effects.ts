import type { EffectList } from "#lib/contracts/annotation.ts";
import { listNodesHeard } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { readMarkWindows } from "./read-mark-windows.ts";
import { studyControls } from "./study-controls.ts";
import { describeEffect, REFERENCE_MS, studyMarks } from "./study-marks.ts";
import { listDeedsAround } from "./study-on-node.ts";

/** Most marks that are studied for one answer: of more, the newest. */
const MAX_MARKS = 100;
/** Most that are compared with other nodes, the newest: each costs a fit a control node. */
const MAX_COMPARED = 20;

/**
 * What each deed on a node in a window did to one metric, oldest first, against nodes that were left alone as in
 * `getEffect`; of more than 20 only the newest are compared.
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
    silentAfterMs: number;
  };
}): Promise<EffectList> {
  const metric = requireMetric(input.metric);
  const node = await findVisibleNode(ctx, input.nodeId);
  const nowMs = ctx.now();
  const options = { beforeMs: input.beforeMs, afterMs: input.afterMs, nowMs };
  const [around, nodes] = await Promise.all([
    listDeedsAround(ctx.db, { fromMs: input.fromMs, toMs: input.toMs, nodeIds: [node.nodeId] }, options),
    listNodesHeard(ctx.db),
  ]);
  const own = around.filter(({ nodeIds }) => nodeIds.includes(node.nodeId));
  const asked = own.filter(({ atMs }) => atMs >= input.fromMs && atMs <= input.toMs).slice(-MAX_MARKS);
  const [oldest] = asked;
  if (oldest === undefined) return { effects: [] };
  // Earlier deeds are studied too: a verdict must not depend on the window that a mark is looked at in.
  const earlier = own.filter(({ atMs }) => atMs >= oldest.atMs - REFERENCE_MS && atMs < oldest.atMs);
  const marks = [...earlier.slice(-MAX_MARKS), ...asked];
  const windowOf = await readMarkWindows(ctx.db, { metric, node, marks, all: own, options });
  const wanted = new Set(asked.map(({ annotationId }) => annotationId));
  const studies = studyMarks(marks, own, windowOf, options);
  const controlsOf = await studyControls(ctx.db, {
    marks: asked.slice(-MAX_COMPARED),
    deeds: around,
    treated: [node],
    nodes,
    metric,
    options,
  });
  return {
    effects: studies
      .filter(({ mark }) => wanted.has(mark.annotationId))
      .map((study) =>
        describeEffect(
          study,
          { metric, node },
          {
            zone: input.zone,
            nowMs,
            silentAfterMs: input.silentAfterMs,
            controls: controlsOf(study.mark).map(({ effect }) => effect),
          },
        ),
      ),
  };
}
