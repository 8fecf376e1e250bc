import { compositionTable, laneTable, slabTable } from "#lib/charts/chart-tables.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import type { CompositionSeries, SlabSeries } from "#lib/contracts/series.ts";
import { ChartTables } from "./chart-tables.tsx";
import type { ChartEntry } from "./chart-tables.tsx";

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
  const entries: ChartEntry[] = [
    { key: "composition", title: "composition", table: () => compositionTable(composition) },
    ...lanes.map((lane) => ({
      key: lane.key,
      title: (lane.title.split(",")[0] ?? lane.title).toLowerCase(),
      table: () => laneTable(lane),
    })),
    ...(slab ? [{ key: "slab", title: "slab caches", table: () => slabTable(slab) }] : []),
  ];
  return (
    <ChartTables
      name={name}
      toMs={composition.to}
      entries={entries}
      tableShown={tableShown}
      onTable={onTable}
    />
  );
}
