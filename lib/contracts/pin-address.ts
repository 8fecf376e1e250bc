import { parseTime, resolveTimezone } from "./time-range.ts";
import type { PinKind } from "./investigation.ts";

/** Pages that concern no node alone. */
type FleetPage = "compare" | "experiments" | "cohorts" | "findings" | "fleet";

/** What a pinned page is. */
export type PinnedPage =
  { readonly page: "node" | "slab"; readonly nodeId: number } | { readonly page: FleetPage };

/** A pinned address, taken apart. */
export interface PinTarget {
  readonly where: PinnedPage;
  readonly parameters: URLSearchParams;
}

/** Which pages a pin of a kind can show; a dump has none. */
const PAGES: Readonly<Record<PinKind, readonly PinnedPage["page"][]>> = {
  chart: ["node", "slab"],
  table: ["node", "slab", "experiments", "cohorts", "findings", "fleet"],
  effect: ["node"],
  scatter: ["node"],
  comparison: ["compare"],
  dump: [],
};

const PLAIN: Readonly<Record<string, FleetPage>> = {
  "/compare": "compare",
  "/experiments": "experiments",
  "/cohorts": "cohorts",
  "/findings": "findings",
  "/": "fleet",
};

/** Takes an address of one of the product's pages apart; undefined for any other. Total on any text. */
export function readPinAddress(address: string): PinTarget | undefined {
  // A backslash or a second slash would let a browser leave for another host.
  if (!address.startsWith("/") || /^\/[/\\]|[\u0000-\u0020\\#]/.test(address)) return undefined;
  const [path = "", ...query] = address.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  const plain = Object.hasOwn(PLAIN, path) ? PLAIN[path] : undefined;
  if (plain !== undefined) return { where: { page: plain }, parameters };
  const node = /^\/nodes\/([1-9]\d{0,9})(\/slab)?$/.exec(path);
  const nodeId = Number(node?.[1]);
  if (node === null || nodeId > 2_147_483_647) return undefined;
  return { where: { page: node[2] === undefined ? "node" : "slab", nodeId }, parameters };
}

/** An address that shows the same for ever, or what of it cannot be pinned. */
export type PinnedAddress =
  | { readonly ok: true; readonly address: string; readonly fromMs: number | undefined }
  | { readonly ok: false; readonly message: string };

const TIMES = ["from", "to", "a.from", "a.to", "b.from", "b.to"] as const;

/**
 * The address with moments in place of `now-6h`, so that it shows the same later. A page of a node without a window gets its
 * last 24 h, a comparison without one the last 6 h, which is what the pages show then.
 */
export function pinnedAddress(
  kind: PinKind,
  address: string,
  { nowMs, browserZone = "UTC" }: { nowMs: number; browserZone?: string },
): PinnedAddress {
  if (kind === "dump")
    return address === ""
      ? { ok: true, address, fromMs: undefined }
      : { ok: false, message: "expected no address: a dump is its text" };
  const target = readPinAddress(address);
  if (target === undefined) return { ok: false, message: "expected an address of a page that can be pinned" };
  const { where, parameters } = target;
  if (!PAGES[kind].includes(where.page))
    return { ok: false, message: `a pin of kind ${kind} shows a page of ${PAGES[kind].join(", ")}` };
  if (kind === "effect" && !/^[1-9]\d{0,8}$/.test(parameters.get("effect") ?? ""))
    return { ok: false, message: "expected the mark in effect=" };
  const zone = resolveTimezone(parameters.get("timezone") ?? undefined, browserZone);
  if (zone === undefined) return { ok: false, message: "expected a timezone that is one" };
  const isOfNode = where.page === "node" || where.page === "slab";
  const byTime = where.page === "compare" && (parameters.get("align") ?? "time") === "time";
  if (isOfNode || byTime) {
    if (!parameters.has("from")) parameters.set("from", isOfNode ? "now-24h" : "now-6h");
    if (!parameters.has("to")) parameters.set("to", "now");
  }
  for (const name of TIMES) {
    const given = parameters.get(name);
    if (given === null) continue;
    const time = parseTime(given, { nowMs, zone, roundUp: name.endsWith("to") });
    if (!time.ok) return { ok: false, message: `${name}: ${time.message}` };
    parameters.set(name, String(time.timeMs));
  }
  if (parameters.get("timezone") === "browser" && browserZone !== "UTC")
    parameters.set("timezone", browserZone);
  const [from, to] = [parameters.get("from"), parameters.get("to")];
  if (isOfNode && Number(from) >= Number(to)) return { ok: false, message: "the window is empty" };
  const [path] = address.split("?");
  const query = parameters.toString();
  return {
    ok: true,
    address: query === "" ? (path ?? "/") : `${path ?? "/"}?${query}`,
    fromMs: from === null ? undefined : Number(from),
  };
}
