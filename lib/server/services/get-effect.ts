import type { Effect as EffectAnswer } from "#lib/contracts/annotation.ts";
import { AppError } from "#lib/errors.ts";
import { listNodesHeard } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { findVisibleAnnotation } from "./find-editable-annotation.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { studyControls } from "./study-controls.ts";
import { describeEffect } from "./study-marks.ts";
import { listDeedsAround, settledMsOf, studyOnNode } from "./study-on-node.ts";

/**
 * What one mark did to one metric of one node: slope and level before and after, against nodes that were left alone
 * meanwhile.
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
    silentAfterMs: number;
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
  const range = { fromMs: mark.atMs, toMs: settledMsOf(mark), nodeIds: [node.nodeId] };
  const [deeds, nodes] = await Promise.all([listDeedsAround(ctx.db, range, options), listNodesHeard(ctx.db)]);
  const { study } = await studyOnNode(ctx.db, { mark, node, metric, deeds, options });
  const controlsOf = await studyControls(ctx.db, {
    marks: [mark],
    deeds,
    treated: [node],
    nodes,
    metric,
    options,
  });
  return describeEffect(
    study,
    { metric, node },
    {
      zone: input.zone,
      nowMs,
      silentAfterMs: input.silentAfterMs,
      controls: controlsOf(mark).map(({ effect }) => effect),
    },
  );
}
