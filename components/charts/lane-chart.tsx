"use client";

import { memo } from "react";
import { Bar, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from "recharts";
import type { LaneModel, LaneRow } from "#lib/charts/lane-model.ts";
import type { TimeTick } from "#lib/charts/time-axis.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { frameProps, timeAxisProps, valueAxisProps } from "./axis-props.tsx";
import { LINE_SIGNS } from "./line-signs.ts";
import type { PlotGeometry } from "./plot.ts";

interface LaneChartProps {
  readonly lane: LaneModel;
  readonly window: TimeWindow;
  readonly ticks: readonly TimeTick[];
  readonly plot: PlotGeometry;
  readonly heightPx: number;
}

function BarShape({
  x = 0,
  y = 0,
  width = 0,
  height = 0,
  barPx,
}: {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly barPx: number;
}) {
  const shown = Math.max(1, height);
  return (
    <rect
      x={x + width / 2 - barPx / 2}
      y={y + height - shown}
      width={barPx}
      height={shown}
      fill="var(--ink-3)"
    />
  );
}

/** One lane below the composition, on the same time axis to the pixel. */
export const LaneChart = memo(function LaneChart({ lane, window, ticks, plot, heightPx }: LaneChartProps) {
  const perMs = (plot.rightPx - plot.leftPx) / (window.toMs - window.fromMs);
  const barPx = Math.max(1, lane.barMs * perMs - 1);
  return (
    <ComposedChart {...frameProps(plot, heightPx)} data={lane.rows}>
      <XAxis {...timeAxisProps(window, ticks)} />
      <YAxis {...valueAxisProps(lane.axis, plot)} />
      <CartesianGrid vertical={false} stroke="var(--line)" />
      {lane.axis.low === 0 ? <ReferenceLine y={0} stroke="var(--ink-3)" /> : null}
      {lane.limit ? <ReferenceLine y={lane.limit.value} stroke="var(--leaking)" /> : null}
      {lane.series.map((series, position) =>
        lane.kind === "bars" ? (
          <Bar
            key={series.key}
            dataKey={(row: LaneRow) => row.values[position] ?? null}
            isAnimationActive={false}
            shape={<BarShape barPx={barPx} />}
          />
        ) : (
          <Line
            key={series.key}
            type="linear"
            dataKey={(row: LaneRow) => row.values[position] ?? null}
            stroke={LINE_SIGNS[series.tone].stroke}
            strokeDasharray={LINE_SIGNS[series.tone].dash}
            strokeWidth={1.5}
            dot={false}
            activeDot={false}
            connectNulls={false}
            isAnimationActive={false}
          />
        ),
      )}
    </ComposedChart>
  );
});
