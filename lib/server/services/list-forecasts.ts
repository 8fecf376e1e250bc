import type { Forecast, ForecastList } from "#lib/contracts/forecast.ts";
import { usableBoots, type UsableBoot } from "#lib/domain/analysis/boot-segments.ts";
import { forecastFan, whyNoForecast } from "#lib/domain/analysis/forecast.ts";
import { runsOut } from "#lib/domain/analysis/ranking.ts";
import { formatDuration } from "#lib/domain/memory/quantity.ts";
import { trendLines, type BandPoint, type TrendLine } from "#lib/domain/analysis/trend-line.ts";
import { trendSentence } from "#lib/domain/analysis/trend-sentence.ts";
import type { Trend } from "#lib/domain/analysis/trend.ts";
import { countsMemcgIds } from "#lib/domain/memory/memcg-ids.ts";
import { DEFAULT_METRIC, type Metric } from "#lib/domain/memory/metrics.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { sliceSegment } from "#lib/domain/statistics/series.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import {
  describeExhaustion,
  fullestMounts,
  headroomOf,
  memTotalOf,
  reachesNewest,
  scaleOf,
  trendOf,
  type Headroom,
  type MetricWindow,
} from "./analyse-metric.ts";
import type { Context } from "./context.ts";
import { momentText } from "./describe-moment.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { requireMetric } from "./get-series.ts";
import { readTrendWindow } from "./read-metric-window.ts";
import { isUnreported, unreportedTrend } from "./unreported.ts";

/** Points behind a drawn line: those of a trend. */
const MAX_POINTS = 1500;

/**
 * Where the trends of a window lead: lines with bands for what was, a fan for what comes, for all of a node that can run
 * out, or for the metrics that are named.
 * @throws AppError `not_found`, or `invalid` for a metric that no node can have.
 */
export async function listForecasts({
  ctx,
  input,
}: {
  ctx: Context;
  input: {
    nodeId: number;
    metrics: readonly string[] | undefined;
    fromMs: number;
    toMs: number;
    zone: string;
  };
}): Promise<ForecastList> {
  const { nodeId, fromMs, toMs, zone } = input;
  const asked = input.metrics?.map(requireMetric);
  const node = await findVisibleNode(ctx, nodeId);
  const metrics = asked ?? metricsWithEnd(node);
  const windows = await Promise.all(
    metrics.map(async (metric) => readTrendWindow(ctx.db, { metric, node, fromMs, toMs })),
  );
  return {
    nodeId,
    from: fromMs,
    to: toMs,
    forecasts: windows.map((window) => forecastOf(window, { zone, nowMs: ctx.now() })),
  };
}

/** What a node has that can run out: memory, memory-cgroup ids, inodes of its fullest tmpfs mounts. */
function metricsWithEnd(node: NodeNewest): Metric[] {
  const { cgroupMemoryCount: count, cgroupLive: live } = node.counters;
  const counter = countsMemcgIds(node.kernelRelease, "live") ? "live" : "count";
  const counted = counter === "live" ? live : count;
  return [
    DEFAULT_METRIC,
    ...(counted === undefined ? [] : [`cgroup.memory.${counter}`]),
    ...fullestMounts(node).map((mount) => `tmpfs.${mount}.inodes`),
  ].map(requireMetric);
}

function forecastOf(window: MetricWindow, { zone, nowMs }: { zone: string; nowMs: number }): Forecast {
  const { metric, node, segments } = window;
  const { words, unitsPerStep } = scaleOf(metric, memTotalOf(node));
  const headroom = headroomOf(metric, node);
  const trend = trendOf(window);
  const shared = {
    metric: metric.key,
    label: metric.label,
    unit: metric.unit,
    what: headroom?.what ?? null,
  };
  if (isInsufficient(trend)) {
    const silentBecause = "there is too little data";
    const text = isUnreported(segments) ? unreportedTrend(window) : trendSentence(trend, words);
    return {
      ...shared,
      verdict: "insufficient",
      text,
      lines: [],
      fan: null,
      exhaustion: null,
      silentBecause,
    };
  }
  const columns = (points: readonly BandPoint[]) => ({
    timesMs: points.map(({ timeMs }) => Math.round(timeMs)),
    values: points.map(({ value }) => value * unitsPerStep),
    low: points.map(({ low }) => low * unitsPerStep),
    high: points.map(({ high }) => high * unitsPerStep),
  });
  const lines = linesOf(usableBoots(segments, MAX_POINTS), trend);
  const silentBecause = silence(trend, headroom, window);
  const level = segments.at(-1)?.values.findLast((value) => value !== null);
  const fan =
    silentBecause !== undefined || headroom === undefined || level == null
      ? undefined
      : forecastFan(trend, { what: headroom.what, headroom: headroom.left, nowMs: node.atMs, level });
  const exhaustion = fan === undefined ? null : describeExhaustion(fan.end);
  return {
    ...shared,
    verdict: trend.verdict,
    text:
      exhaustion === null
        ? `No forecast${headroom === undefined ? "" : ` for ${headroom.what}`}: ${silentBecause ?? "the newest sample has no value"}.`
        : endText(exhaustion, node.atMs, { zone, nowMs }),
    lines: lines.map(({ bootId, points }) => ({ bootId, ...columns(points) })),
    fan: fan === undefined ? null : { ...columns(fan.points), limit: fan.limit * unitsPerStep },
    exhaustion,
    silentBecause: exhaustion === null ? (silentBecause ?? "the newest sample has no value") : null,
  };
}

/** Where growth changed within the newest boot, or it is a boot of its own, that is drawn with the slope that it has. */
function linesOf(boots: readonly UsableBoot[], trend: Trend): TrendLine[] {
  const { newest } = trend;
  const last = boots.at(-1);
  if (newest === undefined || last === undefined || isInsufficient(newest.trend))
    return trendLines(boots, trend);
  const { fromMs } = newest.trend;
  const older = { ...last, segment: sliceSegment(last.segment, -Infinity, newest.sinceMs) };
  const since = { ...last, segment: sliceSegment(last.segment, fromMs, Infinity) };
  return [...trendLines([...boots.slice(0, -1), older], trend), ...trendLines([since], newest.trend)];
}

function silence(
  trend: Trend,
  headroom: Headroom | undefined,
  window: Pick<MetricWindow, "node" | "fromMs" | "toMs">,
): string | undefined {
  if (headroom === undefined) return "this metric has no end that is known";
  if (!reachesNewest(window)) return "the window ends before the newest samples";
  return whyNoForecast(trend, { what: headroom.what, headroom: headroom.left, nowMs: window.node.atMs });
}

function endText(
  { what, at, ci95, since }: NonNullable<Forecast["exhaustion"]>,
  startMs: number,
  { zone, nowMs }: { zone: string; nowMs: number },
): string {
  const latest = ci95[1] === null ? "no upper end" : momentText(ci95[1], zone, nowMs);
  const by = since === undefined ? "" : `, by its growth since ${momentText(since, zone, nowMs)}`;
  return (
    `At this rate ${what} ${runsOut(what)} in ${formatDuration(Math.max(0, at - startMs))}, ` +
    `at ${momentText(at, zone, nowMs)} (95 %: ${momentText(ci95[0], zone, nowMs)} to ${latest})${by}.`
  );
}
