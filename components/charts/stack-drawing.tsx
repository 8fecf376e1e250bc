"use client";

import { memo } from "react";
import { mergeSpans } from "#lib/charts/annotation-layout.ts";
import { compositionChips } from "#lib/charts/composition-model.ts";
import type { CompositionModel } from "#lib/charts/composition-model.ts";
import { formatDuration, formatKib } from "#lib/charts/format.ts";
import { formatClock } from "#lib/charts/format-time.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { flagText } from "#lib/charts/marks-model.ts";
import type { Mark, SlopeLabel } from "#lib/charts/marks-model.ts";
import { nearestIndex } from "#lib/charts/segments.ts";
import type { Gap } from "#lib/charts/segments.ts";
import { pxToTime, timeToPx } from "#lib/charts/time-axis.ts";
import type { TimeScale, TimeTick } from "#lib/charts/time-axis.ts";
import type { VerdictTone } from "#lib/charts/verdict.ts";
import { GrowthOverlay } from "./growth-overlay.tsx";
import type { FoundGrowth } from "./growth-overlay.tsx";
import { LINE_SIGNS } from "./line-signs.ts";
import type { PlotGeometry } from "./plot.ts";
import { poleX } from "./stack-layout.ts";
import type { Panel, PlacedFlag, StackLayout } from "./stack-layout.ts";

/** What the overlay draws over and around the charts; nothing here follows the cursor. */
export interface StackDrawingProps {
  readonly composition: CompositionModel | undefined;
  readonly lanes: readonly LaneModel[];
  readonly layout: StackLayout;
  readonly plot: PlotGeometry;
  readonly scale: TimeScale;
  readonly ticks: readonly TimeTick[];
  readonly marks: readonly Mark[];
  readonly gaps: readonly Gap[];
  readonly reboots: readonly { readonly at: number }[];
  readonly slopes: readonly SlopeLabel[];
  readonly found: FoundGrowth;
  readonly zone: string;
}

const INK: Readonly<Record<VerdictTone, string>> = {
  leaking: "var(--leaking-ink)",
  growing: "var(--growing-ink)",
  flat: "var(--ink-2)",
  shrinking: "var(--shrinking-ink)",
  unknown: "var(--unknown-ink)",
  ok: "var(--ok-ink)",
};

const CHAR_PX = 6;

function Chip({
  x,
  y,
  text,
  bold = false,
}: {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly bold?: boolean;
}) {
  const width = Math.ceil(text.length * (bold ? CHAR_PX + 0.3 : CHAR_PX - 0.1)) + 10;
  return (
    <g>
      <rect
        x={x - width / 2}
        y={y - 8}
        width={width}
        height={16}
        rx={2}
        fill="var(--surface)"
        fillOpacity={0.94}
      />
      <text x={x} y={y + 4} textAnchor="middle" fontSize={11} fontWeight={bold ? 600 : 400} fill="var(--ink)">
        {text}
      </text>
    </g>
  );
}

function Flag({ flag, zone }: { readonly flag: PlacedFlag; readonly zone: string }) {
  const text = flagText(flag.mark, zone);
  const tone = flag.mark.verdict?.tone ?? "flat";
  return (
    <g>
      <rect
        x={Math.round(flag.leftPx) + 0.5}
        y={flag.topPx + 0.5}
        width={Math.round(flag.rightPx - flag.leftPx)}
        height={flag.heightPx}
        rx={2}
        fill="var(--surface)"
        stroke={flag.mark.byMachine ? "var(--line-3)" : "var(--ink)"}
      />
      <text x={Math.round(flag.leftPx) + 7} y={flag.topPx + 13} fontSize={11} fill="var(--ink)">
        <tspan fill="var(--ink-2)">{text.when} </tspan>
        {text.title}{" "}
        <tspan fill={INK[tone]} fontWeight={tone === "ok" || tone === "leaking" ? 600 : 400}>
          {text.verdict}
        </tspan>
      </text>
    </g>
  );
}

/** Above the line of a limit, where what comes near it does not run through the words; below it where there is no room. */
function limitLabelY(limit: number, { axis }: LaneModel, panel: Panel): number {
  const fromTopPx = panel.heightPx * (1 - (limit - axis.low) / (axis.high - axis.low));
  return panel.topPx + (fromTopPx >= 13 ? fromTopPx - 4 : fromTopPx + 12);
}

function slopeChips(props: StackDrawingProps): { x: number; y: number; text: string }[] {
  const index = props.lanes.findIndex((lane) => lane.key === "kernel");
  const lane = props.lanes[index];
  const panel = props.layout.lanes[index];
  if (!lane || !panel || props.plot.narrow) return [];
  // A slope is written over the samples that it was measured on, not over the whole window.
  const [firstMs, lastMs] = [lane.timesMs[0] ?? Infinity, lane.timesMs.at(-1) ?? -Infinity];
  let takenTo = -Infinity;
  return props.slopes.flatMap((slope) => {
    const from = timeToPx(props.scale, Math.max(slope.fromMs, firstMs, props.scale.fromMs));
    const to = timeToPx(props.scale, Math.min(slope.toMs, lastMs, props.scale.toMs));
    const width = slope.text.length * (CHAR_PX + 0.3) + 14;
    const x = Math.max((from + to) / 2, takenTo + width / 2 + 4);
    if (to - from < width || x + width / 2 > to) return [];
    const near = nearestIndex(lane.timesMs, pxToTime(props.scale, x));
    const value = near === undefined ? undefined : lane.series[0]?.values[near];
    if (value == null) return [];
    const part = (value - lane.axis.low) / (lane.axis.high - lane.axis.low);
    takenTo = x + width / 2;
    const y = part > 0.5 ? panel.topPx + panel.heightPx - 12 : panel.topPx + 10;
    return [{ x, y, text: slope.text }];
  });
}

/** Panels, top to bottom, that lines of marks run through. */
function panelsOf(layout: StackLayout): readonly Panel[] {
  return [...(layout.composition ? [layout.composition] : []), ...layout.lanes];
}

/** Time labels, flags, marks, gaps, reboots and labels of the column, as one drawing above the charts. */
export const StackDrawing = memo(function StackDrawing(props: StackDrawingProps) {
  const { layout, plot, scale, marks, zone } = props;
  const panels = panelsOf(layout);
  const clipX = (atMs: number) => Math.min(plot.rightPx, Math.max(plot.leftPx, timeToPx(scale, atMs)));
  const { composition } = props;
  const chips =
    plot.narrow || !composition || !layout.composition
      ? []
      : compositionChips(composition, {
          widthPx: plot.rightPx - plot.leftPx,
          heightPx: layout.composition.heightPx,
          fromMs: scale.fromMs,
          toMs: scale.toMs,
        });
  return (
    <svg
      width={plot.widthPx}
      height={layout.totalPx}
      viewBox={`0 0 ${plot.widthPx} ${layout.totalPx}`}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 overflow-visible"
    >
      {props.gaps.map((gap) => {
        const [from, to] = [clipX(gap.from), clipX(gap.to)];
        if (to - from < 1) return null;
        return (
          <g key={gap.from}>
            {panels.map((panel) => (
              <rect
                key={panel.key}
                x={from}
                y={panel.topPx}
                width={to - from}
                height={panel.heightPx}
                fill="var(--ink)"
                fillOpacity={0.055}
              />
            ))}
            {to - from > 96 ? (
              <text
                x={(from + to) / 2}
                y={layout.topPx + 14}
                textAnchor="middle"
                fontSize={11}
                fill="var(--ink-2)"
              >
                no data {formatDuration(gap.to - gap.from)}
              </text>
            ) : null}
          </g>
        );
      })}
      {mergeSpans(layout.ranges).map(({ fromPx, toPx }) =>
        panels.map((panel) => (
          <rect
            key={`${fromPx} ${panel.key}`}
            x={fromPx}
            y={panel.topPx}
            width={Math.max(1, toPx - fromPx)}
            height={panel.heightPx}
            fill="var(--ink)"
            fillOpacity={0.055}
          />
        )),
      )}
      {layout.ranges.map(({ mark, fromPx, toPx, bar }) => (
        <g key={mark.annotation.annotationId} data-range={mark.annotation.annotationId}>
          {bar ? (
            <rect x={fromPx} y={bar.topPx} width={toPx - fromPx} height={bar.heightPx} fill="var(--ink-2)" />
          ) : null}
          {(mark.annotation.endsAt ?? Infinity) <= scale.toMs
            ? panels.map((panel) => (
                <line
                  key={panel.key}
                  x1={Math.round(toPx) - 0.5}
                  x2={Math.round(toPx) - 0.5}
                  y1={panel === panels[0] && bar ? bar.topPx : panel.topPx}
                  y2={panel.topPx + panel.heightPx}
                  stroke="var(--ink-3)"
                  strokeDasharray="1 3"
                />
              ))
            : null}
        </g>
      ))}
      {props.reboots.map(({ at }) => {
        const x = Math.round(timeToPx(scale, at));
        if (x < plot.leftPx || x > plot.rightPx) return null;
        const marked = marks.some(
          (mark) => mark.annotation.kind === "reboot" && Math.abs(mark.annotation.at - at) < 600_000,
        );
        return (
          <g key={at}>
            {panels.map((panel) => (
              <rect
                key={panel.key}
                x={x - 1}
                y={panel.topPx}
                width={2}
                height={panel.heightPx}
                fill="var(--ink)"
              />
            ))}
            {marked || plot.narrow ? null : (
              <Chip
                x={Math.min(x + 46, plot.rightPx - 44)}
                y={layout.topPx + 12}
                text={`reboot ${formatClock(at, zone)}`}
              />
            )}
          </g>
        );
      })}
      {marks.map((mark) => {
        const x = poleX(mark, scale);
        const flag = layout.flags?.find((each) => each.mark === mark);
        const top = flag ? flag.topPx + flag.heightPx : 20;
        return (
          <g
            key={mark.annotation.annotationId}
            stroke={mark.byMachine ? "var(--ink-2)" : "var(--ink)"}
            strokeWidth={1}
            strokeDasharray={mark.byMachine ? "3 3" : undefined}
          >
            <line x1={x} x2={x} y1={top} y2={layout.topPx} />
            {panels.map((panel) => (
              <line key={panel.key} x1={x} x2={x} y1={panel.topPx} y2={panel.topPx + panel.heightPx} />
            ))}
          </g>
        );
      })}
      {chips.map((chip) => (
        <Chip
          key={`${chip.text}${chip.xPx}`}
          x={plot.leftPx + chip.xPx}
          y={layout.topPx + chip.yPx}
          text={chip.text}
        />
      ))}
      {composition?.mode === "gib" && composition.totalKib !== undefined ? (
        <Chip
          x={plot.leftPx + (plot.narrow ? 60 : 76)}
          y={layout.topPx + 12}
          text={`MemTotal ${formatKib(composition.totalKib)}`}
        />
      ) : null}
      {props.lanes.map((lane, index) => {
        const panel = layout.lanes[index];
        return lane.key === "kernel" && panel ? (
          <GrowthOverlay
            key={lane.key}
            found={props.found}
            axis={lane.axis}
            panel={panel}
            plot={plot}
            scale={scale}
          />
        ) : null;
      })}
      {slopeChips(props).map((chip) => (
        <Chip key={chip.x} {...chip} bold />
      ))}
      {layout.flags?.map((flag) => (
        <Flag key={flag.mark.annotation.annotationId} flag={flag} zone={zone} />
      ))}
      {layout.numbers.map((place) => {
        const many = place.first !== place.last;
        const half = many ? 17 : 9;
        return (
          <g key={place.first}>
            <rect
              x={place.xPx - half}
              y={2}
              width={half * 2}
              height={18}
              rx={9}
              fill="var(--surface)"
              stroke="var(--ink-2)"
            />
            <text x={place.xPx} y={15} textAnchor="middle" fontSize={11} fill="var(--ink)">
              {many ? `${place.first + 1}\u2013${place.last + 1}` : place.first + 1}
            </text>
          </g>
        );
      })}
      <text x={plot.leftPx - 6} y={layout.topPx - 5} textAnchor="end" fontSize={11} fill="var(--ink-2)">
        {composition?.axis.unit}
      </text>
      {props.lanes.map((lane, index) => {
        const panel = layout.lanes[index];
        if (!panel) return null;
        const [first, ...more] = lane.series;
        // One line alone needs no sign, and no name that the title has.
        const alone = first && more.length === 0 && !lane.title.startsWith(first.label) ? first.label : "";
        const isNamed = more.length > 0 || alone !== "";
        return (
          <g key={lane.key}>
            <text x={plot.leftPx} y={panel.topPx - 7} fontSize={11} fill="var(--ink)">
              {lane.title}
              {plot.narrow ? null : (
                <tspan fill="var(--ink-2)">
                  {more.length === 0
                    ? isNamed && `   ${alone}`
                    : lane.series.map((each) => (
                        <tspan key={each.key}>
                          {"   "}
                          <tspan fill={LINE_SIGNS[each.tone].stroke}>{LINE_SIGNS[each.tone].sign}</tspan>{" "}
                          {each.label}
                        </tspan>
                      ))}
                  {lane.note && `${isNamed ? " \u00b7 " : "   "}${lane.note}`}
                </tspan>
              )}
            </text>
            {lane.limit ? (
              <text
                x={plot.leftPx + 4}
                y={limitLabelY(lane.limit.value, lane, panel)}
                fontSize={11}
                fill="var(--leaking-ink)"
                stroke="var(--surface)"
                strokeWidth={3}
                paintOrder="stroke"
              >
                {lane.limit.label}
              </text>
            ) : null}
          </g>
        );
      })}
      {layout.axisTopsPx.map((y) => (
        <g key={y} fontSize={11} fill="var(--ink-2)">
          {props.ticks.map((tick) => {
            const x = timeToPx(scale, tick.atMs);
            const room = tick.label.length * 3.2;
            if (x + room > plot.widthPx + 4 || x - room < 0) return null;
            return (
              <text
                key={tick.atMs}
                x={x}
                y={y}
                textAnchor="middle"
                fontWeight={tick.startsDay ? 600 : 400}
                fill={tick.startsDay ? "var(--ink)" : undefined}
              >
                {tick.label}
              </text>
            );
          })}
        </g>
      ))}
      <line
        x1={plot.leftPx}
        x2={plot.rightPx}
        y1={layout.bottomPx}
        y2={layout.bottomPx}
        stroke="var(--line-2)"
      />
    </svg>
  );
});
