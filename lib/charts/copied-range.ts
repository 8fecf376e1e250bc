import { isRelative, resolveWindow } from "./view-address.ts";
import type { TimeWindow, ViewAddress } from "./view-address.ts";

type Range = Pick<ViewAddress, "from" | "to">;

/** The range as Grafana copies one: a relative end as it is written, a moment in ISO 8601. */
export function copiedRange(address: Range, window: TimeWindow): string {
  const end = (bound: string, atMs: number) => (isRelative(bound) ? bound : new Date(atMs).toISOString());
  return JSON.stringify({ from: end(address.from, window.fromMs), to: end(address.to, window.toMs) });
}

function written(text: string): { readonly from: unknown; readonly to: unknown } | undefined {
  if (URL.canParse(text)) {
    const { searchParams } = new URL(text);
    return { from: searchParams.get("from"), to: searchParams.get("to") };
  }
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && "from" in read && "to" in read ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a range as `copiedRange` and Grafana write it, or that of a whole address. Undefined for a text without a range that
 * can be shown. Total on any text.
 */
export function readCopiedRange(text: string, nowMs: number, timezone: string): Range | undefined {
  const found = written(text.trim());
  const end = (bound: unknown) =>
    typeof bound === "string" || typeof bound === "number" ? String(bound) : undefined;
  const [from, to] = [end(found?.from), end(found?.to)];
  if (from === undefined || to === undefined) return undefined;
  return resolveWindow({ from, to, timezone }, nowMs, "UTC") ? { from, to } : undefined;
}
