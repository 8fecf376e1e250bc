"use client";

import { useSyncExternalStore } from "react";
import { readoutAt } from "#lib/charts/composition-model.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { laneAt } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { DASH } from "#lib/charts/format.ts";
import { sampleIndexAt } from "#lib/charts/segments.ts";
import type { CompositionMode, CompositionSeries } from "#lib/contracts/series.ts";
import type { CursorStore } from "../charts/cursor-store.ts";
import { Swatch } from "../charts/swatch.tsx";
import { LaneRows } from "./lane-rows.tsx";

/** Legend, cursor values and table of one sample in one. The only part of a page that follows the cursor. */
export function ReadoutTable({
  series,
  mode,
  lanes,
  cursor,
  zone,
  nowMs,
}: {
  readonly series: CompositionSeries;
  readonly mode: CompositionMode;
  readonly lanes: readonly LaneModel[];
  readonly cursor: CursorStore;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const atMs = useSyncExternalStore(cursor.subscribe, cursor.get, () => undefined);
  const last = series.totalKib.findLastIndex((value) => value != null);
  const index = atMs === undefined ? last : sampleIndexAt(series, atMs);
  const found = index === undefined || index < 0 ? undefined : readoutAt(series, index, mode);
  // Where nothing was measured the rows stay, as the legend that they are too.
  const readout = found ?? (last < 0 ? undefined : readoutAt(series, last, mode));
  if (!readout) return <p className="pt-4 text-sm text-ink-2">No sample in this window.</p>;
  const when =
    atMs === undefined
      ? `last sample ${formatMoment(readout.atMs, zone, nowMs)}`
      : `at cursor ${formatMoment(found?.atMs ?? atMs, zone, nowMs)}`;
  const only = (text: string) => (found ? text : DASH);
  return (
    <table className="readout grid-table" data-part="readout">
      <thead>
        <tr>
          <th scope="col" className="whitespace-nowrap">
            {when}
          </th>
          {found ? (
            <>
              <th scope="col" className="num">
                change, {readout.changeUnit}
              </th>
              <th scope="col" className="num">
                {readout.unit}
              </th>
            </>
          ) : (
            <th scope="col" className="num" colSpan={2}>
              no sample here
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {readout.rows.map((row) => (
          <tr key={row.key} className={row.quiet ? "text-ink-2" : ""}>
            <th scope="row">
              <Swatch band={row.key} />
              {row.label}
            </th>
            {row.reported || !found ? (
              <>
                <td className="num">{only(row.change)}</td>
                <td className="num">{only(row.value)}</td>
              </>
            ) : (
              <td className="num text-ink-2" colSpan={2}>
                not reported
              </td>
            )}
          </tr>
        ))}
        <tr className="readout-total font-semibold">
          <th scope="row">MemTotal</th>
          <td className="num">{only(readout.total.change)}</td>
          <td className="num">{only(readout.total.value)}</td>
        </tr>
        <tr>
          <th scope="row">non-cache kernel</th>
          <td className="num">{only(readout.noncache.change)}</td>
          <td className="num">{only(readout.noncache.value)}</td>
        </tr>
        <tr>
          <th scope="row">unreclaimable kernel</th>
          <td className="num">{only(readout.unreclaimable.change)}</td>
          <td className="num">{only(readout.unreclaimable.value)}</td>
        </tr>
        {lanes
          .filter((lane) => lane.key !== "kernel")
          .map((lane) => {
            const values = found || lane.kind === "bars" ? laneAt(lane, atMs) : undefined;
            return <LaneRows key={lane.key} lane={lane} values={values} />;
          })}
      </tbody>
    </table>
  );
}
