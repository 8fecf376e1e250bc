import { usualStepMs } from "#lib/domain/statistics/series.ts";
import { HOUR_MS } from "./boot-segments.ts";
import type { ContainerStretch } from "./container-stretches.ts";

/** One window of a stretch: how fast memory grew while containers were created at what rate. */
export interface GrowthWindow {
  /** Mean time of its points. */
  readonly timeMs: number;
  readonly containersPerHour: number;
  /** Unit of the values per hour. */
  readonly slopePerHour: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Widths that a person reads easily. */
const WIDTHS_MS = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
];
/** The error of a slope falls with the width to the power 3/2: fewer than 6 points are noise, more than 32 windows a cloud. */
const LEAST_POINTS = 6;
const MOST_WINDOWS = 32;

/** Width of the windows: what was asked for, else the least round one with 6 points or more in a window and 32 windows or fewer. */
export function chooseWindowMs(
  stretches: readonly ContainerStretch[],
  coveredMs: number,
  wantedMs: number | undefined,
): number {
  if (wantedMs !== undefined && wantedMs > 0 && Number.isFinite(wantedMs)) return wantedMs;
  const least = Math.max(LEAST_POINTS * (usualStepMs(stretches) ?? 0), coveredMs / MOST_WINDOWS);
  return WIDTHS_MS.find((width) => width >= least) ?? Math.ceil(least / (28 * DAY_MS)) * 28 * DAY_MS;
}

/**
 * Slope of memory and of the count of containers, window by window, cut at round times and never across a stretch. A window
 * with under half of its points, or fewer than 3, is left out. Both are least-squares slopes of the same points, a linear
 * operation: a containers' share of memory stays proportional to the rate.
 */
export function growthWindows(stretches: readonly ContainerStretch[], windowMs: number): GrowthWindow[] {
  const stepMs = usualStepMs(stretches) ?? windowMs;
  const least = Math.max(3, windowMs / stepMs / 2);
  return stretches.flatMap(({ timesMs, values, created }) => {
    const windows: GrowthWindow[] = [];
    for (let from = 0; from < timesMs.length;) {
      const number = Math.floor((timesMs[from] as number) / windowMs);
      let to = from + 1;
      while (to < timesMs.length && Math.floor((timesMs[to] as number) / windowMs) === number) to += 1;
      if (to - from >= least) {
        const hours = timesMs
          .subarray(from, to)
          .map((timeMs) => (timeMs - (timesMs[from] as number)) / HOUR_MS);
        const window = {
          timeMs: (timesMs[from] as number) + mean(hours) * HOUR_MS,
          containersPerHour: slope(hours, created.subarray(from, to)),
          slopePerHour: slope(hours, values.subarray(from, to)),
        };
        if (Object.values(window).every(Number.isFinite)) windows.push(window);
      }
      from = to;
    }
    return windows;
  });
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value / values.length, 0);
}

function slope(hours: Float64Array, values: Float64Array): number {
  const middle = mean(hours);
  const level = mean(values);
  let squares = 0;
  let products = 0;
  hours.forEach((hour, i) => {
    squares += (hour - middle) ** 2;
    products += (hour - middle) * ((values[i] as number) - level);
  });
  return products / squares;
}
