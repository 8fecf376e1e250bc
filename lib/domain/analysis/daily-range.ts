import type { Segment } from "#lib/domain/statistics/series.ts";
import { median } from "#lib/domain/statistics/robust.ts";
import { HOUR_MS, usableBoots, type BootSegment } from "./boot-segments.ts";

/** How far a metric runs up and down within a day. */
export interface DailyRange {
  /** Days that it was computed from. */
  readonly days: number;
  /** Unit of the values; `undefined` with fewer than {@link DAILY_RANGE_DAYS} days. */
  readonly range: number | undefined;
}

/** Days that a node must have of its own: the median of fewer follows whatever happened once. */
export const DAILY_RANGE_DAYS = 3;

const DAY_HOURS = 24;
const DAY_MS = DAY_HOURS * HOUR_MS;
/** A day counts when so many of its hours have a point. */
const HOURS_OF_A_DAY = 18;
/** Longer series are thinned; a point an hour over a month is left as it is. */
const MAX_POINTS = 1500;

/**
 * Range of the daily pattern: the trend is taken off, each day (UTC) is centred on its median, and for each hour the
 * median over the days is taken; the range is that from the lowest of these hours to the highest.
 *
 * A median over days, not the widest day: a deployment that adds 4 GiB once is no rhythm, and would let a leak pass for one
 * ever after. Noise makes the range too large rather than too small: by about one and a half of its standard deviations with 7
 * days of hourly means of noise with AR(1) 0.8 at 5 min. A leak that only grows in working hours leaves a sawtooth, which
 * counts as rhythm: it is confirmed by a window of 48 h, which does not ask for the range.
 *
 * Days are taken within a boot; the first 2 h of one are left out. Cost: O(n).
 *
 * @param slopePerHour of the whole of `segments`, as `analyseTrend` gives it.
 */
export function dailyRange(segments: readonly BootSegment[], slopePerHour: number): DailyRange {
  const hours = Array.from({ length: DAY_HOURS }, (): number[] => []);
  let days = 0;
  for (const { segment } of usableBoots(segments, MAX_POINTS)) {
    for (const day of daysOf(segment, slopePerHour)) {
      const centre = median(day.map(({ value }) => value));
      if (centre === undefined || new Set(day.map(({ hour }) => hour)).size < HOURS_OF_A_DAY) continue;
      days += 1;
      for (const [hour, values] of byHour(day)) hours[hour]?.push((median(values) ?? centre) - centre);
    }
  }
  if (days < DAILY_RANGE_DAYS) return { days, range: undefined };
  const pattern = hours.flatMap((values) =>
    values.length < DAILY_RANGE_DAYS ? [] : [median(values) as number],
  );
  return { days, range: pattern.length === 0 ? undefined : Math.max(...pattern) - Math.min(...pattern) };
}

interface Point {
  readonly hour: number;
  readonly value: number;
}

function daysOf({ timesMs, values }: Segment, slopePerHour: number): Point[][] {
  const days = new Map<number, Point[]>();
  const originMs = timesMs[0] ?? 0;
  timesMs.forEach((timeMs, index) => {
    const day = Math.floor(timeMs / DAY_MS);
    const point = {
      hour: Math.floor((timeMs - day * DAY_MS) / HOUR_MS),
      value: (values[index] as number) - (slopePerHour * (timeMs - originMs)) / HOUR_MS,
    };
    const list = days.get(day);
    if (list) list.push(point);
    else days.set(day, [point]);
  });
  return [...days.values()];
}

function byHour(day: readonly Point[]): Map<number, number[]> {
  const hours = new Map<number, number[]>();
  for (const { hour, value } of day) {
    const list = hours.get(hour);
    if (list) list.push(value);
    else hours.set(hour, [value]);
  }
  return hours;
}

/** A daily range that a trend is judged by; unit of the values. */
export interface KnownDailyRange {
  readonly range: number;
  /** The node's own; otherwise the largest of its peers. */
  readonly own: boolean;
}

/** What is stored of a node, as a trend takes it; `undefined` when nothing is known. */
export function knownDailyRange(
  stored: { readonly own: number | null; readonly known: number | null } | undefined,
): KnownDailyRange | undefined {
  return stored == null || stored.known === null
    ? undefined
    : { range: stored.known, own: stored.own !== null };
}

/** A node among those that it is like. */
export interface Peer {
  readonly group: string;
  /** `undefined` while the node has too few days of its own. */
  readonly range: number | undefined;
}

/**
 * What is known of each node's daily range, in the order of the input: its own, or the largest of its group while it has too
 * few days. Its own alone once it has them: one loud neighbour would otherwise hold back the verdict on all others.
 */
export function knownDailyRanges(nodes: readonly Peer[]): (number | undefined)[] {
  const largest = new Map<string, number>();
  for (const { group, range } of nodes) {
    if (range !== undefined) largest.set(group, Math.max(range, largest.get(group) ?? 0));
  }
  return nodes.map(({ group, range }) => range ?? largest.get(group));
}
