import { knownDailyRange } from "#lib/domain/analysis/daily-range.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { Database } from "#lib/server/data/client.ts";
import { readDailyRanges } from "#lib/server/data/daily-ranges.ts";
import { listBoots, type NodeNewest } from "#lib/server/data/nodes.ts";
import { memTotalOf, scaleOf, segmentsOf, type MetricWindow } from "./analyse-metric.ts";
import { readMetricSeries } from "./read-metric-series.ts";

const SHORT_RANGE_MS = 6 * 3_600_000;
const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 300_000;
/** A month of five-minute means is 8,640; the estimators thin beyond 1,500 to 3,000 anyway. */
const MAX_POINTS = 4000;

/** What is searched or decomposed point by point, or compared pair by pair, is read in at most so many. */
const ANALYSIS_POINTS = 600;

/**
 * Of many series at once: every ten minutes of a day. The estimator compares all pairs, so 200 slab caches take 0.2 s with these and
 * 2 s with four times as many.
 */
const POINTS_OF_EACH = 144;

/** Points of a window that each of many series is judged by, of a minute or wider. */
export function pointsOfEach(fromMs: number, toMs: number): number {
  const stepMs = Math.max(MINUTE_MS, (toMs - fromMs) / POINTS_OF_EACH);
  return Math.max(2, Math.ceil((toMs - fromMs) / stepMs));
}

/** Width of means that a window is analysed in: one minute where it is shorter than six hours, else five. */
export function meansStepMs(fromMs: number, toMs: number): number {
  return toMs - fromMs <= SHORT_RANGE_MS ? MINUTE_MS : FIVE_MINUTES_MS;
}

/** Width of means for an analysis of at most 600 points: one or five minutes, wider where the window is long. */
export function analysisStepMs(fromMs: number, toMs: number): number {
  return Math.max(meansStepMs(fromMs, toMs), (toMs - fromMs) / ANALYSIS_POINTS);
}

/**
 * One metric of one node, cut into boots: means of five minutes, of one minute where the window is shorter than six
 * hours, wider where it is long.
 */
export async function readMetricWindow(
  db: Database,
  {
    metric,
    node,
    fromMs,
    toMs,
    stepMs = meansStepMs(fromMs, toMs),
  }: { metric: Metric; node: NodeNewest; fromMs: number; toMs: number; stepMs?: number },
): Promise<MetricWindow> {
  const points = Math.min(MAX_POINTS, Math.ceil((toMs - fromMs) / stepMs) + 1);
  const [{ axis, series }, boots] = await Promise.all([
    readMetricSeries(db, {
      nodeId: node.nodeId,
      fromMs,
      toMs,
      points,
      metrics: [metric],
      kernelRelease: node.kernelRelease,
    }),
    listBoots(db, node.nodeId, fromMs, toMs),
  ]);
  const { unitsPerStep } = scaleOf(metric, memTotalOf(node));
  return {
    metric,
    node,
    fromMs,
    toMs,
    segments: segmentsOf(axis, series[0]?.values ?? [], boots, unitsPerStep),
  };
}

/**
 * As {@link readMetricWindow}, in at most 600 means and with what is known of the daily range of the metric: all that a trend is
 * judged by. Beyond 50 h the means are wider than five minutes (20 min over a week, two hours over a month): a slope over days
 * is no surer from 2,000 points that remember each other than from 500, and pairs cost with the square.
 */
export async function readTrendWindow(
  db: Database,
  request: { metric: Metric; node: NodeNewest; fromMs: number; toMs: number },
): Promise<MetricWindow> {
  const [window, [range]] = await Promise.all([
    readMetricWindow(db, { ...request, stepMs: analysisStepMs(request.fromMs, request.toMs) }),
    readDailyRanges(db, { nodeIds: [request.node.nodeId], metric: request.metric.key }),
  ]);
  return { ...window, dailyRange: knownDailyRange(range) };
}
