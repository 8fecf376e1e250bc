/** A stretch without samples, epoch milliseconds. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The beginning of a boot inside the window. */
export interface Boot {
  readonly at: number;
  /** Last sample of the boot before, when there is one. */
  readonly lastSampleAt?: number | null;
}

/**
 * Where the line breaks at a reboot. Boot times are reckoned from the uptime and may fall before the last sample of the
 * boot before when a clock was set; the break never does.
 */
export function bootBoundary(boot: Boot): number {
  return Math.max(boot.at, (boot.lastSampleAt ?? -Infinity) + 1);
}

/** Indexes `start` up to but not including `end` that may be joined by a line. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/** What is needed of an answer of the API to know where its line breaks. */
export interface TimeAxisData {
  readonly timesMs: readonly number[];
  readonly gaps: readonly Gap[];
  readonly reboots: readonly Boot[];
  readonly resolution: { readonly bucketSeconds: number };
}

/**
 * Cuts a time axis into stretches that may be joined: none crosses a reboot, a stated gap, or a sample for which
 * `present` is false.
 */
export function segmentsOf(
  data: TimeAxisData,
  present: (index: number) => boolean = () => true,
): readonly Segment[] {
  const boundaries = [
    ...data.reboots.map(bootBoundary),
    ...data.gaps.map((each) => (each.from + each.to) / 2),
  ].sort((a, b) => a - b);
  const segments: Segment[] = [];
  let start: number | undefined;
  let boundary = 0;
  for (let index = 0; index < data.timesMs.length; index++) {
    const atMs = data.timesMs[index] ?? 0;
    let broken = false;
    while (boundary < boundaries.length && (boundaries[boundary] ?? Infinity) <= atMs) {
      broken = true;
      boundary++;
    }
    if (start !== undefined && (broken || !present(index))) {
      segments.push({ start, end: index });
      start = undefined;
    }
    if (start === undefined && present(index)) start = index;
  }
  if (start !== undefined) segments.push({ start, end: data.timesMs.length });
  return segments;
}

/** One row that a chart draws; `index` is undefined for the empty row between two segments. */
export interface DrawnRow {
  readonly timeMs: number;
  readonly index: number | undefined;
}

/**
 * Rows in drawing order: an empty row between segments keeps the line broken, and a lone sample is widened to its
 * bucket so that it does not vanish.
 */
export function drawnRows(data: TimeAxisData, segments: readonly Segment[]): DrawnRow[] {
  const rows: DrawnRow[] = [];
  const halfBucketMs = Math.max(1000, data.resolution.bucketSeconds * 450);
  segments.forEach((segment, position) => {
    const first = data.timesMs[segment.start] ?? 0;
    const previous = segments[position - 1];
    if (previous) {
      const last = data.timesMs[previous.end - 1] ?? first;
      rows.push({ timeMs: (last + first) / 2, index: undefined });
    }
    if (segment.end - segment.start === 1) {
      rows.push({ timeMs: first - halfBucketMs, index: segment.start });
      rows.push({ timeMs: first + halfBucketMs, index: segment.start });
      return;
    }
    for (let index = segment.start; index < segment.end; index++) {
      rows.push({ timeMs: data.timesMs[index] ?? 0, index });
    }
  });
  return rows;
}

/** Index of the sample nearest to a moment, or undefined when there is none. */
export function nearestIndex(timesMs: readonly number[], atMs: number): number | undefined {
  if (timesMs.length === 0) return undefined;
  let low = 0;
  let high = timesMs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  const before = timesMs[low - 1];
  const here = timesMs[low] ?? 0;
  return before !== undefined && atMs - before <= here - atMs ? low - 1 : low;
}

/**
 * Index of the sample that a moment belongs to: the nearest one, unless the moment lies in a stated gap or beyond the first or
 * last sample by more than a usual distance. Undefined there: nothing was measured.
 */
export function sampleIndexAt(data: Omit<TimeAxisData, "reboots">, atMs: number): number | undefined {
  const { timesMs, gaps } = data;
  const index = nearestIndex(timesMs, atMs);
  const nearestMs = index === undefined ? undefined : timesMs[index];
  if (nearestMs === undefined) return undefined;
  const firstMs = timesMs[0] ?? nearestMs;
  const lastMs = timesMs.at(-1) ?? nearestMs;
  const gapsMs = gaps.reduce((sum, gap) => sum + Math.max(0, gap.to - gap.from), 0);
  const steps = timesMs.length - 1 - gaps.length;
  const usualMs = steps > 0 ? (lastMs - firstMs - gapsMs) / steps : 0;
  const reachMs = Math.max(data.resolution.bucketSeconds * 1000, usualMs) / 2;
  if (Math.abs(atMs - nearestMs) <= reachMs) return index;
  const outside = atMs < firstMs || atMs > lastMs || gaps.some((gap) => atMs > gap.from && atMs < gap.to);
  return outside ? undefined : index;
}
