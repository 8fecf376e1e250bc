import { placeLogTime, readLogTime } from "#lib/domain/kernel-log/log-time.ts";

/** When a line of a log happened, with why that is in doubt, for people; or why it is not told at all. */
export type LineTime =
  | { readonly atMs: number; readonly doubt?: string }
  /** `old`: nobody keeps what is of then. `ahead`: no clock that could be meant says so. */
  | { readonly leftOut: "old" | "ahead" };

/** Places the lines of one log on the clock. */
export interface LogClock {
  place: (line: string, look: LookTimes) => LineTime;
  /** Takes the last line of a look, whatever it says: it shows how far off the log's clock is. */
  notice: (line: string, look: LookTimes) => void;
}

/** When a log was looked at. */
export interface LookTimes {
  readonly nowMs: number;
  readonly bootMs: number;
  /** Whether the lines came since an earlier look of this run. */
  readonly isLive: boolean;
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** Times without a zone that lie further off the moment of reading are in doubt; so far the clock of printk may drift. */
const DOUBT_MS = 10 * MINUTE_MS;
/** A line that is read as it is written was written so lately. */
const LATE_MS = 2 * MINUTE_MS;
/** Between the zones that lie farthest apart from UTC. */
const MOST_ZONE_MS = 14 * 60 * MINUTE_MS;
/** What servers keep snapshots for, unless told otherwise. */
export const OLDEST_DAYS = 14;
const OLDEST_MS = OLDEST_DAYS * 86_400_000;

/**
 * A time with its zone is what it says. One without is taken in the collector's zone. When that is not the log's, its lines
 * all lie the same quarters of an hour off the moments of reading: once two looks have shown that, it is taken off; until
 * then a time that lies off is told as printed, with the doubt.
 */
export function createLogClock(): LogClock {
  /** By how many whole quarters of an hour the log was ahead of the clock at the last look. */
  let zoneMs: number | undefined;

  return {
    place: (line, look) => {
      const time = readLogTime(line);
      if (time === undefined) return untimed(look);
      const { nowMs } = look;
      const atMs = placeLogTime(time, { ...look, fromLocal });
      if (time.kind !== "local")
        return placeCertain(atMs, nowMs, time.kind === "uptime" ? DOUBT_MS : MINUTE_MS);
      const aheadMs = atMs - nowMs;
      if (look.isLive && zoneMs !== undefined && zoneMs !== 0 && quartersOf(aheadMs) === zoneMs) {
        return { atMs: Math.min(nowMs, atMs - zoneMs) };
      }
      if (aheadMs > MOST_ZONE_MS) return { leftOut: "ahead" };
      if (aheadMs < -OLDEST_MS) return { leftOut: "old" };
      if (Math.abs(aheadMs) <= DOUBT_MS) return { atMs: Math.min(nowMs, atMs) };
      const printed = `The log prints ${printedAs(atMs)} without a time zone`;
      const read = `read at ${new Date(nowMs).toISOString()}`;
      return aheadMs > 0
        ? { atMs: nowMs, doubt: `${printed}, which is still to come here: it stands where it was ${read}.` }
        : {
            atMs,
            doubt: `${printed}; it was ${read}. In another zone than the collector's it happened then.`,
          };
    },
    notice: (line, look) => {
      const time = readLogTime(line);
      if (time === undefined) return;
      const isLocal = time.kind === "local" && look.isLive;
      zoneMs = isLocal ? quartersOf(placeLogTime(time, { ...look, fromLocal }) - look.nowMs) : undefined;
    },
  };
}

/** For what bears its time with its zone. */
export function placeCertain(atMs: number, nowMs: number, slackMs = MINUTE_MS): LineTime {
  if (atMs > nowMs + slackMs) return { leftOut: "ahead" };
  return atMs < nowMs - OLDEST_MS ? { leftOut: "old" } : { atMs: Math.min(atMs, nowMs) };
}

function untimed({ nowMs, isLive }: LookTimes): LineTime {
  if (isLive) return { atMs: nowMs };
  return { atMs: nowMs, doubt: "The line bears no time: it stands where it was read, and may be older." };
}

/** `undefined` when it lies between two quarters, or too far off for any zone. */
function quartersOf(aheadMs: number): number | undefined {
  const quarters = Math.ceil(aheadMs / QUARTER_MS) * QUARTER_MS;
  const lateMs = quarters - aheadMs;
  return lateMs <= LATE_MS && Math.abs(quarters) <= MOST_ZONE_MS ? quarters : undefined;
}

function fromLocal(year: number, month: number, day: number, msOfDay: number): number {
  return new Date(year, month - 1, day, 0, 0, 0, msOfDay).getTime();
}

/** In the collector's zone, which is how it was read. */
function printedAs(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
