"use client";

import { useState } from "react";
import { compositionTable, laneTable, slabTable } from "#lib/charts/chart-tables.ts";
import { toCsv } from "#lib/contracts/csv.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatIso } from "#lib/charts/format-time.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import type { CompositionSeries, SlabSeries } from "#lib/contracts/series.ts";
import { ChartTable } from "../charts/chart-table.tsx";
import { download, fileName } from "../ui/download.ts";

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly table: () => PlainTable;
}

/** Every chart of the page as a table and as CSV. */
export function ChartData({
  name,
  composition,
  lanes,
  slab,
  tableShown,
  onTable,
}: {
  readonly name: string;
  readonly composition: CompositionSeries;
  readonly lanes: readonly LaneModel[];
  readonly slab: SlabSeries | undefined;
  /** Key of the chart whose table is open. */
  readonly tableShown: string | undefined;
  readonly onTable: (key: string | undefined) => void;
}) {
  const entries: Entry[] = [
    { key: "composition", title: "composition", table: () => compositionTable(composition) },
    ...lanes.map((lane) => ({
      key: lane.key,
      title: (lane.title.split(",")[0] ?? lane.title).toLowerCase(),
      table: () => laneTable(lane),
    })),
    ...(slab ? [{ key: "slab", title: "slab caches", table: () => slabTable(slab) }] : []),
  ];
  const [saved, setSaved] = useState("");
  const shown = entries.find((entry) => entry.key === tableShown);
  const save = (entry: Entry) => {
    const file = `${fileName(name, entry.key, formatIso(composition.to).replaceAll(":", ""))}.csv`;
    download(file, new Blob([toCsv(entry.table())], { type: "text/csv;charset=utf-8" }));
    setSaved(file);
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
