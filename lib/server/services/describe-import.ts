import type { HistoryImport, ImportCounts } from "#lib/contracts/history-import.ts";
import type { ImportRow } from "#lib/server/data/imports.ts";

/** What an import has counted before it begins. */
export const NO_COUNTS: ImportCounts = {
  nodes: 0,
  names: [],
  snapshots: 0,
  rolledUp: 0,
  duplicates: 0,
  ownCollector: 0,
  tooOld: 0,
  incomplete: {},
};

/** An import as the API shows it. Pure. */
export function describeImport(row: ImportRow): HistoryImport {
  const { importId, url, cluster, match, nodeLabel, stepSeconds, createdBy, runner, status, counts, error } =
    row;
  const fromMs = Math.round(row.fromMs);
  const toMs = Math.round(row.toMs);
  const cursorMs = Math.round(row.cursorMs);
  return {
    ...{ importId, url, cluster, match, nodeLabel, stepSeconds, createdBy, runner, status, error },
    counts: { ...NO_COUNTS, ...counts },
    from: fromMs,
    to: toMs,
    createdAt: Math.round(row.createdAtMs),
    statusAt: Math.round(row.statusAtMs),
    cursorAt: cursorMs,
    doneShare: Math.min(1, Math.max(0, (cursorMs - fromMs) / (toMs - fromMs))),
  };
}
