import { knownDailyRange } from "#lib/domain/analysis/daily-range.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { Database } from "#lib/server/data/client.ts";
import { readDailyRanges } from "#lib/server/data/daily-ranges.ts";
import { listBoots, type BootRow, type NodeNewest } from "#lib/server/data/nodes.ts";
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

/** The part of a window in which a node reported at all. */
export interface CoveredRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** What boots cover of it; less than its length where the node was away. */
  readonly coveredMs: number;
  readonly boots: readonly BootRow[];
}

/** A window that is covered but for so much stays as it is: its means are those of the roll-ups. */
const WHOLE = 0.95;

/**
 * Where in a window a node reported. Means are as wide as what is covered asks for: in a year of which a node has two weeks, means
 * of a day would leave a boot with seven points.
 */
export async function readCoveredRange(
  db: Database,
  {
    node,
    fromMs,
    toMs,
  }: { node: Pick<NodeNewest, "nodeId" | "bootId" | "atMs">; fromMs: number; toMs: number },
): Promise<CoveredRange> {
  const boots = await listBoots(db, node.nodeId, fromMs, toMs);
  const spans = boots.map(({ bootId, firstAtMs, lastAtMs }) => ({
    fromMs: Math.max(fromMs, firstAtMs),
    // The last moment of the boot that lasts is written late; the end of a range does not belong to it.
    toMs: Math.min(toMs, (bootId === node.bootId ? Math.max(lastAtMs, node.atMs) : lastAtMs) + 1),
  }));
  const coveredMs = spans.reduce((sum, span) => sum + Math.max(0, span.toMs - span.fromMs), 0);
  if (coveredMs === 0 || coveredMs >= WHOLE * (toMs - fromMs)) {
    return { fromMs, toMs, coveredMs: toMs - fromMs, boots };
  }
  return {
    fromMs: Math.min(...spans.map((span) => span.fromMs)),
    toMs: Math.max(...spans.map((span) => span.toMs)),
    coveredMs,
    boots,
  };
}

/** Points of a range that each of many series is judged by, of a minute or wider. */
export function pointsOfEach({ fromMs, toMs, coveredMs }: CoveredRange): number {
  const stepMs = Math.max(MINUTE_MS, coveredMs / POINTS_OF_EACH);
  return Math.min(MAX_POINTS, Math.max(2, Math.ceil((toMs - fromMs) / stepMs)));
}

/** Width of means that a window is analysed in: one minute where it is shorter than six hours, else five. */
export function meansStepMs(fromMs: number, toMs: number): number {
  return toMs - fromMs <= SHORT_RANGE_MS ? MINUTE_MS : FIVE_MINUTES_MS;
}

/** Points of an analysis that wants at most about 600: means of one or five minutes, wider where much is covered. */
export function analysisPoints({ fromMs, toMs, coveredMs }: CoveredRange): number {
  const stepMs = Math.max(meansStepMs(0, coveredMs), coveredMs / ANALYSIS_POINTS);
  return Math.min(MAX_POINTS, Math.ceil((toMs - fromMs) / stepMs) + 1);
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
  const [read, boots] = await Promise.all([
    readPoints(db, { metric, node, range: { fromMs, toMs, points } }),
    listBoots(db, node.nodeId, fromMs, toMs),
  ]);
  return { metric, node, fromMs, toMs, segments: read(boots) };
}

/** Reads means of one metric; the result cuts them into boots. */
async function readPoints(
  db: Database,
  {
    metric,
    node,
    range,
  }: { metric: Metric; node: NodeNewest; range: { fromMs: number; toMs: number; points: number } },
): Promise<(boots: readonly BootRow[]) => MetricWindow["segments"]> {
  const { nodeId, kernelRelease } = node;
  const { axis, series } = await readMetricSeries(db, { nodeId, ...range, metrics: [metric], kernelRelease });
  const { unitsPerStep } = scaleOf(metric, memTotalOf(node));
  return (boots) => segmentsOf(axis, series[0]?.values ?? [], boots, unitsPerStep);
}

/**
 * As {@link readMetricWindow}, in at most some 600 means of what is covered: all that is searched or decomposed point by point, or
 * compared pair by pair. Beyond 50 h the means are wider than five minutes (20 min over a week, two hours over a month): a slope
 * over days is no surer from 2,000 points that remember each other than from 500, and pairs cost with the square.
 */
export async function readAnalysisWindow(
  db: Database,
  { metric, node, fromMs, toMs }: { metric: Metric; node: NodeNewest; fromMs: number; toMs: number },
): Promise<MetricWindow> {
  const covered = await readCoveredRange(db, { node, fromMs, toMs });
  const range = { fromMs: covered.fromMs, toMs: covered.toMs, points: analysisPoints(covered) };
  const read = await readPoints(db, { metric, node, range });
  return { metric, node, fromMs, toMs, segments: read(covered.boots) };
}

/** As {@link readAnalysisWindow}, with what is known of the daily range of the metric: what a trend is judged by. */
export async function readTrendWindow(
  db: Database,
  request: { metric: Metric; node: NodeNewest; fromMs: number; toMs: number },
): Promise<MetricWindow> {
  const [window, [range]] = await Promise.all([
    readAnalysisWindow(db, request),
    readDailyRanges(db, { nodeIds: [request.node.nodeId], metric: request.metric.key }),
  ]);
  return { ...window, dailyRange: knownDailyRange(range) };
}
