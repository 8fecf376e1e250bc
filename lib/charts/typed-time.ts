import * as chrono from "chrono-node";
import { DateTime } from "luxon";
import { parseTime } from "#lib/contracts/time-range.ts";
import { LAST_MOMENT_MS } from "#lib/domain/snapshot/last-moment.ts";
import { formatDuration } from "./format.ts";
import { formatMomentFull, isZone, zoneName } from "./format-time.ts";

/** What a typed time was read as. `notes` must be seen before saving: they say what was assumed. */
export type TypedTime =
  | {
      readonly kind: "read";
      readonly atMs: number;
      /** In full, in the zone of the view: `Thu 3 Dec 2026 04:15:00 UTC, 10 h ago`. */
      readonly reading: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: "unreadable"; readonly message: string };

const HELP = "Try 04:15, 04:15 GMT, yesterday 22:10 or 2026-12-03T04:15Z.";

/** Abbreviations that people of different countries use for different zones. */
const DOUBTFUL: Readonly<Record<string, { readonly offsetMinutes: number; readonly meaning: string }>> = {
  IST: { offsetMinutes: 330, meaning: "India, UTC+5:30 (also used for Irish and Israel time)" },
  CST: { offsetMinutes: -360, meaning: "US Central, UTC\u22126 (also used for China time)" },
  BST: { offsetMinutes: 60, meaning: "British Summer Time, UTC+1" },
  AST: { offsetMinutes: -240, meaning: "Atlantic, UTC\u22124 (also used for Arabia time)" },
  EST: { offsetMinutes: -300, meaning: "US Eastern standard time, UTC\u22125" },
  MST: { offsetMinutes: -420, meaning: "US Mountain standard time, UTC\u22127" },
};

const CERTAIN: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  EDT: -240,
  CDT: -300,
  MDT: -360,
  PST: -480,
  PDT: -420,
  JST: 540,
};

/** How times are read: in which zone, at which moment, and what is said of one that lies ahead. */
interface TimeView {
  readonly zone: string;
  readonly nowMs: number;
  readonly ahead?: string;
}

interface Zoned {
  readonly text: string;
  readonly zone: string;
  readonly stated: boolean;
  readonly note: string | undefined;
}

function offsetZone(minutes: number): string {
  const sign = minutes < 0 ? "-" : "+";
  const size = Math.abs(minutes);
  return `UTC${sign}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
}

/** Splits a zone off the end of the text: `04:15 GMT`, `04:15 Europe/Berlin`, `04:15 +02:00`, `04:15 UTC+2`. */
function splitZone(text: string, zone: string): Zoned {
  const none: Zoned = { text, zone, stated: false, note: undefined };
  const iana = /^(.*\S)\s+([A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/.exec(text);
  if (iana?.[1] && iana[2] && isZone(iana[2]))
    return { text: iana[1], zone: iana[2], stated: true, note: undefined };
  const offset = /^(.*\d)\s*(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(text);
  if (offset?.[1] && /:\d{2}\s*$/.test(offset[1])) {
    const hours = Number(offset[3]);
    const minutes = Number(offset[4] ?? 0);
    if (hours > 14 || minutes > 59) return none;
    return {
      text: offset[1],
      zone: offsetZone((hours * 60 + minutes) * (offset[2] === "-" ? -1 : 1)),
      stated: true,
      note: undefined,
    };
  }
  const name = /^(.*[\d\s])([A-Za-z]{1,5})$/.exec(text);
  const abbreviation = name?.[2]?.toUpperCase();
  if (!name?.[1] || !abbreviation || !/\d/.test(name[1])) return none;
  const certain = CERTAIN[abbreviation];
  if (certain !== undefined)
    return {
      text: name[1].trim(),
      zone: certain === 0 ? "UTC" : offsetZone(certain),
      stated: true,
      note: undefined,
    };
  const doubtful = DOUBTFUL[abbreviation];
  if (doubtful) {
    return {
      text: name[1].trim(),
      zone: offsetZone(doubtful.offsetMinutes),
      stated: true,
      note: `${abbreviation} is read as ${doubtful.meaning}.`,
    };
  }
  return none;
}

interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond?: number;
}

/** The moments that a wall-clock time means in a zone: none in a spring gap, two in an autumn overlap. */
function momentsOf(wall: Wall, zone: string): number[] {
  const at = DateTime.fromObject(wall, { zone });
  if (!at.isValid) return [];
  return at
    .getPossibleOffsets()
    .filter((each) => each.hour === wall.hour && each.minute === wall.minute)
    .map((each) => each.toMillis())
    .sort((a, b) => a - b);
}

function unreadable(message: string): TypedTime {
  return { kind: "unreadable", message: `${message} ${HELP}` };
}

function answer(atMs: number, notes: readonly string[], view: TimeView): TypedTime {
  if (!(atMs >= 0 && atMs <= LAST_MOMENT_MS)) return unreadable("A time from 1970 to 9999 is needed.");
  const awayMs = atMs - view.nowMs;
  const away =
    Math.abs(awayMs) < 30_000
      ? "now"
      : awayMs > 0
        ? `in ${formatDuration(awayMs)}`
        : `${formatDuration(awayMs)} ago`;
  return {
    kind: "read",
    atMs,
    reading: `${formatMomentFull(atMs, view.zone)}, ${away}`,
    notes:
      awayMs > 60_000
        ? [...notes, view.ahead ?? "This lies in the future: the mark shows once the window reaches it."]
        : [...notes],
  };
}

function fromWall(wall: Wall, zoned: Zoned, notes: string[], view: TimeView): TypedTime {
  const moments = momentsOf(wall, zoned.zone);
  const first = moments[0];
  const clock = `${String(wall.hour).padStart(2, "0")}:${String(wall.minute).padStart(2, "0")}`;
  if (first === undefined)
    return unreadable(`There is no ${clock} on that day in ${zoned.zone}: the clock was put forward.`);
  const second = moments[1];
  if (second !== undefined) {
    notes.push(
      `${clock} came twice that day in ${zoned.zone}; the first (${zoneName(first, zoned.zone)}) is meant. For the second write ${clock} ${offsetName(second, zoned.zone)}.`,
    );
  }
  return answer(first, notes, view);
}

function offsetName(atMs: number, zone: string): string {
  return DateTime.fromMillis(atMs, { zone }).toFormat("ZZ");
}

/**
 * Reads a time as people write it: `04:15 GMT`, `yesterday 22:10`, `20 min ago`, `now-30d`, ISO 8601, epoch milliseconds. A time
 * without a zone is meant in the zone of the view; a bare time that has not come yet today means yesterday, and says
 * so.
 *
 * @param view.zone IANA name or `UTC`
 * @param view.ahead what a time that lies ahead means here; by default what it means for a mark
 */
export function readTypedTime(typed: string, view: TimeView): TypedTime {
  const text = typed.trim().replace(/\s+/g, " ");
  if (text === "") return unreadable("A time is needed.");
  if (/^now$/i.test(text)) return answer(view.nowMs, [], view);
  if (/^now\s*[-+/]/i.test(text)) {
    const relative = parseTime(`now${text.slice(3).replace(/\s/g, "")}`, view);
    return relative.ok ? answer(relative.timeMs, [], view) : unreadable("Try now-30d or now-6h.");
  }
  if (/^\d{12,14}$/.test(text)) return answer(Number(text), [], view);
  if (/^\d{10}$/.test(text)) return answer(Number(text) * 1000, [], view);

  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) {
    const stated = DateTime.fromISO(text, { setZone: true });
    if (!stated.isValid) return unreadable("No such time.");
    if (/(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(text)) return answer(stated.toMillis(), [], view);
    return fromWall(stated.toObject(), { text, zone: view.zone, stated: false, note: undefined }, [], view);
  }

  const zoned = splitZone(text, view.zone);
  const notes = zoned.note ? [zoned.note] : [];
  const clockOnly = /^(?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(zoned.text);
  const dated = /^(\d{4})-(\d{2})-(\d{2}) (\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(zoned.text);
  if (clockOnly) {
    const [hour, minute, second] = [clockOnly[1], clockOnly[2], clockOnly[3] ?? "0"].map(Number);
    if (
      hour === undefined ||
      minute === undefined ||
      second === undefined ||
      hour > 23 ||
      minute > 59 ||
      second > 59
    )
      return unreadable("No such time.");
    const today = DateTime.fromMillis(view.nowMs, { zone: zoned.zone });
    const wall = { year: today.year, month: today.month, day: today.day, hour, minute, second };
    const [moment] = momentsOf(wall, zoned.zone);
    if (moment !== undefined && moment > view.nowMs + 60_000) {
      const before = today.minus({ days: 1 });
      notes.push(`${zoned.text} has not come yet today, so yesterday is meant.`);
      return fromWall(
        { ...wall, year: before.year, month: before.month, day: before.day },
        zoned,
        notes,
        view,
      );
    }
    return fromWall(wall, zoned, notes, view);
  }
  if (dated) {
    const [year, month, day, hour, minute, second] = dated.slice(1).map((part) => Number(part ?? 0));
    const wall = { year, month, day, hour, minute, second } as Wall;
    if (!DateTime.fromObject(wall, { zone: "UTC" }).isValid) return unreadable("No such time.");
    return fromWall(wall, zoned, notes, view);
  }

  const offsetMinutes = DateTime.fromMillis(view.nowMs, { zone: zoned.zone }).offset;
  const [found] = chrono.en.GB.parse(zoned.text, {
    instant: new Date(view.nowMs),
    timezone: offsetMinutes,
  });
  if (!found || found.text.length < zoned.text.replace(/^(?:at|on) /i, "").length - 1)
    return unreadable(found ? `Only \u201c${found.text}\u201d could be read as a time.` : "No such time.");
  const { start } = found;
  if (start.isCertain("timezoneOffset")) return answer(start.date().getTime(), notes, view);
  const relative = /\bago\b|^in \d/i.test(zoned.text);
  if (relative && !start.isCertain("day")) return answer(start.date().getTime(), notes, view);
  if (relative) return answer(start.date().getTime(), notes, view);
  if (!start.isCertain("hour")) {
    notes.push("No time of day was given: noon is meant.");
  }
  const read = (part: "year" | "month" | "day" | "hour" | "minute" | "second", otherwise: number) =>
    start.get(part) ?? otherwise;
  return fromWall(
    {
      year: read("year", 1970),
      month: read("month", 1),
      day: read("day", 1),
      hour: start.isCertain("hour") ? read("hour", 12) : 12,
      minute: start.isCertain("hour") ? read("minute", 0) : 0,
      second: start.isCertain("second") ? read("second", 0) : 0,
    },
    zoned,
    notes,
    view,
  );
}
