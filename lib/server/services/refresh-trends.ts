import { confirmAcrossFleet } from "#lib/domain/analysis/fleet-significance.ts";
import type { Trend } from "#lib/domain/analysis/trend.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import { writeTrends } from "#lib/server/data/outlooks.ts";
import { describeTrend, trendOf, type MetricWindow } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { requireMetric } from "./get-series.ts";
import { readMetricWindow } from "./read-metric-window.ts";

const METRIC = "total.kernelUnreclaimable";
const WINDOW_MS = 24 * 3_600_000;

/**
 * Computes the trend of each node's unreclaimable kernel memory over the last 24 h and stores it for the fleet page.
 * *Leaking* is confirmed over the whole fleet: among many nodes some look as if they leaked by chance. Nodes that were not
 * heard of in that time keep what they had. Harmless when run twice at once.
 * @returns how many trends were stored.
 */
export async function refreshTrends({ ctx }: { ctx: Context }): Promise<{ nodes: number }> {
  const metric = requireMetric(METRIC);
  const nowMs = ctx.now();
  const nodes = (await listNodesNewest(ctx.db)).filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  const estimated: { window: Omit<MetricWindow, "segments">; trend: Trend }[] = [];
  const lacking: { nodeId: number; trend: unknown }[] = [];
  // One node at a time: the worker shares the database with those who look at it.
  for (const node of nodes) {
    const { segments, ...window } = await readMetricWindow(ctx.db, {
      metric,
      node,
      fromMs: nowMs - WINDOW_MS,
      toMs: nowMs,
    });
    const trend = trendOf({ ...window, segments });
    if (isInsufficient(trend)) lacking.push({ nodeId: node.nodeId, trend: describeTrend(trend, window) });
    else estimated.push({ window, trend });
  }
  const confirmed = confirmAcrossFleet(estimated.map(({ trend }) => trend));
  const trends = estimated.map(({ window, trend }, index) => ({
    nodeId: window.node.nodeId,
    trend: describeTrend(confirmed[index] ?? trend, window),
  }));
  await writeTrends(ctx.db, [...trends, ...lacking], nowMs);
  return { nodes: nodes.length };
}
