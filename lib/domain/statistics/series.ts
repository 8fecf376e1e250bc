import { median, quantileInPlace } from "./robust.ts";

/** A measured series, columnar: `values[i]` was read at `timesMs[i]`; `null` where a sample exists without this value. */
export interface Series {
  /** Epoch milliseconds, strictly increasing. */
  readonly timesMs: readonly number[];
  readonly values: readonly (number | null)[];
  /** Unit of the values, such as "KiB" or "files". */
  readonly unit: string;
}

/** The points of one stretch of a series that was not interrupted by a reboot, without the missing ones. */
export interface Segment {
  /** Epoch milliseconds, strictly increasing. */
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** A stretch without a value, longer than the usual step. */
export interface Gap {
  /** Time of the last point before and of the first one after. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Points of a series that carry a finite value, as typed arrays. Absent stays absent: nothing is filled in. A point whose time
 * is not after that of the point before is dropped: two values at one time have no slope.
 */
export function presentPoints(series: Pick<Series, "timesMs" | "values">): Segment {
  const timesMs: number[] = [];
  const values: number[] = [];
  series.timesMs.forEach((timeMs, index) => {
    const value = series.values[index];
    if (value != null && Number.isFinite(value) && timeMs > (timesMs.at(-1) ?? -Infinity)) {
      timesMs.push(timeMs);
      values.push(value);
    }
  });
  return { timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) };
}

/** The part of a segment from `fromMs` (inclusive) to `toMs` (exclusive). Shares memory with its source. */
export function sliceSegment(segment: Segment, fromMs: number, toMs: number): Segment {
  let from = 0;
  while (from < segment.timesMs.length && (segment.timesMs[from] as number) < fromMs) from += 1;
  let to = segment.timesMs.length;
  while (to > from && (segment.timesMs[to - 1] as number) >= toMs) to -= 1;
  return { timesMs: segment.timesMs.subarray(from, to), values: segment.values.subarray(from, to) };
}

/**
 * The usual distance between neighbouring points, in ms: the median over all segments, so that a few gaps do not move it.
 * `undefined` when no segment has two points.
 */
export function usualStepMs(segments: readonly Pick<Segment, "timesMs">[]): number | undefined {
  const steps: number[] = [];
  for (const { timesMs } of segments) {
    for (let i = 1; i < timesMs.length; i += 1)
      steps.push((timesMs[i] as number) - (timesMs[i - 1] as number));
  }
  return median(steps);
}

/**
 * Stretches where neighbouring present points lie further apart than `factor` usual steps (default 2.5: one lost sample is
 * jitter, two are a gap).
 *
 * @example findGaps({ timesMs: [0, 1, 2, 9], values: [1, 1, 1, 1], unit: "KiB" }) // [{ fromMs: 2, toMs: 9 }]
 */
export function findGaps(series: Series, factor = 2.5): Gap[] {
  const { timesMs } = presentPoints(series);
  const stepMs = usualStepMs([{ timesMs }]);
  if (stepMs === undefined) return [];
  const gaps: Gap[] = [];
  for (let i = 1; i < timesMs.length; i += 1) {
    const fromMs = timesMs[i - 1] as number;
    const toMs = timesMs[i] as number;
    if (toMs - fromMs > factor * stepMs) gaps.push({ fromMs, toMs });
  }
  return gaps;
}

/**
 * Thins segments to at most about `maxPoints` points in all, for estimators whose cost grows with the square.
 *
 * Rule: time is cut into buckets of one common duration, the least that keeps the number of buckets at or below
 * `maxPoints`; within each segment a bucket becomes one point, the median of its values at the mean of its times. Buckets
 * never join two segments; empty ones leave no point. At or below `maxPoints` the segments are returned as they are.
 * A bucket median keeps a straight line straight and drops spikes. Cost: O(n).
 */
export function thinByBucketMedians(segments: readonly Segment[], maxPoints: number): readonly Segment[] {
  const total = segments.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  if (total <= maxPoints) return segments;
  const spanMs = segments.reduce(
    (sum, { timesMs }) =>
      sum + (timesMs.length > 0 ? (timesMs.at(-1) as number) - (timesMs[0] as number) : 0),
    0,
  );
  const bucketMs = Math.max(1, spanMs / Math.max(1, maxPoints - segments.length));
  return segments.map((segment) => thinSegment(segment, bucketMs));
}

function thinSegment({ timesMs, values }: Segment, bucketMs: number): Segment {
  const times: number[] = [];
  const medians: number[] = [];
  const originMs = timesMs[0] ?? 0;
  let from = 0;
  while (from < timesMs.length) {
    const bucket = Math.floor(((timesMs[from] as number) - originMs) / bucketMs);
    let to = from;
    let sum = 0;
    while (to < timesMs.length && Math.floor(((timesMs[to] as number) - originMs) / bucketMs) === bucket) {
      sum += (timesMs[to] as number) - originMs;
      to += 1;
    }
    times.push(originMs + sum / (to - from));
    medians.push(quantileInPlace(values.slice(from, to), 0.5));
    from = to;
  }
  return { timesMs: Float64Array.from(times), values: Float64Array.from(medians) };
}
