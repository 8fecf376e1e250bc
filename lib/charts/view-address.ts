import { parseTimeRange } from "#lib/contracts/time-range.ts";
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

/** Whether a bound follows the clock. */
export function isRelative(bound: string): boolean {
  return bound.trim().startsWith("now");
}

/** Both ends of an address at a moment; undefined when an end cannot be read or the window is empty. */
export function resolveWindow(
  address: ViewAddress,
  nowMs: number,
  readersZone: string,
): TimeWindow | undefined {
  const range = parseTimeRange(address, { nowMs, browserZone: readersZone });
  return range.ok ? { fromMs: range.fromMs, toMs: range.toMs } : undefined;
}

type Lookup = (name: string) => string | null | undefined;

/** Reads an address; what is missing or cannot be read takes the default. */
export function readAddress(
  lookup: Lookup,
  nowMs: number,
  defaults: ViewAddress = DEFAULT_ADDRESS,
): ViewAddress {
  const given = lookup("timezone") ?? defaults.timezone;
  const known = given === "utc" || given === "browser" || isZone(given);
  const timezone = known ? given : defaults.timezone;
  const range = { from: lookup("from") ?? defaults.from, to: lookup("to") ?? defaults.to };
  const usable = resolveWindow({ ...range, timezone }, nowMs, "UTC") !== undefined;
  return { from: usable ? range.from : defaults.from, to: usable ? range.to : defaults.to, timezone };
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
