import { effectiveObservations } from "#lib/domain/statistics/ar1-variance.ts";
import { MAD_TO_STANDARD_DEVIATION, median, medianAbsoluteDeviation } from "#lib/domain/statistics/robust.ts";
import type { Segment } from "#lib/domain/statistics/series.ts";
import { tQuantile } from "#lib/domain/statistics/t-distribution.ts";
import { HOUR_MS } from "./boot-segments.ts";
import type { Interval } from "./vocabulary.ts";

/** A point of a line with both ends of its 95 % band, unit of the values. */
export interface BandPoint {
  readonly timeMs: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The line through one boot: the slope is that of all boots, the level the boot's own. */
export interface TrendLine {
  readonly bootId: string;
  readonly points: readonly BandPoint[];
}

/** A slope to draw, and how it was got. */
export interface DrawnSlope {
  readonly slopePerHour: number;
  readonly ci95: Interval;
  readonly phi: number;
}

/** Points of a band: enough for its waist to look round. */
const POINTS = 13;

/**
 * The lines of a trend with their bands. The level is the median of what the slope leaves of a boot, at the middle of its
 * times; the band holds the line (not the points) with 95 %, from the interval of the slope and of that level, which are
 * nearly independent at the middle.
 */
export function trendLines(
  boots: readonly { readonly bootId: string; readonly segment: Segment }[],
  slope: DrawnSlope,
): TrendLine[] {
  const noise = noiseAround(
    boots.map(({ segment }) => segment),
    slope.slopePerHour,
  );
  return boots.flatMap(({ bootId, segment }): TrendLine[] => {
    const { timesMs } = segment;
    const first = timesMs[0];
    const last = timesMs.at(-1);
    if (first === undefined || last === undefined || last === first) return [];
    const middleMs = timesMs.reduce((sum, timeMs) => sum + (timeMs - first) / timesMs.length, first);
    const level = median(flattened(segment, slope.slopePerHour, middleMs)) ?? 0;
    const worth = effectiveObservations(timesMs.length, slope.phi);
    const levelHalf = (tQuantile(0.975, worth) * noise) / Math.sqrt(worth);
    const points = Array.from({ length: POINTS }, (_, k): BandPoint => {
      const timeMs = first + (k / (POINTS - 1)) * (last - first);
      const hours = (timeMs - middleMs) / HOUR_MS;
      const value = level + slope.slopePerHour * hours;
      const below = hours >= 0 ? slope.ci95[0] : slope.ci95[1];
      const above = hours >= 0 ? slope.ci95[1] : slope.ci95[0];
      return {
        timeMs,
        value,
        low: value - Math.hypot(levelHalf, (slope.slopePerHour - below) * hours),
        high: value + Math.hypot(levelHalf, (above - slope.slopePerHour) * hours),
      };
    });
    return [{ bootId, points }];
  });
}

/** Standard deviation of the points around their lines, each boot with a level of its own; robust against outliers. */
export function noiseAround(segments: readonly Segment[], slopePerHour: number): number {
  const rests = segments.flatMap((segment) => {
    const flat = flattened(segment, slopePerHour, segment.timesMs[0] ?? 0);
    const level = median(flat) ?? 0;
    return Array.from(flat, (value) => value - level);
  });
  return (medianAbsoluteDeviation(rests) ?? 0) * MAD_TO_STANDARD_DEVIATION;
}

function flattened({ timesMs, values }: Segment, slopePerHour: number, atMs: number): Float64Array {
  return values.map((value, i) => value - (slopePerHour * ((timesMs[i] as number) - atMs)) / HOUR_MS);
}
