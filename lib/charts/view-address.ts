import { DateTime } from "luxon";
import { isZone } from "./format-time.ts";

/** What an address says about a view of time; texts are kept as written, so that a link reproduces itself. */
export interface ViewAddress {
  /** Grafana's forms: `now-6h`, `now/d`, epoch milliseconds, ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** `utc`, `browser` or an IANA name. */
  readonly timezone: string;
}

/** A window of time with both ends fixed. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a page shows when its address names no window. */
export const DEFAULT_ADDRESS: ViewAddress = { from: "now-24h", to: "now", timezone: "utc" };

/** Shortest window that a zoom reaches. */
export const SHORTEST_WINDOW_MS = 60_000;

const UNITS: Readonly<
  Record<string, "seconds" | "minutes" | "hours" | "days" | "weeks" | "months" | "years">
> = {
  s: "seconds",
  m: "minutes",
  h: "hours",
  d: "days",
  w: "weeks",
  M: "months",
  y: "years",
};

const ROUND: Readonly<Record<string, "second" | "minute" | "hour" | "day" | "week" | "month" | "year">> = {
  s: "second",
  m: "minute",
  h: "hour",
  d: "day",
  w: "week",
  M: "month",
  y: "year",
};

/** Whether a bound follows the clock. */
export function isRelative(bound: string): boolean {
  return bound.trim().startsWith("now");
}

/**
 * Moment that one end of a range means, or undefined when it means none. Rounding (`now/d`) follows `zone` and goes
 * down for `from`, up for `to`.
 */
export function resolveBound(
  bound: string,
  nowMs: number,
  zone: string,
  end: "from" | "to",
): number | undefined {
  const text = bound.trim();
  if (/^\d{9,16}$/.test(text)) {
    const value = Number(text);
    const atMs = text.length <= 10 ? value * 1000 : value;
    return atMs <= 8.64e15 ? atMs : undefined;
  }
  if (!isRelative(text)) {
    const at = DateTime.fromISO(text, { zone });
    return at.isValid ? at.toMillis() : undefined;
  }
  let at = DateTime.fromMillis(nowMs, { zone });
  let rest = text.slice(3);
  while (rest !== "") {
    const move = /^([+-])(\d{1,6})([smhdwMy])/.exec(rest);
    const round = /^\/([smhdwMy])/.exec(rest);
    if (move) {
      const [whole, sign, count, unit] = move;
      const unitName = UNITS[unit ?? ""];
      if (!unitName) return undefined;
      at = at.plus({ [unitName]: Number(count) * (sign === "-" ? -1 : 1) });
      rest = rest.slice(whole.length);
    } else if (round) {
      const unit = ROUND[round[1] ?? ""];
      if (!unit) return undefined;
      at = end === "from" ? at.startOf(unit) : at.endOf(unit);
      rest = rest.slice(round[0].length);
    } else return undefined;
  }
  return at.isValid ? at.toMillis() : undefined;
}

/** Both ends of an address at a moment; undefined when an end cannot be read or the window is empty. */
export function resolveWindow(address: ViewAddress, nowMs: number, zone: string): TimeWindow | undefined {
  const fromMs = resolveBound(address.from, nowMs, zone, "from");
  const toMs = resolveBound(address.to, nowMs, zone, "to");
  if (fromMs === undefined || toMs === undefined || toMs <= fromMs) return undefined;
  return { fromMs, toMs };
}

type Lookup = (name: string) => string | null | undefined;

/** Reads an address; what is missing or cannot be read takes the default. */
export function readAddress(lookup: Lookup, defaults: ViewAddress = DEFAULT_ADDRESS): ViewAddress {
  const timezone = lookup("timezone") ?? defaults.timezone;
  const from = lookup("from") ?? defaults.from;
  const to = lookup("to") ?? defaults.to;
  const readable = resolveWindow({ from, to, timezone }, Date.UTC(2026, 0, 1), "UTC") !== undefined;
  const mixed = isRelative(from) !== isRelative(to);
  const usable =
    readable ||
    (mixed &&
      resolveBound(from, 0, "UTC", "from") !== undefined &&
      resolveBound(to, 0, "UTC", "to") !== undefined);
  return {
    from: usable ? from : defaults.from,
    to: usable ? to : defaults.to,
    timezone: timezone === "utc" || timezone === "browser" || isZone(timezone) ? timezone : defaults.timezone,
  };
}

/** The zone that an address means, given the reader's own. */
export function zoneOf(timezone: string, readersZone: string): string {
  if (timezone === "utc") return "UTC";
  return timezone === "browser" ? readersZone : timezone;
}

/** Whether the end of the window moves with the clock, so that there is something to refresh. */
export function isLive(address: ViewAddress): boolean {
  return isRelative(address.to);
}

/** Window zoomed around a moment by a factor (below 1 zooms in), not shorter than a minute and not past `nowMs`. */
export function zoomWindow(window: TimeWindow, atMs: number, factor: number, nowMs: number): TimeWindow {
  const span = Math.max(SHORTEST_WINDOW_MS, (window.toMs - window.fromMs) * factor);
  const part = (atMs - window.fromMs) / (window.toMs - window.fromMs);
  const latest = Math.max(nowMs, window.toMs);
  const toMs = Math.min(latest, Math.round(atMs + (1 - part) * span));
  return { fromMs: Math.round(toMs - span), toMs };
}

/** Ready-made relative ranges of the picker. */
export const QUICK_RANGES = [
  { from: "now-15m", to: "now", label: "15 min" },
  { from: "now-1h", to: "now", label: "1 h" },
  { from: "now-6h", to: "now", label: "6 h" },
  { from: "now-24h", to: "now", label: "24 h" },
  { from: "now-3d", to: "now", label: "3 d" },
  { from: "now-7d", to: "now", label: "7 d" },
  { from: "now-30d", to: "now", label: "30 d" },
  { from: "now-90d", to: "now", label: "90 d" },
] as const;
