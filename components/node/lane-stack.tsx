"use client";

import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { laneTable } from "#lib/charts/chart-tables.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { bootAt, laneAt, laneChanges, laneFinding, laneValue } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import type { NodePageData } from "#lib/charts/node-page.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import { ChartStack } from "../charts/chart-stack.tsx";
import { useEffectCard } from "../marks/use-effect-card.tsx";
import { Button } from "../ui/button.tsx";
import { ChartTables } from "./chart-tables.tsx";
import { resetWindow, zoomTo } from "./change-address.ts";
import { LaneRows } from "./lane-rows.tsx";
import { saveChart } from "./save-chart.ts";
import type { NodePageView } from "./use-node-page.ts";

/** Lanes without the lines that one above them has already. */
function withoutRepeats(lanes: readonly LaneModel[]): LaneModel[] {
  const seen = new Set<string>();
  return lanes.map((lane) => ({
    ...lane,
    series: lane.series.filter(({ key }) => {
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  }));
}

function Readout({
  lanes,
  reboots,
  view,
}: {
  readonly lanes: readonly LaneModel[];
  readonly reboots: MetricSeries["reboots"];
  readonly view: Pick<NodePageView<NodePageData>, "cursor" | "zone" | "nowMs">;
}) {
  const { cursor, zone, nowMs } = view;
  const atMs = useSyncExternalStore(cursor.subscribe, cursor.get, () => undefined);
  const newestMs = Math.max(...lanes.map((lane) => lane.timesMs.at(-1) ?? -Infinity));
  const when =
    atMs === undefined
      ? `last sample ${formatMoment(newestMs, zone, nowMs)}`
      : `at cursor ${formatMoment(atMs, zone, nowMs)}`;
  const boot = bootAt(reboots, atMs ?? newestMs);
  return (
    <table className="readout grid-table" data-part="readout">
      <thead>
        <tr>
          <th scope="col">
            {when}
            {boot === undefined ? null : (
              <span className="block">change since the reboot at {formatMoment(boot.at, zone, nowMs)}</span>
            )}
          </th>
          <th scope="col" className="num">
            change
          </th>
          <th scope="col" className="num">
            value
          </th>
        </tr>
      </thead>
      <tbody>
        {withoutRepeats(lanes).map((lane) => (
          <LaneRows
            key={lane.key}
            lane={lane}
            values={laneAt(lane, atMs)}
            changes={laneChanges(lane, reboots, atMs)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Charts of counters above each other on one time axis, with cursor, marks, readout, tables, CSV and PNG. */
export function LaneStack({
  view,
  series,
  lanes,
}: {
  readonly view: NodePageView<NodePageData>;
  /** Where samples are. */
  readonly series: MetricSeries;
  /** At least one. */
  readonly lanes: readonly LaneModel[];
}) {
  const { data, zone, nowMs, cursor, marks, node } = view;
  const frame = useRef<HTMLDivElement>(null);
  const [tableShown, setTableShown] = useState<string>();
  const describeAt = useCallback(
    (atMs: number) => {
      const parts = lanes.flatMap((lane) => {
        const values = laneAt(lane, atMs);
        return lane.series.map((each, index) => `${each.name} ${laneValue(lane, values?.[index])}`);
      });
      return `${formatMoment(atMs, zone, nowMs)}: ${parts.join(", ")}`;
    },
    [lanes, zone, nowMs],
  );
  const effectOf = useEffectCard(zone, nowMs);
  const entries = useMemo(
    () =>
      lanes.map((lane) => ({
        key: lane.key,
        title: lane.title.split(",")[0] ?? lane.title,
        table: () => laneTable(lane),
      })),
    [lanes],
  );
  const savePng = () => saveChart(frame.current, node.name, data.window, { zone, nowMs });
  return (
    <>
      <div
        className="grid gap-x-5 lg:grid-cols-[minmax(0,1fr)_292px]"
        aria-busy={view.busy}
        data-window={`${data.window.fromMs}-${data.window.toMs}`}
      >
        <ChartStack
          lanes={lanes}
          window={data.window}
          zone={zone}
          marks={marks}
          samples={series}
          cursor={cursor}
          finding={lanes.map((lane) => laneFinding(lane, series.reboots, zone)).join(" ")}
          describeAt={describeAt}
          onZoom={zoomTo}
          onReset={resetWindow}
          effectOf={effectOf}
          frameRef={frame}
        />
        <div className="min-w-0 pt-1">
          <Readout lanes={lanes} reboots={series.reboots} view={view} />
          <div className="pt-2">
            <Button onClick={() => void savePng()}>PNG</Button>
          </div>
        </div>
      </div>
      <ChartTables
        name={node.name}
        toMs={series.to}
        entries={entries}
        tableShown={tableShown}
        onTable={setTableShown}
      />
    </>
  );
}
