import type { Forecast } from "#lib/contracts/forecast.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import { formatDurationEnds } from "#lib/domain/memory/quantity.ts";
import { formatDuration } from "./format.ts";
import { formatMoment } from "./format-time.ts";

/** A forecast as a small drawing with a time axis of its own, and its words. */
export interface ForecastModel {
  readonly metric: string;
  readonly title: string;
  /** "5.3 d" with "4.9 d to 5.8 d"; undefined while silent. */
  readonly left: { readonly point: string; readonly interval: string } | undefined;
  /** The sentence: when it runs out, or why nothing is foreseen. */
  readonly text: string;
  readonly drawing: FanDrawing | undefined;
}

/** Paths and places within a box of the given size, pixels. */
export interface FanDrawing {
  readonly history: string;
  readonly band: string;
  readonly line: string;
  readonly limitY: number;
  readonly nowX: number;
  /** Where the line meets the limit. */
  readonly endX: number;
  readonly earliestX: number;
  /** Undefined where the far end is open. */
  readonly latestX: number | undefined;
  readonly labels: readonly { readonly x: number; readonly text: string; readonly anchor: "start" | "end" }[];
}

interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

const TITLES: Readonly<Record<string, string>> = {
  "total.kernelUnreclaimable": "memory",
  "cgroup.memory.live": "memory-cgroup ids",
  "cgroup.memory.count": "memory-cgroup ids",
};

/** Prepares the forecasts of a node. */
export function forecastModels(
  forecasts: readonly Forecast[],
  box: Box,
  view: { readonly zone: string; readonly nowMs: number },
): ForecastModel[] {
  return forecasts.map((each) => ({
    metric: each.metric,
    title: each.what ?? TITLES[each.metric] ?? each.label,
    left: leftOf(each),
    text: each.text,
    drawing: drawingOf(each, box, view),
  }));
}

function leftOf({ exhaustion, fan }: Forecast): ForecastModel["left"] {
  const start = fan?.timesMs[0];
  if (exhaustion === null || start === undefined) return undefined;
  const { point, earliest, latest } = lengthsOf(exhaustion, start);
  return { point, interval: latest === undefined ? `${earliest} or more` : `${earliest} to ${latest}` };
}

/** How long it is from a moment to an end, with the ends of its interval; `latest` is missing where that is open. */
function lengthsOf({ at, ci95: [first, last] }: NonNullable<Trend["exhaustion"]>, fromMs: number) {
  const until = (atMs: number) => Math.max(0, atMs - fromMs);
  const [earliest, latest] =
    last === null ? [formatDuration(until(first))] : formatDurationEnds(until(first), until(last));
  return { point: formatDuration(until(at)), earliest, latest };
}

const SOON_MS = 30 * 24 * 3_600_000;

/** Whether an end is near enough to be what a reader must hear first: within a month. */
export function endsSoon({ at }: NonNullable<Trend["exhaustion"]>, nowMs: number): boolean {
  return at - nowMs < SOON_MS;
}

/** How long something lasts from now, with its interval: "11 h (10 h to open)". */
export function leftText(end: NonNullable<Trend["exhaustion"]>, nowMs: number): string {
  const { point, earliest, latest = "open" } = lengthsOf(end, nowMs);
  return `${point} (${earliest} to ${latest})`;
}

/** How much of the width what was takes at most: the end matters, the past is where it comes from. */
const HISTORY_PART = 0.35;

function drawingOf(
  { fan, exhaustion, lines }: Forecast,
  { widthPx, heightPx }: Box,
  view: { readonly zone: string; readonly nowMs: number },
): FanDrawing | undefined {
  const startMs = fan?.timesMs[0];
  const endMs = fan?.timesMs.at(-1);
  const past = lines.at(-1);
  if (fan === null || exhaustion === null || startMs === undefined || endMs === undefined) return undefined;
  const aheadMs = Math.max(60_000, endMs - startMs);
  const pastFrom = past?.timesMs[0] ?? startMs;
  const fromMs = Math.max(pastFrom, startMs - (aheadMs * HISTORY_PART) / (1 - HISTORY_PART));
  const spanMs = endMs - fromMs;
  const low = Math.min(fan.values[0] ?? 0, ...(past?.values ?? []), ...fan.low.slice(0, 1));
  const span = Math.max(fan.limit - low, 1e-9) * 1.12;
  const x = (timeMs: number) => Math.round((10 * widthPx * (timeMs - fromMs)) / spanMs) / 10;
  const y = (value: number) =>
    Math.round(10 * Math.min(heightPx, Math.max(0, heightPx - ((value - low) / span) * heightPx))) / 10;
  const path = (timesMs: readonly number[], values: readonly number[]) =>
    timesMs.map((timeMs, i) => `${x(timeMs)} ${y(values[i] ?? 0)}`);
  const upper = path(fan.timesMs, fan.high);
  const lower = path(fan.timesMs, fan.low);
  const latest = exhaustion.ci95[1];
  return {
    history: past ? `M${path(past.timesMs, past.values).join("L")}` : "",
    band: `M${upper.join("L")}L${lower.toReversed().join("L")}Z`,
    line: `M${path(fan.timesMs, fan.values).join("L")}`,
    limitY: y(fan.limit),
    nowX: x(startMs),
    endX: x(exhaustion.at),
    earliestX: x(exhaustion.ci95[0]),
    latestX: latest === null ? undefined : x(latest),
    labels: [
      { x: 0, text: formatMoment(fromMs, view.zone, view.nowMs), anchor: "start" },
      { x: widthPx, text: formatMoment(endMs, view.zone, view.nowMs), anchor: "end" },
    ],
  };
}
