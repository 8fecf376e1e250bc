"use client";

import { memo } from "react";
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from "recharts";
import type { CompositionModel, CompositionRow } from "#lib/charts/composition-model.ts";
import type { TimeTick } from "#lib/charts/time-axis.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import type { PlotGeometry } from "./plot.ts";
import { frameProps, timeAxisProps, valueAxisProps } from "./axis-props.tsx";

interface CompositionAreaProps {
  readonly model: CompositionModel;
  readonly window: TimeWindow;
  readonly ticks: readonly TimeTick[];
  readonly plot: PlotGeometry;
  readonly heightPx: number;
}

const lineOf = (row: CompositionRow) => row.line;

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
    <ComposedChart {...frameProps(plot, heightPx)} data={model.rows}>
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
      <XAxis {...timeAxisProps(window, ticks)} />
      <YAxis {...valueAxisProps(axis, plot)} />
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
      {model.mode === "change" || model.mode === "kernel" ? (
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
