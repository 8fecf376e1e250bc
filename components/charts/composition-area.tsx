"use client";

import { memo } from "react";
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from "recharts";
import type { CompositionModel, CompositionRow } from "#lib/charts/composition-model.ts";
import type { TimeTick } from "#lib/charts/time-axis.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import type { PlotGeometry } from "./plot.ts";
import { AxisLabel } from "./axis-label.tsx";

interface CompositionAreaProps {
  readonly model: CompositionModel;
  readonly window: TimeWindow;
  readonly ticks: readonly TimeTick[];
  readonly plot: PlotGeometry;
  readonly heightPx: number;
}

const timeOf = (row: CompositionRow) => row.timeMs;
const lineOf = (row: CompositionRow) => row.noncache;

/**
 * The stack. Draws again only when its model, its window or its size is another; cursor, marks and selection lie on
 * the overlay above.
 */
export const CompositionArea = memo(function CompositionArea({
  model,
  window,
  ticks,
  plot,
  heightPx,
}: CompositionAreaProps) {
  const { axis } = model;
  return (
    <ComposedChart
      width={plot.widthPx}
      height={heightPx}
      data={model.rows}
      margin={{ top: 0, bottom: 0, left: 0, right: plot.widthPx - plot.rightPx }}
      accessibilityLayer={false}
      style={{ overflow: "visible" }}
    >
      <defs>
        <pattern
          id="band-unacc-hatch"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" fill="var(--surface)" />
          <rect width="2.2" height="5" fill="var(--band-unacc)" />
        </pattern>
      </defs>
      <XAxis
        type="number"
        dataKey={timeOf}
        domain={[window.fromMs, window.toMs]}
        ticks={ticks.map((tick) => tick.atMs)}
        allowDataOverflow
        height={0}
        tick={false}
        axisLine={false}
        tickLine={false}
      />
      <YAxis
        type="number"
        domain={[axis.low, axis.high]}
        ticks={[...axis.ticks]}
        interval={0}
        allowDataOverflow
        width={plot.leftPx}
        axisLine={false}
        tickLine={false}
        tick={<AxisLabel axis={axis} />}
      />
      <CartesianGrid vertical={false} stroke="var(--line)" />
      {model.layers.map((layer, position) =>
        layer.visible ? (
          <Area
            key={`${layer.key}${layer.below ? "-below" : ""}`}
            type="linear"
            dataKey={(row: CompositionRow) => row.extents[position] ?? null}
            fill={layer.key === "unacc" ? "url(#band-unacc-hatch)" : `var(--band-${layer.key})`}
            fillOpacity={1}
            stroke="var(--surface)"
            strokeWidth={1}
            connectNulls={false}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        ) : null,
      )}
      {axis.low < 0 ? <ReferenceLine y={0} stroke="var(--ink-3)" /> : null}
      {model.mode === "gib" && model.totalKib !== undefined ? (
        <ReferenceLine y={model.totalKib} stroke="var(--ink-2)" />
      ) : null}
      {model.mode === "change" ? (
        <Line
          type="linear"
          dataKey={lineOf}
          stroke="var(--surface)"
          strokeWidth={4}
          dot={false}
          activeDot={false}
          connectNulls={false}
          isAnimationActive={false}
        />
      ) : null}
      <Line
        type="linear"
        dataKey={lineOf}
        stroke="var(--ink)"
        strokeWidth={1.5}
        dot={false}
        activeDot={false}
        connectNulls={false}
        isAnimationActive={false}
      />
    </ComposedChart>
  );
});
