import { copiedRange } from "./copied-range.ts";
import { resolveWindow, zoomWindow } from "./view-address.ts";
import type { TimeWindow } from "./view-address.ts";

/** Both ends as an address writes them. */
interface Written {
  readonly from: string;
  readonly to: string;
}

/** The window of one side, as written and as moments. */
interface SideRange extends Written {
  readonly window: TimeWindow;
}

/** Windows of both sides of a comparison. */
export interface CompareRanges {
  readonly a: SideRange;
  readonly b: SideRange;
}

/** The windows of an address of the compare page; undefined where its clock begins with a boot or a mark, which has none. */
export function readCompareRanges(query: string, nowMs: number, zone: string): CompareRanges | undefined {
  const parameters = new URLSearchParams(query);
  if ((parameters.get("align") ?? "time") !== "time") return undefined;
  const side = (name: "a" | "b"): SideRange | undefined => {
    const bound = (end: "from" | "to", otherwise: string) =>
      parameters.get(`${name}.${end}`) ?? parameters.get(end) ?? otherwise;
    const written = { from: bound("from", "now-6h"), to: bound("to", "now") };
    const timezone = parameters.get("timezone") ?? "utc";
    const window = resolveWindow({ ...written, timezone }, nowMs, zone);
    return window && { ...written, window };
  };
  const [a, b] = [side("a"), side("b")];
  return a && b && { a, b };
}

/** The same comparison over other windows. */
function withRanges(query: string, a: Written, b: Written): string {
  const parameters = new URLSearchParams(query);
  for (const name of ["from", "to", "a.from", "a.to", "b.from", "b.to"]) parameters.delete(name);
  for (const end of ["from", "to"] as const) {
    parameters.set(end, b[end]);
    if (a[end] !== b[end]) parameters.set(`a.${end}`, a[end]);
  }
  return `/compare?${parameters.toString()}`;
}

const moments = ({ fromMs, toMs }: TimeWindow): Written => ({
  from: String(Math.round(fromMs)),
  to: String(Math.round(toMs)),
});

/** Both windows as moments, whenever the address is opened. */
export function fixedRangesPath(query: string, { a, b }: CompareRanges): string {
  return withRanges(query, moments(a.window), moments(b.window));
}

const middleOf = ({ fromMs, toMs }: TimeWindow) => (fromMs + toMs) / 2;

/** Both windows wider or narrower by the same factor. What side B must move, so as not to reach ahead, side A moves as well. */
export function zoomedRangesPath(
  query: string,
  { a, b }: CompareRanges,
  factor: number,
  nowMs: number,
): string {
  const zoomed = zoomWindow(b.window, middleOf(b.window), factor, nowMs);
  const widened = zoomWindow(a.window, middleOf(a.window), factor, Infinity);
  const byMs = middleOf(zoomed) - middleOf(b.window);
  return withRanges(
    query,
    moments({ fromMs: widened.fromMs + byMs, toMs: widened.toMs + byMs }),
    moments(zoomed),
  );
}

/**
 * A range that was pasted: side B takes it. Side A takes it as well where both had the same; else it keeps its distance from
 * side B, as the same hours of a day earlier do, and gets its length.
 */
export function pastedRangesPath(
  query: string,
  { a, b }: CompareRanges,
  pasted: Written,
  nowMs: number,
  zone: string,
): string | undefined {
  const timezone = new URLSearchParams(query).get("timezone") ?? "utc";
  const window = resolveWindow({ ...pasted, timezone }, nowMs, zone);
  if (window === undefined) return undefined;
  if (a.from === b.from && a.to === b.to) return withRanges(query, pasted, pasted);
  const fromMs = window.fromMs + a.window.fromMs - b.window.fromMs;
  return withRanges(query, moments({ fromMs, toMs: fromMs + window.toMs - window.fromMs }), pasted);
}

/** The range of side B as it is copied. */
export function copiedCompareRange({ b }: CompareRanges): string {
  return copiedRange(b, b.window);
}
