"use client";

import { useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { clockText, clockTicks, compareAt } from "#lib/charts/compare-model.ts";
import type { CompareLines } from "#lib/charts/compare-model.ts";
import { formatKib } from "#lib/charts/format.ts";
import type { Comparison } from "#lib/contracts/compare.ts";
import { plotGeometry } from "../charts/plot.ts";
import { useElementWidth } from "../ui/use-element-width.ts";
import { SIDE_STROKES, SideKey } from "./side-key.tsx";

const HEIGHT_PX = 260;
const TOP_PX = 18;
const BOTTOM_PX = 20;

/** Both sides of one metric on one relative clock, with a cursor that reads both. */
export function OverlayChart({
  comparison,
  lines,
  finding,
}: {
  readonly comparison: Comparison;
  readonly lines: CompareLines;
  readonly finding: string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const widthPx = useElementWidth(frame);
  const [cursorMs, setCursorMs] = useState<number>();
  const { fromMs, toMs, axis } = lines;
  const plot = plotGeometry(widthPx ?? 0);
  const plotPx = plot.rightPx - plot.leftPx;
  const xOf = (atMs: number) => plot.leftPx + ((atMs - fromMs) / (toMs - fromMs)) * plotPx;
  const floorPx = HEIGHT_PX - BOTTOM_PX;
  const yOf = (value: number) => floorPx - ((value - axis.low) / (axis.high - axis.low)) * (floorPx - TOP_PX);
  const shown = compareAt(comparison, lines.metric, cursorMs ?? comparison.common?.toMs ?? toMs);
  const value = (each: number | undefined) => (each === undefined ? "no sample" : formatKib(each));
  const many = (count: number, side: "a" | "b") =>
    comparison[side].nodes.length > 1 && count > 0 ? `, mean of ${count} nodes` : "";
  const spoken = `${clockText(shown.atMs)}: A ${value(shown.a)}, B ${value(shown.b)}`;

  const timeAt = (event: PointerEvent) => {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return fromMs + Math.min(1, Math.max(0, px / Math.max(1, plotPx))) * (toMs - fromMs);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const stepMs = comparison.bucketSeconds * 1000 * (event.shiftKey ? 10 : 1);
    const here = cursorMs ?? shown.atMs;
    const next = {
      ArrowLeft: here - stepMs,
      ArrowRight: here + stepMs,
      Home: fromMs,
      End: toMs,
    }[event.key];
    if (event.key === "Escape") setCursorMs(undefined);
    else if (next !== undefined) setCursorMs(Math.min(toMs, Math.max(fromMs, next)));
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div ref={frame} className="relative min-w-0" style={{ minHeight: HEIGHT_PX }}>
        <p className="sr-only">{finding}</p>
        {widthPx === undefined || widthPx < 120 ? null : (
          <>
            <svg width={widthPx} height={HEIGHT_PX} aria-hidden="true" className="block">
              {comparison.common ? (
                <rect
                  x={xOf(comparison.common.fromMs)}
                  width={Math.max(0, xOf(comparison.common.toMs) - xOf(comparison.common.fromMs))}
                  y={TOP_PX}
                  height={floorPx - TOP_PX}
                  fill="var(--surface-2)"
                />
              ) : null}
              <text x={0} y={11} fontSize={11} fill="var(--ink-2)">
                {axis.unit}
                {axis.low > 0 ? ", axis does not start at 0" : ""}
              </text>
              {axis.ticks.map((tick, index) => (
                <g key={tick}>
                  <path d={`M${plot.leftPx} ${yOf(tick)}H${plot.rightPx}`} stroke="var(--line)" />
                  <text
                    x={plot.leftPx - 6}
                    y={yOf(tick) + 4}
                    fontSize={11}
                    textAnchor="end"
                    fill="var(--ink-2)"
                  >
                    {axis.labels[index]}
                  </text>
                </g>
              ))}
              {clockTicks(fromMs, toMs, plotPx).map(({ atMs, label }) => (
                <g key={atMs}>
                  <path
                    d={`M${Math.round(xOf(atMs)) + 0.5} ${TOP_PX}V${floorPx}`}
                    stroke={atMs === 0 ? "var(--ink-3)" : "var(--line)"}
                  />
                  <text
                    x={Math.min(xOf(atMs), plot.rightPx - 14)}
                    y={HEIGHT_PX - 5}
                    fontSize={11}
                    textAnchor="middle"
                    fill="var(--ink-2)"
                  >
                    {label}
                  </text>
                </g>
              ))}
              {lines.reboots.map(({ side, atMs }) => (
                <g key={`${side} ${atMs}`}>
                  <path
                    d={`M${xOf(atMs)} ${TOP_PX}V${floorPx}`}
                    stroke={SIDE_STROKES[side].stroke}
                    strokeDasharray="2 3"
                  />
                  <text x={xOf(atMs) + 4} y={TOP_PX + 10} fontSize={11} fill="var(--ink-2)">
                    {side.toUpperCase()} reboots
                  </text>
                </g>
              ))}
              {(["a", "b"] as const).map((side) =>
                lines[side].map((points) => {
                  const [first] = points;
                  const { stroke, dash } = SIDE_STROKES[side];
                  return points.length === 1 && first ? (
                    <circle
                      key={`${side} ${first[0]}`}
                      cx={xOf(first[0])}
                      cy={yOf(first[1])}
                      r={2}
                      fill={stroke}
                    />
                  ) : (
                    <polyline
                      key={`${side} ${first?.[0] ?? ""}`}
                      points={points
                        .map(([atMs, each]) => `${xOf(atMs).toFixed(1)},${yOf(each).toFixed(1)}`)
                        .join(" ")}
                      fill="none"
                      stroke={stroke}
                      strokeWidth={1.75}
                      strokeDasharray={dash}
                    />
                  );
                }),
              )}
              {cursorMs === undefined ? null : (
                <path d={`M${xOf(cursorMs)} ${TOP_PX}V${floorPx}`} stroke="var(--accent)" />
              )}
            </svg>
            <div
              role="slider"
              tabIndex={0}
              aria-label="Cursor on the clock of both sides. Arrows move it, Shift with an arrow ten times as far."
              aria-orientation="horizontal"
              aria-valuemin={Math.round(fromMs / 1000)}
              aria-valuemax={Math.round(toMs / 1000)}
              aria-valuenow={Math.round(shown.atMs / 1000)}
              aria-valuetext={spoken}
              className="absolute cursor-crosshair touch-pan-y"
              style={{ left: plot.leftPx, width: plotPx, top: TOP_PX, height: floorPx - TOP_PX }}
              onPointerDown={(event) => setCursorMs(timeAt(event))}
              onPointerMove={(event) => {
                if (event.pointerType !== "touch" || event.buttons > 0) setCursorMs(timeAt(event));
              }}
              onPointerLeave={(event) => {
                if (event.pointerType !== "touch") setCursorMs(undefined);
              }}
              onKeyDown={onKeyDown}
            />
          </>
        )}
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 py-1 text-sm text-ink-2">
        <span className="min-w-[72px]">{clockText(shown.atMs)}</span>
        {(["a", "b"] as const).map((side) => (
          <span key={side} className="inline-flex items-center gap-1.5">
            <SideKey side={side} /> {side.toUpperCase()} <b className="text-ink">{value(shown[side])}</b>
            {many(side === "a" ? shown.countA : shown.countB, side)}
          </span>
        ))}
        {shown.a !== undefined && shown.b !== undefined ? (
          <span>
            B less A{" "}
            <b className="text-ink">{`${shown.b >= shown.a ? "+" : "\u2212"}${formatKib(Math.abs(shown.b - shown.a))}`}</b>
          </span>
        ) : null}
      </p>
    </>
  );
}
