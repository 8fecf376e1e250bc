import type {
  Entry,
  HypothesisState,
  Imported,
  InvestigationHistory,
  InvestigationListItem,
  InvestigationStatus,
  Pin,
  PinKind,
} from "#lib/contracts/investigation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatNumber } from "./format.ts";
import { formatClock, formatDay, formatMoment, formatWindow, sameDay, zoneName } from "./format-time.ts";
import { scopeText } from "./mark-form.ts";
import type { VerdictText } from "./verdict.ts";

interface View {
  readonly zone: string;
  readonly nowMs: number;
}

/** How a status is said. */
export const STATUS_TEXTS: Readonly<Record<InvestigationStatus, VerdictText>> = {
  open: { word: "open", tone: "leaking" },
  watching: { word: "watching", tone: "growing" },
  resolved: { word: "resolved", tone: "ok" },
  reopened: { word: "reopened", tone: "leaking" },
};

/** How the state of a hypothesis is said. */
export const STATE_TEXTS: Readonly<Record<HypothesisState, VerdictText>> = {
  open: { word: "open", tone: "growing" },
  supported: { word: "supported", tone: "ok" },
  refuted: { word: "refuted", tone: "flat" },
};

/** `a, b and 4 more`; `all nodes` as written where that is shorter than naming them. */
function nodesText(
  { scope, nodeIds }: Pick<InvestigationListItem, "scope" | "nodeIds">,
  nameOf: (nodeId: number) => string | undefined,
): string {
  const names = nodeIds.map((nodeId) => isolatedText(nameOf(nodeId) ?? `#${nodeId}`));
  if (names.length === 0) return "no node";
  if (names.length <= MOST_NAMES) return names.join(", ");
  const said = `${names.slice(0, 3).join(", ")} and ${formatNumber(names.length - 3)} more`;
  return scope.nodes === undefined ? `${scopeText(scope)}: ${said}` : said;
}

const MOST_NAMES = 6;

/** `1 open, 2 supported`; empty without any. */
export function hypothesesText(counts: Readonly<Record<HypothesisState, number>>): string {
  const states = ["supported", "refuted", "open"] as const;
  return states
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${state}`)
    .join(", ");
}

/** An investigation as a line of the list. */
export interface InvestigationLine {
  readonly investigationId: number;
  readonly title: string;
  readonly status: VerdictText;
  readonly nodes: string;
  readonly hypotheses: string;
  readonly pins: string;
  /** Who changed it last, and when. */
  readonly changed: string;
}

/** Investigations as lines, in the order given. */
export function investigationLines(
  items: readonly InvestigationListItem[],
  nameOf: (nodeId: number) => string | undefined,
  view: View,
): InvestigationLine[] {
  return items.map((item) => ({
    investigationId: item.investigationId,
    title: isolatedText(item.title),
    status: STATUS_TEXTS[item.status],
    // One that came from a file concerns no node here.
    nodes: item.imported ? "imported, with the data that came with it" : nodesText(item, nameOf),
    hypotheses: hypothesesText(item.hypotheses),
    pins: item.pins === 0 ? "" : `${formatNumber(item.pins)} pinned`,
    changed: `${formatMoment(item.updatedAt, view.zone, view.nowMs)} by ${isolatedText(item.updatedBy)}`,
  }));
}

/** Where an investigation came from that was not opened here, in a sentence. */
export function importedText(
  { origin, readAt, importedBy, importedAt }: Imported,
  /** Names of the nodes that it is of. */
  nodes: readonly string[],
  { zone, nowMs }: View,
): string {
  const from = origin === null ? "a Plumbline that is not named" : isolatedText(origin);
  const shown = nodes.slice(0, MOST_NAMES).map(isolatedText).join(", ");
  const more = nodes.length > MOST_NAMES ? ` and ${formatNumber(nodes.length - MOST_NAMES)} more` : "";
  return (
    `Imported ${formatMoment(importedAt, zone, nowMs)} by ${isolatedText(importedBy)} from ${from}, ` +
    `where it was read ${formatMoment(readAt, zone, nowMs)}` +
    `${nodes.length === 0 ? "" : `, of nodes ${shown}${more}`}. Its views show the data that came with it.`
  );
}

/** What the head of an investigation says beside its title. */
export interface InvestigationFacts {
  readonly opened: string;
  readonly openedBy: string;
  readonly nodes: readonly { readonly nodeId: number; readonly name: string }[];
  readonly moreNodes: string;
  readonly window: string;
  readonly people: string;
}

/** Facts of the head; at most six nodes by name. */
export function investigationFacts(
  item: Pick<InvestigationListItem, "createdAt" | "createdBy" | "nodeIds" | "window" | "people">,
  nameOf: (nodeId: number) => string | undefined,
  { zone, nowMs }: View,
): InvestigationFacts {
  const { window, nodeIds } = item;
  return {
    opened: formatMoment(item.createdAt, zone, nowMs),
    openedBy: isolatedText(item.createdBy),
    nodes: nodeIds
      .slice(0, MOST_NAMES)
      .map((nodeId) => ({ nodeId, name: isolatedText(nameOf(nodeId) ?? `#${nodeId}`) })),
    moreNodes: nodeIds.length > MOST_NAMES ? `and ${formatNumber(nodeIds.length - MOST_NAMES)} more` : "",
    window:
      window.to === null
        ? `since ${formatMoment(window.from, zone, nowMs)}`
        : `${formatWindow(window.from, window.to, zone, nowMs)} ${zoneName(window.to, zone)}`,
    people: item.people.map(isolatedText).join(", "),
  };
}

/** What a line of the log is made of. */
export type ShownEntry = Pick<Entry, "entryId" | "at" | "kind" | "text" | "madeBy" | "createdBy">;

/** A line of the log. */
export interface LogLine {
  readonly entry: ShownEntry;
  readonly time: string;
  /** The day, where it begins with this line; newest first. */
  readonly day: string | undefined;
  readonly by: "people" | "program";
  /** Plain text; of a note Markdown, which is in the entry. */
  readonly text: string;
  readonly author: string;
  readonly isGrave: boolean;
}

/** Which lines of a log are shown. */
export type LogFilter = "all" | "people" | "program";

/** The log as lines, newest first. */
export function logLines(
  entries: readonly ShownEntry[],
  filter: LogFilter,
  { zone }: Pick<View, "zone">,
): LogLine[] {
  const shown = entries
    .map((entry) => ({ entry, by: entry.madeBy === "machine" ? ("program" as const) : ("people" as const) }))
    .filter(({ by }) => filter === "all" || by === filter);
  return shown.map(({ entry, by }, index) => {
    const before = shown[index - 1];
    const begins = before === undefined || !sameDay(before.entry.at, entry.at, zone);
    return {
      entry,
      by,
      time: formatClock(entry.at, zone),
      day: begins ? `${formatDay(entry.at, zone)}, ${zoneName(entry.at, zone)}` : undefined,
      text: isolatedText(entry.text),
      author: isolatedText(entry.createdBy),
      isGrave: entry.kind === "reboot" || entry.kind === "returned",
    };
  });
}

const KIND_NAMES: Readonly<Record<PinKind, string>> = {
  chart: "Chart",
  table: "Table",
  effect: "Effect",
  scatter: "Growth and containers",
  comparison: "Comparison",
  dump: "Pasted dump",
};

/** What a figure says of the pin that it draws. */
export type ShownPin = Pick<Pin, "number" | "kind" | "caption" | "createdBy" | "address">;

/** The title of a pin: its caption, or what it is. */
export function pinTitle(pin: Pick<Pin, "kind" | "caption">): string {
  return pin.caption === "" ? KIND_NAMES[pin.kind] : isolatedText(pin.caption);
}

/** One change of the history, as it is read. */
export interface ChangeLine {
  readonly key: string;
  readonly when: string;
  readonly what: string;
  readonly fields: readonly {
    readonly name: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  }[];
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  windowFromMs: "window from",
  windowToMs: "window to",
  nodeIds: "nodes",
  atMs: "time",
};

/** The history of an investigation, newest first. Values that are no text are shown as JSON; moments as such. */
export function changeLines(history: InvestigationHistory, { zone, nowMs }: View): ChangeLine[] {
  const said = (name: string, value: unknown): string | undefined => {
    if (value === undefined || value === null || value === "") return undefined;
    if (name.endsWith("Ms") && typeof value === "number") return formatMoment(value, zone, nowMs);
    return isolatedText(typeof value === "string" ? value : JSON.stringify(value));
  };
  return history.revisions.map(({ at, by, subject, action, before, after }, index) => ({
    key: `${history.total - index} ${at}`,
    when: formatMoment(at, zone, nowMs),
    what: `${isolatedText(by)} ${action} ${subject === "investigation" ? "the investigation" : subject}`,
    fields: [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map((name) => ({
        name: FIELD_NAMES[name] ?? name,
        before: said(name, before[name]),
        after: said(name, after[name]),
      }))
      .filter((field) => field.before !== undefined || field.after !== undefined),
  }));
}
