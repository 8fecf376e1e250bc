import type { CompositionSeries, MetricSeries } from "#lib/contracts/series.ts";
import type { TimeWindow } from "./view-address.ts";

type Axis = Pick<CompositionSeries, "from" | "to" | "timesMs" | "gaps" | "reboots">;

type Values = readonly (number | null)[];

/** What a window keeps of a time axis, and of values at its times. */
function cutAxis<Data extends Axis>(series: Data, { fromMs, toMs }: TimeWindow) {
  const kept = series.timesMs.map((atMs) => atMs >= fromMs && atMs <= toMs);
  return {
    axis: {
      from: Math.max(series.from, fromMs),
      to: Math.min(series.to, toMs),
      timesMs: series.timesMs.filter((_, at) => kept[at]),
      gaps: series.gaps.filter((gap) => gap.from < toMs && gap.to > fromMs),
      reboots: series.reboots.filter(({ at }) => at >= fromMs && at <= toMs),
    },
    cut: (values: Values) => values.filter((_, at) => kept[at]),
  };
}

/** A closer look at a composition that was read: its points within a window, none between them. */
export function cutComposition(series: CompositionSeries, window: TimeWindow): CompositionSeries {
  const { axis, cut } = cutAxis(series, window);
  return {
    ...series,
    ...axis,
    bands: series.bands.map((band) => ({ ...band, valuesKib: cut(band.valuesKib) })),
    totalKib: cut(series.totalKib),
    kernelNoncacheKib: cut(series.kernelNoncacheKib),
    kernelUnreclaimableKib: cut(series.kernelUnreclaimableKib),
  };
}

/** A closer look at counters that were read. */
export function cutMetrics(series: MetricSeries, window: TimeWindow): MetricSeries {
  const { axis, cut } = cutAxis(series, window);
  return {
    ...series,
    ...axis,
    series: series.series.map(({ min, max, ...each }) => ({
      ...each,
      values: cut(each.values),
      ...(min && { min: cut(min) }),
      ...(max && { max: cut(max) }),
    })),
  };
}
