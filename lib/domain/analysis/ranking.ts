import type { Interval, TrendVerdict } from "./vocabulary.ts";

/** What a place in the order of leaks depends on. */
export interface RankedTrend {
  readonly verdict: TrendVerdict;
  /** Both `null` where the verdict is *insufficient*. */
  readonly slopePerHour: number | null;
  readonly ci95: Interval | null;
}

/** The surer it is that a node leaks, the higher it stands. */
const VERDICT_ORDER: Readonly<Record<TrendVerdict, number>> = {
  leaking: 0,
  growing: 1,
  "levelling-off": 2,
  stepped: 3,
  flat: 4,
  shrinking: 5,
  insufficient: 6,
};

/**
 * Order of nodes by what they leak, for `Array.sort`: by verdict (leaking, growing, levelling-off, stepped, flat, shrinking,
 * insufficient, then none at all), within one by the lower end of the 95 % interval, the highest first, then by the slope. 0
 * for two that no number tells apart: the caller goes on with their names.
 *
 * The lower end is the growth that is certain, so a certain small leak stands above a doubtful large one. The verdict
 * comes before it because a step, a warm-up and a part of a day have lower ends as high as any leak: by the lower end
 * alone 15 of the first 100 of a fleet of 1,000 did not leak (ranking.calibration.test.ts). Trends must be of one metric
 * and one unit.
 */
export function compareLeaks(a: RankedTrend | null, b: RankedTrend | null): number {
  const place = (trend: RankedTrend | null) => (trend === null ? Infinity : VERDICT_ORDER[trend.verdict]);
  if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1;
  return (
    highestFirst(a?.ci95?.[0], b?.ci95?.[0]) ||
    highestFirst(a?.slopePerHour ?? undefined, b?.slopePerHour ?? undefined)
  );
}

/**
 * Order in which to drain or reboot, for `Array.sort`: who runs out soonest comes first, who does not comes last.
 * `leftMs` is the time left; below 0 when the forecast end has passed.
 */
export function compareTimeLeft(aLeftMs: number | undefined, bLeftMs: number | undefined): number {
  return highestFirst(negated(aLeftMs), negated(bLeftMs));
}

function negated(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

/** Absent values come last. */
function highestFirst(a: number | undefined, b: number | undefined): number {
  const [left, right] = [a ?? -Infinity, b ?? -Infinity];
  return left === right ? 0 : left > right ? -1 : 1;
}
