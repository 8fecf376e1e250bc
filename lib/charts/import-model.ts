import type { HistoryImport, ImportList, ImportStatus } from "#lib/contracts/history-import.ts";
import { importLosses } from "#lib/domain/analysis/import-losses.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { formatDuration, formatNumber, formatShare } from "./format.ts";
import { formatMoment, formatWindow } from "./format-time.ts";

/** An import as its list shows it: texts, where its nodes are, and what may be done with it. */
export interface ImportItem {
  readonly importId: number;
  readonly url: string;
  readonly standing: { readonly word: string; readonly tone: "busy" | "good" | "bad" | "still" };
  /** Whether it moves by itself. */
  readonly isLive: boolean;
  readonly window: string;
  readonly cluster: string;
  /** How the nodes were chosen and named, and who started it. */
  readonly about: readonly string[];
  /** 0 to 1. */
  readonly doneShare: number;
  readonly doneText: string;
  /** Undefined while nothing is. */
  readonly stored: string | undefined;
  readonly losses: readonly string[];
  readonly error: string | undefined;
  /** Those that are named, each with its page over the window of the import. */
  readonly nodes: readonly { readonly name: string; readonly href: string }[];
  /** Further ones, and the list of all nodes of the cluster. */
  readonly others: { readonly text: string; readonly href: string } | undefined;
  readonly mayCancel: boolean;
  readonly mayResume: boolean;
}

const STANDING: Readonly<Record<ImportStatus, ImportItem["standing"]>> = {
  queued: { word: "waiting", tone: "busy" },
  running: { word: "running", tone: "busy" },
  paused: { word: "stopped half-way", tone: "still" },
  done: { word: "done", tone: "good" },
  failed: { word: "failed", tone: "bad" },
  cancelled: { word: "cancelled", tone: "still" },
};

function storedText({ status, counts }: HistoryImport): string | undefined {
  const { nodes, snapshots, rolledUp, duplicates } = counts;
  if (nodes === 0) return status === "done" ? "Nothing was stored." : undefined;
  const parts = [
    formatCount(snapshots, "snapshot"),
    ...(rolledUp > 0 ? [`${formatNumber(rolledUp)} more in roll-ups`] : []),
    ...(duplicates > 0 ? [`${formatNumber(duplicates)} there already`] : []),
  ];
  return `${formatCount(nodes, "node")}: ${parts.join(", ")}`;
}

function aboutOf(found: HistoryImport): string[] {
  const { match, nodeLabel, stepSeconds, createdBy, runner } = found;
  return [
    ...match,
    ...(nodeLabel === null ? [] : [`nodes by ${nodeLabel}`]),
    stepSeconds === null ? "every sample" : `a sample each ${formatDuration(stepSeconds * 1000)}`,
    runner === "worker" ? `started by ${createdBy}` : "run by the command line",
  ];
}

function doneText({ status, from, cursorAt, doneShare }: HistoryImport, nowMs: number): string {
  if (cursorAt <= from) return status === "running" ? "asking which nodes there are" : "nothing stored yet";
  const share = formatShare(Math.floor(doneShare * 100) / 100, 0);
  return doneShare === 1 ? "all of the window" : `${share}, up to ${formatMoment(cursorAt, "UTC", nowMs)}`;
}

/** Prepares an import for its list. `nodes` are those that the list names. */
export function importItem(found: HistoryImport, nodes: ImportList["nodes"], nowMs: number): ImportItem {
  const { importId, url, cluster, from, to, status, doneShare, counts } = found;
  const window = new URLSearchParams({ from: String(from), to: String(to) }).toString();
  const names = new Set(counts.names);
  const named = nodes.filter((node) => node.cluster === cluster && names.has(node.name));
  const more = counts.nodes - named.length;
  const ofCluster = new URLSearchParams({ attribute: "cluster", value: cluster }).toString();
  return {
    importId,
    url,
    standing: STANDING[status],
    isLive: status === "queued" || status === "running",
    window: `${formatWindow(from, to, "UTC", nowMs)} UTC`,
    cluster,
    about: aboutOf(found),
    doneShare,
    doneText: doneText(found, nowMs),
    stored: storedText(found),
    losses: importLosses(counts),
    error: found.error ?? undefined,
    nodes: named.map(({ nodeId, name }) => ({ name, href: `/nodes/${nodeId}?${window}` })),
    others:
      more > 0
        ? { text: `and ${formatNumber(more)} more: all of ${cluster}`, href: `/?${ofCluster}` }
        : undefined,
    mayCancel: status === "queued" || status === "running",
    mayResume: status === "paused" || status === "failed" || status === "cancelled",
  };
}
