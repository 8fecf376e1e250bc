import { MAD_TO_STANDARD_DEVIATION, median, medianAbsoluteDeviation } from "#lib/domain/statistics/robust.ts";
import type { BootSegment } from "./boot-segments.ts";
import { bootedAt, outsideWarmUp, WARM_UP_MS } from "./boot-segments.ts";

/** Points of one boot at which everything is known. */
export interface ContainerStretch {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** Containers started, from 0 at the first point. */
  readonly created: Float64Array;
  /** Containers alive; all 0 where that is not known. */
  readonly live: Float64Array;
}

/** What a regression on containers can use. */
export interface SettledStretches {
  readonly stretches: readonly ContainerStretch[];
  /** The number alive is known for four fifths of the points or more; points without it are left out then. */
  readonly liveKnown: boolean;
  /** Points at which all is known that the regression rests on; those that stand alone are in no stretch. */
  readonly pointsKnown: number;
  /** What there would have to be more of, as words. */
  readonly lacking: string;
}

/** Above so many points neighbours are joined to their mean. */
const MAX_POINTS = 600;
const LIVE_SHARE = 0.8;
/** A change from one point to the next this many standard deviations from the usual one is something that was done. */
const JUMP_SD = 12;

interface Boot extends BootSegment {
  readonly created: readonly (number | null)[];
  readonly live: readonly (number | null)[];
}

interface Point {
  readonly timeMs: number;
  readonly value: number;
  readonly created: number;
  readonly live: number | undefined;
}

/**
 * Cuts boots into stretches: the first 2 h of each are left out, and points without a value or a count. A count that falls
 * within a boot began anew, which begins a stretch; so does memory that jumps while containers do not (files were removed, a
 * daemon was restarted): one level for both sides would be explained by whatever counts on. More than 600 points are joined to means over buckets of one duration;
 * means, because what is proportional stays so.
 */
export function settledStretches(boots: readonly Boot[]): SettledStretches {
  const settled = boots.map(pointsOf);
  const counted = settled.map((points) => points.flatMap(withCount));
  const all = counted.flat();
  const liveKnown =
    all.length > 0 && all.filter(({ live }) => live !== undefined).length >= LIVE_SHARE * all.length;
  const usable = liveKnown
    ? counted.map((points) => points.filter(({ live }) => live !== undefined))
    : counted;
  const stretches = usable
    .flatMap(cutAtFalls)
    .flatMap(cutAtJumps)
    .filter((points) => points.length >= 2);
  const bucketMs = bucketFor(stretches);
  const valued = settled.flat().filter(({ value }) => value !== undefined).length;
  return {
    stretches: stretches
      .map((points) => (bucketMs === undefined ? points : joined(points, bucketMs)))
      .filter((points) => points.length >= 2)
      .map(stretchOf),
    liveKnown,
    pointsKnown: usable.flat().length,
    lacking:
      all.length < 24 && valued >= 24
        ? "points with a count of containers started"
        : outsideWarmUp("points", boots.some(leavesOut)),
  };
}

/** Whether points of a boot fall into its first 2 h. */
function leavesOut(boot: Boot, index: number): boolean {
  const booted = bootedAt(boot, index);
  return booted !== undefined && (boot.timesMs[0] ?? Infinity) < booted + WARM_UP_MS;
}

const finite = (value: number | null | undefined) =>
  value != null && Number.isFinite(value) ? value : undefined;

function pointsOf(boot: Boot, index: number) {
  const booted = bootedAt(boot, index);
  const fromMs = booted === undefined ? -Infinity : booted + WARM_UP_MS;
  let lastMs = -Infinity;
  return boot.timesMs.flatMap((timeMs, i) => {
    if (!Number.isFinite(timeMs) || timeMs < fromMs || timeMs <= lastMs) return [];
    lastMs = timeMs;
    return [
      { timeMs, value: finite(boot.values[i]), created: finite(boot.created[i]), live: finite(boot.live[i]) },
    ];
  });
}

function withCount({ timeMs, value, created, live }: ReturnType<typeof pointsOf>[number]): Point[] {
  return value === undefined || created === undefined ? [] : [{ timeMs, value, created, live }];
}

function cutAtFalls(points: readonly Point[]): Point[][] {
  const parts: Point[][] = [];
  for (const point of points) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (part === undefined || before === undefined || point.created < before.created) parts.push([point]);
    else part.push(point);
  }
  return parts;
}

function cutAtJumps(points: readonly Point[]): Point[][] {
  // Beside their neighbours: what begins and goes on, such as a job and its growth, is no jump.
  const jumpsOf = (of: (point: Point) => number) => {
    const changes = points.slice(1).map((point, i) => of(point) - of(points[i] as Point));
    return jumps(
      changes.map((change, i) => change - (median(changes.slice(Math.max(0, i - 2), i + 3)) ?? change)),
    );
  };
  const memory = jumpsOf(({ value }) => value);
  const containers = [jumpsOf(({ created }) => created), jumpsOf(({ live }) => live ?? 0)];
  const parts: Point[][] = [];
  points.forEach((point, i) => {
    const part = parts.at(-1);
    const isOwn = memory.sd > 0 && memory.at[i - 1] && !containers.some(({ at }) => at[i - 1]);
    if (part === undefined || isOwn) parts.push([point]);
    else part.push(point);
  });
  return parts;
}

/** Which of these are too large to belong to the others. */
function jumps(deviations: readonly number[]): { readonly sd: number; readonly at: readonly boolean[] } {
  const sd = MAD_TO_STANDARD_DEVIATION * (medianAbsoluteDeviation(deviations) ?? 0);
  return { sd, at: deviations.map((deviation) => Math.abs(deviation) > JUMP_SD * sd) };
}

function bucketFor(stretches: readonly (readonly Point[])[]): number | undefined {
  const total = stretches.reduce((sum, points) => sum + points.length, 0);
  if (total <= MAX_POINTS) return undefined;
  const spanMs = stretches.reduce(
    (sum, points) => sum + (points.at(-1)?.timeMs ?? 0) - (points[0]?.timeMs ?? 0),
    0,
  );
  return Math.max(1, spanMs / Math.max(1, MAX_POINTS - stretches.length));
}

function joined(points: readonly Point[], bucketMs: number): Point[] {
  const originMs = points[0]?.timeMs ?? 0;
  const buckets = new Map<number, Point[]>();
  for (const point of points) {
    const bucket = Math.floor((point.timeMs - originMs) / bucketMs);
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), point]);
  }
  return [...buckets.values()].map((bucket) => {
    const mean = (of: (point: Point) => number) =>
      bucket.reduce((sum, point) => sum + of(point) / bucket.length, 0);
    return {
      timeMs: originMs + mean(({ timeMs }) => timeMs - originMs),
      value: mean(({ value }) => value),
      created: mean(({ created }) => created),
      live: mean(({ live }) => live ?? 0),
    };
  });
}

function stretchOf(points: readonly Point[]): ContainerStretch {
  const first = points[0]?.created ?? 0;
  return {
    timesMs: Float64Array.from(points, ({ timeMs }) => timeMs),
    values: Float64Array.from(points, ({ value }) => value),
    created: Float64Array.from(points, ({ created }) => created - first),
    live: Float64Array.from(points, ({ live }) => live ?? 0),
  };
}
