/** A moment as a logger printed it. */
export type LogTime =
  /** With its zone, or counted from the epoch. */
  | { readonly kind: "epoch"; readonly epochMs: number }
  /** In the zone of whoever printed it; a missing year is `undefined`. Months from 1. */
  | {
      readonly kind: "local";
      readonly year: number | undefined;
      readonly month: number;
      readonly day: number;
      readonly msOfDay: number;
    }
  /** Since the machine started. */
  | { readonly kind: "uptime"; readonly uptimeMs: number };

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(${MONTHS.join("|")})`;
const CLOCK = "(\\d{2}):(\\d{2}):(\\d{2})(?:[.,](\\d{1,9}))?";

const ISO = new RegExp(
  `^\\s{0,8}(?:<\\d{1,3}>)?(?:\\d )?\\[?(\\d{4})-(\\d{2})-(\\d{2})[T ]${CLOCK} ?(Z|UTC|[+-]\\d{2}:?\\d{2})?`,
);
/** syslog and the short form of journalctl: no year, no zone. */
const TRADITIONAL = new RegExp(`^\\s{0,8}(?:<\\d{1,3}>)?${MONTH} {1,2}(\\d{1,2}) ${CLOCK} `);
/** dmesg -T and ctime: local time of the machine. */
const CTIME = new RegExp(
  `^\\s{0,8}\\[?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} {1,2}(\\d{1,2}) ${CLOCK}(?: [A-Z]{3,4})? (\\d{4})\\]?`,
);
const UPTIME = /^\s{0,8}(?:<\d{1,3}>)?\[\s{0,8}(\d{1,9})\.(\d{3,9})\]/;
/** Priority, sequence number and microseconds of a record of /dev/kmsg. */
const KMSG = /^\d{1,3},\d{1,15},(\d{1,16}),[-c+]/;

/** The time at the begin of a line of a log, in the first form that fits; `undefined` when there is none. Pure. */
export function readLogTime(line: string): LogTime | undefined {
  const head = line.slice(0, 120);
  const iso = ISO.exec(head);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso;
    const msOfDay = clockMs(hour, minute, second, fraction);
    if (zone === undefined) {
      return { kind: "local", year: Number(year), month: Number(month), day: Number(day), msOfDay };
    }
    return {
      kind: "epoch",
      epochMs: Date.UTC(Number(year), Number(month) - 1, Number(day)) + msOfDay - zoneMs(zone),
    };
  }
  const traditional = TRADITIONAL.exec(head);
  if (traditional) {
    const [, month = "", day, hour, minute, second, fraction] = traditional;
    return {
      kind: "local",
      year: undefined,
      month: MONTHS.indexOf(month) + 1,
      day: Number(day),
      msOfDay: clockMs(hour, minute, second, fraction),
    };
  }
  const ctime = CTIME.exec(head);
  if (ctime) {
    const [, month = "", day, hour, minute, second, fraction, year] = ctime;
    return {
      kind: "local",
      year: Number(year),
      month: MONTHS.indexOf(month) + 1,
      day: Number(day),
      msOfDay: clockMs(hour, minute, second, fraction),
    };
  }
  const uptime = UPTIME.exec(head);
  if (uptime) return { kind: "uptime", uptimeMs: Number(uptime[1]) * 1000 + fractionMs(uptime[2]) };
  const kmsg = KMSG.exec(head);
  return kmsg ? { kind: "uptime", uptimeMs: Math.floor(Number(kmsg[1]) / 1000) } : undefined;
}

/** What is needed to place a printed time on the clock. */
export interface TimeContext {
  /** When the line was read. */
  readonly nowMs: number;
  /** Start of the machine. */
  readonly bootMs: number;
  /** Epoch milliseconds of a moment in the zone in which the logger prints. Months from 1. */
  readonly fromLocal: (year: number, month: number, day: number, msOfDay: number) => number;
}

const DAY_MS = 86_400_000;

/** Epoch milliseconds of a printed time. One without a year is of the last year that does not put it into the future. */
export function placeLogTime(time: LogTime, { nowMs, bootMs, fromLocal }: TimeContext): number {
  if (time.kind === "epoch") return time.epochMs;
  if (time.kind === "uptime") return bootMs + time.uptimeMs;
  const { month, day, msOfDay } = time;
  if (time.year !== undefined) return fromLocal(time.year, month, day, msOfDay);
  const thisYear = new Date(nowMs + DAY_MS).getUTCFullYear();
  const placed = fromLocal(thisYear, month, day, msOfDay);
  return placed <= nowMs + DAY_MS ? placed : fromLocal(thisYear - 1, month, day, msOfDay);
}

function clockMs(hour?: string, minute?: string, second?: string, fraction?: string): number {
  return (
    Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000 + fractionMs(fraction ?? "")
  );
}

function fractionMs(digits = ""): number {
  return Number(digits.slice(0, 3).padEnd(3, "0"));
}

function zoneMs(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (match === null) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}
