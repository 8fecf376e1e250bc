import type { HistoryImport } from "#lib/contracts/history-import.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";

const iso = (timeMs: number) => new Date(timeMs).toISOString().replace(/:\d\d\.\d{3}Z$/, "Z");
const count = (value: number) => value.toLocaleString("en");

/** How far an import has come, in one line. */
export function formatImportProgress({ cursorAt, doneShare, counts }: HistoryImport): string {
  const parts = [
    formatCount(counts.nodes, "node"),
    formatCount(counts.snapshots, "snapshot"),
    `${count(counts.rolledUp)} rolled up`,
    `${count(counts.duplicates)} there already`,
  ];
  return `${String(Math.floor(doneShare * 100)).padStart(3)} %  up to ${iso(cursorAt)}  ${parts.join(", ")}`;
}
