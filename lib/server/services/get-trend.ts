import type { Trend } from "#lib/contracts/trend.ts";
import { describeTrend, trendOf } from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { readTrendWindow } from "./read-metric-window.ts";
import { isUnreported, unreportedTrend } from "./unreported.ts";

/**
 * Trend of one metric of one node over a window.
 * @throws AppError `not_found`, or `invalid` for a metric that no node can have.
 */
export async function getTrend({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; metric: string; fromMs: number; toMs: number };
}): Promise<Trend> {
  const metric = requireMetric(input.metric);
  const node = await findVisibleNode(ctx, input.nodeId);
  const window = await readTrendWindow(ctx.db, { metric, node, fromMs: input.fromMs, toMs: input.toMs });
  const trend = describeTrend(trendOf(window), window);
  if (!isUnreported(window.segments)) return trend;
  return { ...trend, text: unreportedTrend(window) };
}
