import type { ContainerBoot } from "#lib/domain/analysis/correlation.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import type { SeriesAxis } from "#lib/server/data/series.ts";
import { memTotalOf, scaleOf, segmentsOf } from "./analyse-metric.ts";
import { requireMetric } from "./get-series.ts";
import { storageOf } from "./metric-columns.ts";
import { meansStepMs, readCoveredRange } from "./read-metric-window.ts";
import { readMetricSeries } from "./read-metric-series.ts";

/** Containers alive, of all creators. */
export const LIVE_METRIC = "containers.live";

/** Half of it is 288, a day of five minutes: what the roll-ups answer. */
const MAX_POINTS = 576;

/** One metric and what is known of containers, boot by boot, in the unit of the analysis. */
export interface ContainerWindow {
  metric: Metric;
  /** What counts the containers that are created. */
  driver: Metric;
  node: NodeNewest;
  fromMs: number;
  toMs: number;
  boots: readonly ContainerBoot[];
  /** Of the metric, the driver and {@link LIVE_METRIC} those that have any value in the window. */
  reported: ReadonlySet<string>;
}

/**
 * Reads a metric together with the counts of containers: means over identical buckets, so that what is proportional stays so;
 * one query where the metric has columns. Five minutes a point, one minute where the window is shorter than six hours, wider
 * where it is long.
 */
export async function readContainerWindow(
  db: Database,
  {
    metric,
    driver,
    node,
    fromMs,
    toMs,
  }: { metric: Metric; driver: Metric; node: NodeNewest; fromMs: number; toMs: number },
): Promise<ContainerWindow> {
  const metrics = [metric, driver, requireMetric(LIVE_METRIC)];
  const { boots, ...covered } = await readCoveredRange(db, { node, fromMs, toMs });
  const lengthMs = covered.toMs - covered.fromMs;
  const { axis, series } = await readMetricSeries(db, {
    nodeId: node.nodeId,
    fromMs: covered.fromMs,
    toMs: covered.toMs,
    points: Math.min(MAX_POINTS, Math.ceil(lengthMs / meansStepMs(0, lengthMs)) + 1),
    metrics,
    kernelRelease: node.kernelRelease,
  });
  const valuesOf = (key: string) => series.find((each) => each.metric.key === key)?.values ?? [];
  const { unitsPerStep } = scaleOf(metric, memTotalOf(node));
  const aligned = (each: Metric): Values =>
    isLastSample(each) ? asMeans(axis, valuesOf(each.key)) : valuesOf(each.key);
  const created = segmentsOf(axis, aligned(driver), boots, 1);
  const live = segmentsOf(axis, aligned(requireMetric(LIVE_METRIC)), boots, 1);
  return {
    metric,
    driver,
    node,
    fromMs,
    toMs,
    boots: segmentsOf(axis, aligned(metric), boots, unitsPerStep).map((boot, index) => ({
      ...boot,
      created: created[index]?.values ?? [],
      live: live[index]?.values ?? [],
    })),
    reported: new Set(
      [metric.key, driver.key, LIVE_METRIC].filter((key) => valuesOf(key).some((value) => value !== null)),
    ),
  };
}

/** Whether buckets of a metric hold their last sample and no mean. */
function isLastSample({ source }: Metric): boolean {
  const { kind } = storageOf(source);
  return kind === "slab" || kind === "watch" || kind === "tmpfs";
}

type Values = readonly (number | null)[];

/**
 * Last samples of buckets as means, drawn straight from the last sample of the bucket before: slab caches, directories and
 * mounts are read as that last sample, and a lead of half a bucket before what is a mean would be taken for memory. The first
 * bucket of a boot has none before it.
 */
function asMeans({ samples, bootIds }: SeriesAxis, values: Values): Values {
  return values.map((value, point) => {
    const before = bootIds[point - 1] === bootIds[point] ? (values[point - 1] ?? null) : null;
    if (value === null || before === null) return null;
    const count = samples[point] ?? 1;
    return value - ((value - before) * (count - 1)) / (2 * count);
  });
}
