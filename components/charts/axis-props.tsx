import type { TimeTick } from "#lib/charts/time-axis.ts";
import type { ValueAxis } from "#lib/charts/value-axis.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { AxisLabel } from "./axis-label.tsx";
import type { PlotGeometry } from "./plot.ts";

const timeOf = (row: { readonly timeMs: number }) => row.timeMs;

/** What every chart of a stack tells Recharts of its frame, so that all agree to the pixel. */
export function frameProps(plot: PlotGeometry, heightPx: number) {
  return {
    width: plot.widthPx,
    height: heightPx,
    margin: { top: 0, bottom: 0, left: 0, right: plot.widthPx - plot.rightPx },
    accessibilityLayer: false,
    style: { overflow: "visible" },
  };
}

/** The time axis: lines only, its labels are drawn once for the whole stack. */
export function timeAxisProps(window: TimeWindow, ticks: readonly TimeTick[]) {
  return {
    type: "number" as const,
    dataKey: timeOf,
    domain: [window.fromMs, window.toMs],
    ticks: ticks.map((tick) => tick.atMs),
    allowDataOverflow: true,
    height: 0,
    tick: false,
    axisLine: false,
    tickLine: false,
  };
}

/** The value axis, labelled by its model. */
export function valueAxisProps(axis: ValueAxis, plot: PlotGeometry) {
  return {
    type: "number" as const,
    domain: [axis.low, axis.high],
    ticks: [...axis.ticks],
    interval: 0 as const,
    allowDataOverflow: true,
    width: plot.leftPx,
    axisLine: false,
    tickLine: false,
    tick: <AxisLabel axis={axis} />,
  };
}
