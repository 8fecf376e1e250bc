import type { PlainTable } from "#lib/contracts/csv.ts";
import { compositionTable, laneTable } from "./chart-tables.ts";
import { correlationTable } from "./correlation-model.ts";
import { effectRows, marksOf } from "./marks-model.ts";
import type { PinReading } from "./pin-reading.ts";
import { slabLanes } from "./slab-model.ts";

/** What a pinned view shows as a table, for those who read numbers; undefined where it is a text or has a table of its own. */
export function pinTable(reading: PinReading): PlainTable | undefined {
  switch (reading.kind) {
    case "composition":
      return compositionTable(reading.composition);
    case "caches":
      return joined(slabLanes(reading.series, reading.caches).map(laneTable));
    case "effects":
      return effectsTable(reading);
    case "scatter":
      return correlationTable(reading.correlation);
    case "table":
      return reading.table;
    default:
      return undefined;
  }
}

/** Tables over the same times, side by side. */
function joined(tables: readonly PlainTable[]): PlainTable | undefined {
  const [first, ...others] = tables;
  return (
    first && {
      columns: [...first.columns, ...others.flatMap(({ columns }) => columns.slice(1))],
      rows: first.rows.map((row, at) => [...row, ...others.flatMap(({ rows }) => rows[at]?.slice(1) ?? [])]),
    }
  );
}

function effectsTable({ node, effects }: Extract<PinReading, { kind: "effects" }>): PlainTable {
  const marks = marksOf(node.annotations, effects, node.window);
  return {
    columns: [
      "when",
      "mark",
      "before (MiB/h)",
      "before, 95 %",
      "after (MiB/h)",
      "after, 95 %",
      "change of slope (MiB/h)",
      "change of level (MiB)",
      "verdict",
    ],
    rows: effectRows(marks, { zone: node.zone, nowMs: node.readAtMs }).map((row) => [
      row.when,
      row.mark.title,
      row.before?.value ?? null,
      row.before?.interval ?? null,
      row.after?.value ?? null,
      row.after?.interval ?? null,
      row.slopeChange?.value ?? null,
      row.levelChange?.value ?? null,
      row.mark.verdict?.word ?? null,
    ]),
  };
}
