import type { ChangePoint } from "#lib/contracts/change-point.ts";
import type { Forecast } from "#lib/contracts/forecast.ts";
import { timeToPx } from "#lib/charts/time-axis.ts";
import type { TimeScale } from "#lib/charts/time-axis.ts";
import type { ValueAxis } from "#lib/charts/value-axis.ts";
import type { PlotGeometry } from "./plot.ts";
import type { Panel } from "./stack-layout.ts";

/** What analysis found in the lane of kernel memory. */
export interface FoundGrowth {
  /** The trend of the window: one line a boot. */
  readonly lines: readonly Forecast["lines"][number][];
  readonly changes: readonly Pick<ChangePoint, "at" | "ci95">[];
}

/** Trend lines with their bands, and change points with their intervals, on the lane of kernel memory. */
export function GrowthOverlay({
  found,
  axis,
  panel,
  plot,
  scale,
}: {
  readonly found: FoundGrowth;
  readonly axis: ValueAxis;
  readonly panel: Panel;
  readonly plot: PlotGeometry;
  readonly scale: TimeScale;
}) {
  const yOf = (value: number) =>
    panel.topPx + panel.heightPx * (1 - (value - axis.low) / (axis.high - axis.low));
  const path = (timesMs: readonly number[], values: readonly number[]) =>
    timesMs.map((timeMs, i) => `${timeToPx(scale, timeMs).toFixed(1)} ${yOf(values[i] ?? 0).toFixed(1)}`);
  const bottom = panel.topPx + panel.heightPx;
  return (
    <g data-part="growth">
      <clipPath id="growth-lane">
        <rect x={plot.leftPx} width={plot.rightPx - plot.leftPx} y={panel.topPx} height={panel.heightPx} />
      </clipPath>
      <g clipPath="url(#growth-lane)">
        {found.lines.map((line) => (
          <g key={line.bootId}>
            <path
              d={`M${path(line.timesMs, line.high).join("L")}L${path(line.timesMs, line.low).toReversed().join("L")}Z`}
              fill="var(--accent)"
              fillOpacity={0.14}
            />
            <path
              d={`M${path(line.timesMs, line.values).join("L")}`}
              fill="none"
              stroke="var(--accent)"
              strokeWidth={1}
            />
          </g>
        ))}
        {found.changes.map(({ at, ci95 }) => (
          <g key={at} fill="var(--accent)">
            <rect
              x={timeToPx(scale, ci95[0])}
              width={Math.max(2, timeToPx(scale, ci95[1]) - timeToPx(scale, ci95[0]))}
              y={bottom - 5}
              height={5}
              fillOpacity={0.42}
            />
            <rect x={timeToPx(scale, at) - 3.5} width={7} y={bottom - 7} height={7} />
          </g>
        ))}
      </g>
    </g>
  );
}
