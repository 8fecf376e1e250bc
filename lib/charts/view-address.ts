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

const HOUR_MS = 3_600_000;

/**
 * What a page shows when its address names no window: the shortest of 1 h, 6 h and 24 h that holds all that a node sent, so
 * that a new node does not begin as a sliver; 24 h where it sent for longer.
 */
export function defaultAddress(node: { readonly firstSeenAt: number }, nowMs: number): ViewAddress {
  const hours = [1, 6].find((each) => node.firstSeenAt >= nowMs - each * HOUR_MS) ?? 24;
  return { from: `now-${hours}h`, to: "now", timezone: "utc" };
}

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

/** A part of an address that cannot be read: what was given, cut short, and what was expected. */
export interface AddressFault {
  readonly name: string;
  readonly given: string;
  readonly message: string;
}

const GIVEN_LENGTH = 60;

function faultOf(name: string, given: string, message: string): AddressFault {
  return {
    name,
    given: given.length > GIVEN_LENGTH ? `${given.slice(0, GIVEN_LENGTH)}\u2026` : given,
    message,
  };
}

/** One of a few words of an address. What is none of them goes to `faults` and reads as if nothing was given. */
export function readWord<Word extends string>(
  name: string,
  given: string | undefined,
  words: readonly Word[],
  faults: AddressFault[],
): Word | undefined {
  if (given === undefined || given === "") return undefined;
  const word = words.find((each) => each === given);
  if (word === undefined) faults.push(faultOf(name, given, `expected ${words.join(", ")}`));
  return word;
}

/** Number of a page of a list, from 1. What is none goes to `faults` and reads as the first. */
export function readPageNumber(given: string, faults: AddressFault[]): number {
  if (given === "") return 1;
  if (/^0*[1-9]\d{0,3}$/.test(given)) return Number(given);
  faults.push(faultOf("page", given, "expected a number from 1 to 9999"));
  return 1;
}

/**
 * Reads an address. What is missing takes the default; so does a zone that is none, and the whole window where one of its ends
 * cannot be read or the window is empty or too wide: `faults` says so.
 */
export function readAddress(
  lookup: Lookup,
  nowMs: number,
  defaults: ViewAddress,
): { readonly address: ViewAddress; readonly faults: readonly AddressFault[] } {
  const faults: AddressFault[] = [];
  const refuse = (name: string, given: string, message: string) => faults.push(faultOf(name, given, message));
  const zone = lookup("timezone") ?? defaults.timezone;
  const known = zone === "utc" || zone === "browser" || isZone(zone);
  if (!known) refuse("timezone", zone, "expected utc, browser or an IANA name such as Europe/Berlin");
  const timezone = known ? zone : defaults.timezone;
  const range = { from: lookup("from") ?? defaults.from, to: lookup("to") ?? defaults.to };
  const read = parseTimeRange({ ...range, timezone }, { nowMs, browserZone: "UTC" });
  if (read.ok) return { address: { ...range, timezone }, faults };
  const end = read.path === "to" ? "to" : "from";
  refuse(end, range[end], read.message);
  return { address: { from: defaults.from, to: defaults.to, timezone }, faults };
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
