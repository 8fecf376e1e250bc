"use client";

import { useState } from "react";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatIso } from "#lib/charts/format-time.ts";
import { ChartTable } from "../charts/chart-table.tsx";
import { downloadCsv, fileName } from "../ui/download.ts";

/** A chart that can be read as numbers. */
export interface ChartEntry {
  readonly key: string;
  readonly title: string;
  readonly table: () => PlainTable;
}

/** Charts as tables and as CSV. */
export function ChartTables({
  name,
  toMs,
  entries,
  tableShown,
  onTable,
}: {
  readonly name: string;
  /** End of the window, for the names of files. */
  readonly toMs: number;
  readonly entries: readonly ChartEntry[];
  /** Key of the chart whose table is open. */
  readonly tableShown: string | undefined;
  readonly onTable: (key: string | undefined) => void;
}) {
  const [saved, setSaved] = useState("");
  const shown = entries.find((entry) => entry.key === tableShown);
  const save = (entry: ChartEntry) => {
    const file = fileName(name, entry.key, formatIso(toMs).replaceAll(":", ""));
    downloadCsv(file, entry.table());
    setSaved(`${file}.csv`);
  };
  return (
    <div className="mt-2">
      <div className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
        <span>As numbers:</span>
        {entries.map((entry) => (
          <span key={entry.key} className="whitespace-nowrap">
            {entry.title}{" "}
            <button
              type="button"
              aria-expanded={entry.key === tableShown}
              aria-label={`${entry.title} as a table`}
              className="px-0.5 text-accent-ink hover:underline"
              onClick={() => onTable(entry.key === tableShown ? undefined : entry.key)}
            >
              Table
            </button>{" "}
            <button
              type="button"
              aria-label={`${entry.title} as CSV`}
              className="px-0.5 text-accent-ink hover:underline"
              onClick={() => save(entry)}
            >
              CSV
            </button>
          </span>
        ))}
        <span role="status" className="sr-only">
          {saved ? `${saved} was handed to the browser.` : ""}
        </span>
      </div>
      {shown ? <ChartTable table={shown.table()} label={`${shown.title} as a table`} /> : null}
    </div>
  );
}
