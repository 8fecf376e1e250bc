"use client";

import { useMemo, useState } from "react";
import { pinTable } from "#lib/charts/pin-table.ts";
import type { PinReading } from "#lib/charts/pin-reading.ts";
import { ChartTable } from "../charts/chart-table.tsx";
import { CsvButton } from "../node/numbers-table.tsx";
import { fileName } from "../ui/download.ts";

/** The numbers of a pinned view: as a table where it is a drawing, and as CSV. */
export function PinNumbers({ reading, number }: { readonly reading: PinReading; readonly number: number }) {
  const table = useMemo(() => pinTable(reading), [reading]);
  const [isShown, setShown] = useState(false);
  if (table === undefined || table.rows.length === 0) return null;
  const drawn = reading.kind === "composition" || reading.kind === "caches" || reading.kind === "scatter";
  const name = "node" in reading ? reading.node.name : "";
  return (
    <div className="text-sm print:hidden">
      <p className="flex gap-3">
        {drawn ? (
          <button
            type="button"
            aria-expanded={isShown}
            className="min-h-6 text-accent-ink hover:underline"
            onClick={() => setShown(!isShown)}
          >
            {isShown ? "Hide the table" : "Table"}
            <span className="sr-only"> of pin {number}</span>
          </button>
        ) : null}
        <CsvButton
          table={() => table}
          file={fileName(`pin-${number}`, name, reading.kind)}
          label={`pin ${number} as CSV`}
        />
      </p>
      {drawn && isShown ? <ChartTable table={table} label={`Numbers of pin ${number}`} /> : null}
    </div>
  );
}
