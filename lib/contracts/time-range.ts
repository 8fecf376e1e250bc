import { DateTime, IANAZone, type DurationLike, type DateTimeUnit } from "luxon";
import { LAST_MOMENT_MS } from "#lib/domain/snapshot/last-moment.ts";

/** Widest window that an address may ask for. */
export const MAX_RANGE_MS = 10 * 366 * 24 * 3_600_000;

/** A window in epoch milliseconds, or which end is wrong and what was expected. */
export type ParsedRange =
  | { ok: true; fromMs: number; toMs: number }
  | { ok: false; path: "from" | "to" | "timezone"; message: string };

/** A moment in epoch milliseconds, or what was expected. */
export type ParsedTime = { ok: true; timeMs: number } | { ok: false; message: string };

const units: Record<string, { add: (count: number) => DurationLike; round: DateTimeUnit }> = {
  s: { add: (count) => ({ seconds: count }), round: "second" },
  m: { add: (count) => ({ minutes: count }), round: "minute" },
  h: { add: (count) => ({ hours: count }), round: "hour" },
  d: { add: (count) => ({ days: count }), round: "day" },
  w: { add: (count) => ({ weeks: count }), round: "week" },
  M: { add: (count) => ({ months: count }), round: "month" },
  Q: { add: (count) => ({ quarters: count }), round: "quarter" },
  y: { add: (count) => ({ years: count }), round: "year" },
};

const expected =
  "expected now, now-6h, now/d, now-1d/d, epoch milliseconds, or ISO 8601 such as 2026-03-01T04:15:00Z";

/**
 * The zone of an address: `utc`, an IANA name, or `browser` (and nothing), for which the reader's own zone is passed.
 * Returns undefined for a name that is no zone.
 */
export function resolveTimezone(timezone: string | undefined, browserZone = "UTC"): string | undefined {
  if (timezone === undefined || timezone === "" || timezone === "browser") return browserZone;
  if (timezone.toLowerCase() === "utc") return "UTC";
  return IANAZone.isValidZone(timezone) ? timezone : undefined;
}

/**
 * Reads one end of a window in the forms that Grafana puts into an address: `now` with any chain of `+3h`, `-1d` and
 * `/d` (down to the start of the unit, or with `roundUp` to its last millisecond; weeks begin on Monday), epoch
 * milliseconds, or ISO 8601. Days are calendar days of `zone`, so a day may have 23 or 25 hours. An ISO time without
 * an offset is in `zone`. Total on any text; the clock is `nowMs`.
 */
export function parseTime(
  text: string,
  { nowMs, zone = "UTC", roundUp = false }: { nowMs: number; zone?: string; roundUp?: boolean },
): ParsedTime {
  const trimmed = text.trim();
  if (trimmed.length > 64) return { ok: false, message: expected };
  if (/^\d{1,16}$/.test(trimmed)) return bounded(Number(trimmed));
  if (trimmed.startsWith("now")) {
    const time = relativeTime(
      trimmed.slice("now".length),
      DateTime.fromMillis(nowMs, { zone, locale: "en" }),
      roundUp,
    );
    return time === undefined ? { ok: false, message: expected } : bounded(time.toMillis());
  }
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return { ok: false, message: expected };
  // Grafana writes a space between date and time when a person types it.
  const time = DateTime.fromISO(trimmed.replace(" ", "T"), { zone, locale: "en" });
  return time.isValid ? bounded(time.toMillis()) : { ok: false, message: expected };
}

function bounded(timeMs: number): ParsedTime {
  return Number.isFinite(timeMs) && timeMs >= 0 && timeMs <= LAST_MOMENT_MS
    ? { ok: true, timeMs: Math.trunc(timeMs) }
    : { ok: false, message: "expected a time from 1970 on, to the year 9999" };
}

function relativeTime(steps: string, now: DateTime, roundUp: boolean): DateTime | undefined {
  let time = now;
  let rest = steps;
  while (rest !== "") {
    const step = /^(?:([+-])(\d{1,6})|(\/))([smhdwMQy])/.exec(rest);
    const unit = units[step?.[4] ?? ""];
    if (step === null || unit === undefined) return undefined;
    if (step[3] === "/") time = roundUp ? time.endOf(unit.round) : time.startOf(unit.round);
    else time = time.plus(unit.add(Number(step[2]) * (step[1] === "-" ? -1 : 1)));
    if (!time.isValid) return undefined;
    rest = rest.slice(step[0].length);
  }
  return time;
}

/**
 * Reads the window of an address. `to` rounds up, so `from=now/d&to=now/d` is today. Errors name the end that is
 * wrong: not a time, not before the other, or wider than `MAX_RANGE_MS`.
 */
export function parseTimeRange(
  range: { from: string; to: string; timezone?: string | undefined },
  { nowMs, browserZone }: { nowMs: number; browserZone?: string },
): ParsedRange {
  const zone = resolveTimezone(range.timezone, browserZone);
  if (zone === undefined) {
    return {
      ok: false,
      path: "timezone",
      message: "expected utc, browser or an IANA name such as Europe/Berlin",
    };
  }
  const from = parseTime(range.from, { nowMs, zone });
  if (!from.ok) return { ok: false, path: "from", message: from.message };
  const to = parseTime(range.to, { nowMs, zone, roundUp: true });
  if (!to.ok) return { ok: false, path: "to", message: to.message };
  if (to.timeMs <= from.timeMs) return { ok: false, path: "to", message: "expected a time after from" };
  if (to.timeMs - from.timeMs > MAX_RANGE_MS) {
    return { ok: false, path: "from", message: "expected a window of at most ten years" };
  }
  return { ok: true, fromMs: from.timeMs, toMs: to.timeMs };
}

/**
 * Reads a length of time such as `90s`, `30m`, `6h`, `7d`, `2w` in milliseconds; undefined when it is none, zero, or
 * longer than `MAX_RANGE_MS`.
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d{1,7})(s|m|h|d|w)$/.exec(text.trim());
  if (match === null) return undefined;
  const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }[match[2] ?? ""];
  const durationMs = Number(match[1]) * (unitMs ?? 0);
  return durationMs > 0 && durationMs <= MAX_RANGE_MS ? durationMs : undefined;
}
