"use client";

import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from "react";
import type { CompositionModel } from "#lib/charts/composition-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { laneFinding } from "#lib/charts/lane-model.ts";
import type { Mark, SlopeLabel } from "#lib/charts/marks-model.ts";
import { nearestIndex, sampleIndexAt } from "#lib/charts/segments.ts";
import type { TimeAxisData } from "#lib/charts/segments.ts";
import { pxToTime, timeTicks, timeToPx } from "#lib/charts/time-axis.ts";
import type { TimeScale } from "#lib/charts/time-axis.ts";
import { SHORTEST_WINDOW_MS } from "#lib/charts/view-address.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { useElementWidth } from "../ui/use-element-width.ts";
import { CompositionArea } from "./composition-area.tsx";
import type { CursorStore } from "./cursor-store.ts";
import { LaneChart } from "./lane-chart.tsx";
import { plotGeometry } from "./plot.ts";
import type { PlotGeometry } from "./plot.ts";
import { StackDrawing } from "./stack-drawing.tsx";
import type { FoundGrowth } from "./growth-overlay.tsx";
import { stackLayout } from "./stack-layout.ts";
import type { StackLayout } from "./stack-layout.ts";

interface ChartStackProps {
  /** The upper chart; without it the stack has lanes alone. */
  readonly composition?: CompositionModel;
  readonly lanes: readonly LaneModel[];
  readonly window: TimeWindow;
  readonly zone: string;
  readonly marks: readonly Mark[];
  readonly slopes?: readonly SlopeLabel[];
  readonly found?: FoundGrowth;
  /** Samples that the cursor stops at; where there are none it stands where it is put. */
  readonly samples: TimeAxisData;
  readonly cursor: CursorStore;
  /** The finding, for readers who do not see the drawing. */
  readonly finding: string;
  /** What a moment says, for readers who move the cursor by ear. */
  readonly describeAt: (atMs: number) => string;
  readonly onZoom: (window: TimeWindow) => void;
  readonly onReset: () => void;
  /** A stretch of time was drawn with Shift held; without this Shift zooms too. */
  readonly onRange?: (range: TimeWindow) => void;
  readonly effectOf: (mark: Mark) => ReactNode;
  readonly frameRef: RefObject<HTMLDivElement | null>;
}

const NO_SLOPES: readonly SlopeLabel[] = [];
const NOTHING_FOUND: FoundGrowth = { lines: [], changes: [] };
const LANE_PX = 66;
const KERNEL_LANE_PX = 86;

/** Charts above each other on one time axis, with one overlay for cursor, selection and marks. */
export function ChartStack(props: ChartStackProps) {
  const { composition, lanes, window, zone, marks, frameRef } = props;
  const widthPx = useElementWidth(frameRef);
  const composed = composition !== undefined;
  const drawn = useMemo(() => {
    if (widthPx === undefined || widthPx < 120) return undefined;
    const plot = plotGeometry(widthPx);
    const scale: TimeScale = { ...window, leftPx: plot.leftPx, rightPx: plot.rightPx };
    const ticks = timeTicks(window.fromMs, window.toMs, zone, plot.rightPx - plot.leftPx);
    const heights = lanes.map((lane) => ({
      key: lane.key,
      heightPx: lane.key === "kernel" ? KERNEL_LANE_PX : LANE_PX,
    }));
    return { plot, scale, ticks, layout: stackLayout(marks, scale, plot, heights, zone, composed) };
  }, [widthPx, window, zone, lanes, marks, composed]);

  return (
    <div
      ref={frameRef}
      className="relative min-w-0"
      style={{ minHeight: drawn?.layout.totalPx ?? (composed ? 560 : lanes.length * 94 + 40) }}
    >
      <p className="sr-only">{props.finding}</p>
      {lanes.map((lane) => (
        <p key={lane.key} className="sr-only">
          {laneFinding(lane, props.samples.reboots, zone)}
        </p>
      ))}
      {drawn ? (
        <>
          {composition && drawn.layout.composition ? (
            <div
              aria-hidden="true"
              className="absolute left-0"
              style={{ top: drawn.layout.composition.topPx }}
            >
              <CompositionArea
                model={composition}
                window={window}
                ticks={drawn.ticks}
                plot={drawn.plot}
                heightPx={drawn.layout.composition.heightPx}
              />
            </div>
          ) : null}
          {lanes.map((lane, index) => {
            const panel = drawn.layout.lanes[index];
            return panel ? (
              <div key={lane.key} aria-hidden="true" className="absolute left-0" style={{ top: panel.topPx }}>
                <LaneChart
                  lane={lane}
                  window={window}
                  ticks={drawn.ticks}
                  plot={drawn.plot}
                  heightPx={panel.heightPx}
                />
              </div>
            ) : null;
          })}
          <StackDrawing
            composition={composition}
            lanes={lanes}
            layout={drawn.layout}
            plot={drawn.plot}
            scale={drawn.scale}
            ticks={drawn.ticks}
            marks={marks}
            gaps={props.samples.gaps}
            reboots={props.samples.reboots}
            slopes={props.slopes ?? NO_SLOPES}
            found={props.found ?? NOTHING_FOUND}
            zone={zone}
          />
          <CursorLayer {...props} scale={drawn.scale} plot={drawn.plot} layout={drawn.layout} />
          <FlagButtons {...props} layout={drawn.layout} plot={drawn.plot} />
        </>
      ) : null}
    </div>
  );
}

interface LayerProps extends ChartStackProps {
  readonly scale: TimeScale;
  readonly plot: PlotGeometry;
  readonly layout: StackLayout;
}

/** Cursor and selection: moved by hand on the two elements below, so that no chart is drawn again. */
function CursorLayer(props: LayerProps) {
  const { cursor, scale, plot, layout, samples, describeAt, onZoom, onReset, onRange } = props;
  const { timesMs } = samples;
  const slider = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const selection = useRef<HTMLDivElement>(null);
  const drag = useRef<{ fromPx: number; selecting: boolean; marking: boolean } | undefined>(undefined);
  const heightPx = layout.bottomPx - layout.topPx;

  useEffect(() => {
    const show = () => {
      const atMs = cursor.get();
      const inside = atMs !== undefined && atMs >= scale.fromMs && atMs <= scale.toMs;
      if (line.current) {
        line.current.style.visibility = inside ? "visible" : "hidden";
        // Hidden it goes back to the edge: left where it was, it would widen a page that became narrower.
        const px = inside ? Math.round(timeToPx(scale, atMs)) - scale.leftPx : 0;
        line.current.style.transform = `translateX(${px}px)`;
      }
      const told = inside ? atMs : (timesMs.at(-1) ?? scale.toMs);
      slider.current?.setAttribute("aria-valuenow", String(Math.round(told / 1000)));
      slider.current?.setAttribute("aria-valuetext", describeAt(told));
    };
    show();
    return cursor.subscribe(show);
  }, [cursor, scale, timesMs, describeAt]);

  const snapped = useCallback(
    (atMs: number): number => {
      const index = sampleIndexAt(samples, atMs);
      return index === undefined ? atMs : (samples.timesMs[index] ?? atMs);
    },
    [samples],
  );
  const pxOf = (event: PointerEvent) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left + scale.leftPx;
  const select = (fromPx: number, toPx: number) => {
    const box = selection.current;
    if (!box) return;
    const [left, right] = [Math.min(fromPx, toPx), Math.max(fromPx, toPx)];
    box.style.visibility = "visible";
    box.style.left = `${Math.max(0, left - scale.leftPx)}px`;
    box.style.width = `${Math.min(right, scale.rightPx) - Math.max(left, scale.leftPx)}px`;
  };
  const endSelection = () => {
    drag.current = undefined;
    const box = selection.current;
    if (box) Object.assign(box.style, { visibility: "hidden", left: "0px", width: "0px" });
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.focus({ preventScroll: true });
    if (event.pointerType === "touch") {
      cursor.set(snapped(pxToTime(scale, pxOf(event))));
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    const marking = event.shiftKey && onRange !== undefined;
    drag.current = { fromPx: pxOf(event), selecting: false, marking };
    if (selection.current) selection.current.dataset.marking = String(marking);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const px = pxOf(event);
    if (event.pointerType === "touch" && event.buttons === 0) return;
    cursor.set(snapped(pxToTime(scale, px)));
    const started = drag.current;
    if (!started) return;
    if (Math.abs(px - started.fromPx) > 5) started.selecting = true;
    if (started.selecting) select(started.fromPx, px);
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const started = drag.current;
    endSelection();
    if (!started?.selecting) return;
    const ends = [pxToTime(scale, started.fromPx), pxToTime(scale, pxOf(event))].sort((a, b) => a - b);
    const [fromMs, toMs] = [ends[0] ?? scale.fromMs, ends[1] ?? scale.toMs];
    if (started.marking && onRange)
      onRange({ fromMs: Math.max(fromMs, scale.fromMs), toMs: Math.min(toMs, scale.toMs) });
    else if (toMs - fromMs >= SHORTEST_WINDOW_MS) onZoom({ fromMs, toMs });
  };

  const step = (by: number) => {
    const atMs = cursor.get();
    const here = nearestIndex(timesMs, atMs ?? scale.toMs) ?? 0;
    const next = Math.min(timesMs.length - 1, Math.max(0, atMs === undefined ? here : here + by));
    cursor.set(timesMs[next]);
  };
  const jump = (byMs: number) => {
    const atMs = (cursor.get() ?? timesMs.at(-1) ?? scale.toMs) + byMs;
    cursor.set(snapped(Math.min(scale.toMs, Math.max(scale.fromMs, atMs))));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (direction !== 0) {
      if (event.shiftKey) jump(direction * 3_600_000);
      else step(direction);
    } else if (event.key === "Home") cursor.set(timesMs[0]);
    else if (event.key === "End") cursor.set(timesMs.at(-1));
    else if (event.key === "Escape") {
      endSelection();
      cursor.set(undefined);
    } else return;
    event.preventDefault();
  };

  return (
    <div
      ref={slider}
      role="slider"
      tabIndex={0}
      aria-label="Time cursor. Arrows move it, Shift with an arrow by an hour, a marks this time, plus and minus zoom. With the mouse, dragging zooms, with Shift it marks a stretch of time."
      aria-orientation="horizontal"
      aria-valuemin={Math.round(scale.fromMs / 1000)}
      aria-valuemax={Math.round(scale.toMs / 1000)}
      aria-valuenow={Math.round(scale.toMs / 1000)}
      className="absolute cursor-crosshair touch-pan-y select-none"
      style={{
        left: plot.leftPx,
        width: plot.rightPx - plot.leftPx,
        top: layout.topPx,
        height: heightPx,
      }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={endSelection}
      onPointerLeave={(event) => {
        if (!drag.current && event.pointerType !== "touch") cursor.set(undefined);
      }}
      onDoubleClick={onReset}
      onKeyDown={onKeyDown}
    >
      <div
        ref={selection}
        className="invisible absolute inset-y-0 border-x border-accent bg-accent/15 data-[marking=true]:border-ink data-[marking=true]:bg-ink/10"
        data-part="selection"
      />
      <div ref={line} className="invisible absolute inset-y-0 left-0 w-px bg-accent" data-part="cursor" />
    </div>
  );
}

/** What can be reached of a flag: hover or focus shows the effect, Enter leads to its row in the table. */
function FlagButtons({
  layout,
  plot,
  marks,
  effectOf,
}: ChartStackProps & { readonly layout: StackLayout; readonly plot: PlotGeometry }) {
  const [shown, setShown] = useState<number>();
  const id = useId();
  const places = layout.flags
    ? layout.flags.map((flag) => ({
        marks: [flag.mark],
        left: flag.leftPx,
        width: flag.rightPx - flag.leftPx,
        top: flag.topPx,
      }))
    : layout.numbers.map((number) => ({
        marks: marks.slice(number.first, number.last + 1),
        left: number.xPx - 12,
        width: 24,
        top: 0,
      }));
  return (
    <>
      {places.map((place) => {
        const first = place.marks[0];
        if (!first) return null;
        const key = first.annotation.annotationId;
        const open = shown === key;
        const wide = Math.min(380, plot.widthPx);
        return (
          <div
            key={key}
            className="absolute"
            style={{ left: place.left, top: place.top, width: place.width, zIndex: open ? 20 : 1 }}
            onPointerEnter={(event) => {
              if (event.pointerType === "mouse") setShown(key);
            }}
            onPointerLeave={() => setShown(undefined)}
          >
            <button
              type="button"
              className="block h-6 w-full"
              aria-label={`Mark ${place.marks.map((mark) => `${mark.number}: ${mark.title}${mark.verdict ? `, ${mark.verdict.word}` : ""}`).join("; ")}`}
              aria-describedby={open ? id : undefined}
              onFocus={() => setShown(key)}
              onBlur={() => setShown(undefined)}
              onKeyDown={(event) => {
                if (event.key === "Escape") setShown(undefined);
              }}
              onClick={() => {
                const row = document.getElementById(`mark-${key}`);
                row?.scrollIntoView({ block: "nearest" });
                row?.focus({ preventScroll: true });
              }}
            />
            {open ? (
              <div
                id={id}
                role="tooltip"
                className="absolute top-[22px] grid gap-1 border border-line-3 bg-surface px-2 py-1.5 text-sm"
                style={{
                  width: wide,
                  left: Math.max(-place.left, Math.min(0, plot.widthPx - wide - place.left)),
                }}
              >
                {place.marks.map((mark) => (
                  <div key={mark.annotation.annotationId}>{effectOf(mark)}</div>
                ))}
              </div>
            ) : null}
          </div>
        );
      })}
    </>
  );
}
