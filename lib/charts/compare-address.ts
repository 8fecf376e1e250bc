import { parseTime } from "#lib/contracts/time-range.ts";
import { formatEditable } from "./format-time.ts";
import { readTypedTime } from "./typed-time.ts";
import { isRelative } from "./view-address.ts";

/** What can be chosen on a side: nodes by name, and what nodes have in common. */
export interface CompareChoices {
  readonly nodes: readonly { readonly nodeId: number; readonly name: string }[];
  /** `term` as an address writes it: `kernelRelease=6.1.0`. */
  readonly cohorts: readonly { readonly term: string; readonly nodes: number }[];
  readonly marks: readonly { readonly annotationId: number; readonly label: string }[];
}

/** What the clock of both sides begins with. */
export type CompareAlignment = "time" | "boot" | "mark";

/** One side as it is typed. */
export interface SideForm {
  /** Names of nodes or `attribute=value`, with commas between. */
  readonly who: string;
  readonly from: string;
  readonly to: string;
}

/** The controls of the compare page, as they are typed. */
export interface CompareForm {
  readonly align: CompareAlignment;
  readonly a: SideForm;
  readonly b: SideForm;
  readonly mark: string;
}

type Lookup = (name: string) => readonly string[];

/** The address of the compare page for parameters in the order given; those that are empty are left out. */
export function comparePath(parameters: readonly (readonly [string, string | undefined])[]): string {
  const search = new URLSearchParams();
  for (const [name, value] of parameters) if (value !== undefined && value !== "") search.append(name, value);
  const text = search.toString();
  return text === "" ? "/compare" : `/compare?${text}`;
}

const DAY_MS = 86_400_000;

/** A bound so many days earlier: `now-6h` stays relative, anything else becomes the moment. */
function daysEarlier(bound: string, atMs: number, days: number): string {
  return isRelative(bound) ? `${bound.trim()}-${days}d` : String(atMs - days * DAY_MS);
}

/** The window of one node against the same hours so many days earlier: the page that a node's page leads to. */
export function earlierPath(
  nodeId: number,
  { from, to, timezone }: { readonly from: string; readonly to: string; readonly timezone: string },
  window: { readonly fromMs: number; readonly toMs: number },
  days = 1,
): string {
  return comparePath([
    ["a", String(nodeId)],
    ["b", String(nodeId)],
    ["from", from],
    ["to", to],
    ["a.from", daysEarlier(from, window.fromMs, days)],
    ["a.to", daysEarlier(to, window.toMs, days)],
    ["timezone", timezone],
  ]);
}

/** The boot of a node that lasts against the one before. */
export function bootBeforePath(nodeId: number, bootedAtMs: number, timezone: string): string {
  return comparePath([
    ["a", String(nodeId)],
    ["b", String(nodeId)],
    ["align", "boot"],
    ["a.to", String(bootedAtMs)],
    ["timezone", timezone],
  ]);
}

/** The controls as an address fills them. Bounds of a moment are shown as one types them. */
export function readCompareForm(
  lookup: Lookup,
  choices: CompareChoices,
  zone: string,
  nowMs: number,
): CompareForm {
  const names = new Map(choices.nodes.map(({ nodeId, name }) => [String(nodeId), name]));
  const first = (name: string) => lookup(name)[0];
  const align = first("align");
  const shown = (bound: string) => {
    if (isRelative(bound)) return bound;
    const time = parseTime(bound, { nowMs, zone });
    return time.ok ? formatEditable(time.timeMs, zone) : bound;
  };
  const side = (name: "a" | "b"): SideForm => ({
    who: lookup(name)
      // A comma parts names, so a name with one stands as its id.
      .map((term) => (names.get(term)?.includes(",") === false ? names.get(term) : term))
      .join(", "),
    from: shown(first(`${name}.from`) ?? first("from") ?? "now-6h"),
    to: shown(first(`${name}.to`) ?? first("to") ?? "now"),
  });
  return {
    align: align === "boot" || align === "mark" ? align : "time",
    a: side("a"),
    b: side("b"),
    mark: first("mark") ?? "",
  };
}

/** The address that controls ask for, or which of them cannot be read and what was expected. */
export type WrittenForm =
  | { readonly ok: true; readonly path: string }
  | {
      readonly ok: false;
      readonly field: "a.who" | "b.who" | "a.from" | "a.to" | "b.from" | "b.to" | "mark";
      readonly message: string;
    };

/** Reads the controls. Names must be those of {@link CompareChoices}; attributes are left to the server. */
export function writeCompareForm(
  form: CompareForm,
  choices: CompareChoices,
  { zone, nowMs, timezone }: { zone: string; nowMs: number; timezone: string },
): WrittenForm {
  const ids = new Map(choices.nodes.map(({ nodeId, name }) => [name, String(nodeId)]));
  const parameters: [string, string][] = [];
  for (const name of ["a", "b"] as const) {
    const terms = form[name].who
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
    if (terms.length === 0)
      return { ok: false, field: `${name}.who`, message: "Name a node, or what nodes have in common." };
    for (const each of terms) {
      const term = ids.get(each) ?? (each.includes("=") || /^\d+$/.test(each) ? each : undefined);
      if (term === undefined)
        return { ok: false, field: `${name}.who`, message: `There is no node ${each}.` };
      parameters.push([name, term]);
    }
  }
  if (form.align !== "time") parameters.push(["align", form.align]);
  if (form.align === "mark") {
    if (form.mark === "") return { ok: false, field: "mark", message: "Choose a mark." };
    parameters.push(["mark", form.mark]);
  } else {
    const ends = form.align === "time" ? (["from", "to"] as const) : (["to"] as const);
    for (const end of ends) {
      const [a, b] = [boundOf(form.a[end], zone, nowMs), boundOf(form.b[end], zone, nowMs)];
      const expected = "A time is now, now-6h, now/d, 04:15, yesterday 22:10 or 2026-12-03T04:15Z.";
      if (a === undefined) return { ok: false, field: `a.${end}`, message: expected };
      if (b === undefined) return { ok: false, field: `b.${end}`, message: expected };
      parameters.push([end, b]);
      if (a !== b) parameters.push([`a.${end}`, a]);
    }
  }
  return { ok: true, path: comparePath([...parameters, ["timezone", timezone]]) };
}

function boundOf(text: string, zone: string, nowMs: number): string | undefined {
  const trimmed = text.trim();
  if (isRelative(trimmed)) return parseTime(trimmed, { nowMs, zone }).ok ? trimmed : undefined;
  const read = readTypedTime(trimmed, { zone, nowMs });
  return read.kind === "read" ? String(read.atMs) : undefined;
}
