"use client";

import { memo } from "react";
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, Scatter, XAxis, YAxis } from "recharts";
import type { BandRow, CorrelationModel, ScatterPoint } from "#lib/charts/correlation-model.ts";
import { AxisLabel } from "./axis-label.tsx";
import { frameProps, valueAxisProps } from "./axis-props.tsx";
import { plotGeometry } from "./plot.ts";

const HEIGHT_PX = 260;
const LABELS_PX = 22;
const bandOf = (row: Partial<BandRow>) => row.band;
const slopeOf = (row: Partial<BandRow>) => row.slopePerHour;
const rateOf = (row: Pick<ScatterPoint, "containersPerHour">) => row.containersPerHour;

function Dot({
  cx,
  cy,
  payload,
}: {
  readonly cx?: number;
  readonly cy?: number;
  readonly payload?: ScatterPoint;
}) {
  if (cx === undefined || cy === undefined) return null;
  return (
    <circle cx={cx} cy={cy} r="3.5" fill="var(--ink)" fillOpacity="0.62" stroke="var(--surface)">
      <title>{payload?.label}</title>
    </circle>
  );
}

/** Growth against the rate of container creation, window by window, with the line of the regression and its 95 % band. */
export const GrowthScatter = memo(function GrowthScatter({
  model,
  widthPx,
}: {
  readonly model: CorrelationModel;
  readonly widthPx: number;
}) {
  const plot = plotGeometry(widthPx);
  const { rateAxis, growthAxis } = model;
  return (
    <ComposedChart {...frameProps(plot, HEIGHT_PX)} data={[...model.line]}>
      <XAxis
        type="number"
        dataKey={rateOf}
        domain={[rateAxis.low, rateAxis.high]}
        ticks={[...rateAxis.ticks]}
        interval={0}
        allowDataOverflow
        height={LABELS_PX}
        axisLine={false}
        tickLine={false}
        tick={<RateLabel labels={rateAxis.labels} ticks={rateAxis.ticks} />}
      />
      <YAxis {...valueAxisProps(growthAxis, plot)} tick={<AxisLabel axis={growthAxis} />} />
      <CartesianGrid stroke="var(--line)" />
      <ReferenceLine y={0} stroke="var(--ink-3)" />
      <Area
        type="linear"
        dataKey={bandOf}
        fill="var(--accent)"
        fillOpacity={0.16}
        stroke="none"
        dot={false}
        activeDot={false}
        isAnimationActive={false}
      />
      <Line
        type="linear"
        dataKey={slopeOf}
        stroke="var(--accent)"
        strokeWidth={2}
        dot={false}
        activeDot={false}
        isAnimationActive={false}
      />
      <Scatter data={[...model.points]} dataKey={slopeOf} shape={<Dot />} isAnimationActive={false} />
    </ComposedChart>
  );
});

/** Label below the rate axis; Recharts gives the place. */
function RateLabel({
  labels,
  ticks,
  x,
  y,
  payload,
}: {
  readonly labels: readonly string[];
  readonly ticks: readonly number[];
  readonly x?: number;
  readonly y?: number;
  readonly payload?: { readonly value: number };
}) {
  const index = payload ? ticks.indexOf(payload.value) : -1;
  if (x === undefined || y === undefined || index < 0) return null;
  const anchor = index === 0 ? "start" : index === ticks.length - 1 ? "end" : "middle";
  return (
    <text x={x} y={y + 10} textAnchor={anchor} fontSize={11} fill="var(--ink-2)">
      {labels[index]}
    </text>
  );
}
