import type { HistoryImport } from "#lib/contracts/history-import.ts";

const iso = (timeMs: number) => new Date(timeMs).toISOString().replace(/:\d\d\.\d{3}Z$/, "Z");
const count = (value: number) => value.toLocaleString("en");

/** How far an import has come, in one line. */
export function formatImportProgress({ cursorAt, doneShare, counts }: HistoryImport): string {
  const parts = [
    `${counts.nodes} ${counts.nodes === 1 ? "node" : "nodes"}`,
    `${count(counts.snapshots)} snapshots`,
    `${count(counts.rolledUp)} rolled up`,
    `${count(counts.duplicates)} there already`,
  ];
  return `${String(Math.floor(doneShare * 100)).padStart(3)} %  up to ${iso(cursorAt)}  ${parts.join(", ")}`;
}

/** What an import left out, a line each; empty when nothing. */
export function formatImportLosses({ counts }: HistoryImport): string[] {
  const lines: string[] = [];
  if (counts.ownCollector > 0) {
    lines.push(
      `${count(counts.ownCollector)} moments left out: the node's own collector reports from then on.`,
    );
  }
  if (counts.tooOld > 0) {
    lines.push(
      `${count(counts.tooOld)} moments are older than anything that is kept (PLUMBLINE_RETENTION_1H_DAYS).`,
    );
  }
  for (const [series, moments] of Object.entries(counts.incomplete)) {
    lines.push(`${count(moments)} moments have no ${series}, without which there is no snapshot.`);
  }
  return lines;
}
