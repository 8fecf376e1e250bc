import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import { readNodeTrends } from "#lib/server/data/node-trends.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { refreshOutlooks } from "./refresh-outlooks.ts";
import { refreshTrends } from "./refresh-trends.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";

/** A judgement that could not be made is tried again by the next round of the worker, a minute later. */
const TRIED_WITHIN_MS = 50_000;
/** Nodes that have been silent for longer have nothing to say of the last day. */
const HEARD_WITHIN_MS = 24 * 3_600_000;

/**
 * Judges nodes that were never judged, or had too little data when they were, so that a new one, or one whose history
 * is still arriving, does not wait for the next regular round. Only these: the others of the fleet, over which leaks are
 * confirmed, count with what was found last. Harmless when run twice at once.
 * @returns how many nodes were judged.
 */
export async function refreshNewNodes({ ctx }: { ctx: Context }): Promise<{ nodes: number }> {
  const sinceMs = ctx.now() - HEARD_WITHIN_MS;
  const [nodes, trends] = await Promise.all([
    listNodesNewest(ctx.db),
    readNodeTrends(ctx.db, { metric: DEFAULT_METRIC, window: "24h" }),
  ]);
  const settled = new Set(
    trends
      .filter(
        ({ slopePerHour, computedAtMs }) =>
          slopePerHour !== null || computedAtMs > ctx.now() - TRIED_WITHIN_MS,
      )
      .map(({ nodeId }) => nodeId),
  );
  const nodeIds = nodes
    .filter(({ nodeId, atMs }) => atMs > sinceMs && !settled.has(nodeId))
    .map(({ nodeId }) => nodeId);
  if (nodeIds.length > 0) {
    // What a new node has brought along counts from the first verdict on: the next one is a quarter of an hour away.
    await rollUpDirtyBuckets({ ctx, input: {} });
    await refreshOutlooks({ ctx, input: { nodeIds } });
    for (const window of TREND_WINDOWS) await refreshTrends({ ctx, input: { window, nodeIds } });
  }
  return { nodes: nodeIds.length };
}
