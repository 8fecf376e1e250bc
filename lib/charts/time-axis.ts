import { DateTime } from "luxon";

/** One label under the time axis. A label that begins a day carries the day and is set in bold. */
export interface TimeTick {
  readonly atMs: number;
  readonly label: string;
  readonly startsDay: boolean;
}

interface Step {
  readonly unit: "second" | "minute" | "hour" | "day" | "month" | "year";
  readonly every: number;
  readonly ms: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS: readonly Step[] = [
  ...[1, 5, 10, 15, 30].map((every): Step => ({ unit: "second", every, ms: every * SECOND })),
  ...[1, 2, 5, 10, 15, 30].map((every): Step => ({ unit: "minute", every, ms: every * MINUTE })),
  ...[1, 2, 3, 6, 12].map((every): Step => ({ unit: "hour", every, ms: every * HOUR })),
  ...[1, 2, 5, 10].map((every): Step => ({ unit: "day", every, ms: every * DAY })),
  ...[1, 3, 6].map((every): Step => ({ unit: "month", every, ms: every * 30 * DAY })),
  { unit: "year", every: 1, ms: 365 * DAY },
];

function floorTo(at: DateTime, step: Step): DateTime {
  const start = at.startOf(step.unit);
  if (step.unit === "day") return start.minus({ days: (start.day - 1) % step.every });
  if (step.unit === "month") return start.minus({ months: (start.month - 1) % step.every });
  if (step.unit === "year") return start;
  return start.minus({ [step.unit]: start.get(step.unit) % step.every });
}

function next(at: DateTime, step: Step): DateTime {
  if (step.unit !== "hour") return at.plus({ [step.unit]: step.every });
  // Hours are counted on the wall clock, so that ticks stay on round hours across a change of summer time.
  const moved = at.plus({ hours: step.every });
  const floored = floorTo(moved, step);
  return floored > at ? floored : moved;
}

function labelOf(at: DateTime, step: Step, narrow: boolean): { label: string; startsDay: boolean } {
  const midnight = at.hour === 0 && at.minute === 0 && at.second === 0;
  if (step.unit === "year") return { label: at.toFormat("yyyy"), startsDay: true };
  if (step.unit === "month") return { label: at.toFormat("LLL yyyy"), startsDay: at.month === 1 };
  if (step.unit === "day" || midnight) {
    return { label: at.toFormat(narrow ? "d LLL" : "ccc d LLL"), startsDay: true };
  }
  return { label: at.toFormat(step.unit === "second" ? "HH:mm:ss" : "HH:mm"), startsDay: false };
}

/**
 * Ticks on round times of `zone` (an IANA name or `UTC`) for an axis `widthPx` wide; labels never crowd. Across a
 * change of summer time the ticks stay on round wall-clock times.
 */
export function timeTicks(fromMs: number, toMs: number, zone: string, widthPx: number): TimeTick[] {
  if (!(toMs > fromMs) || widthPx <= 0) return [];
  const narrow = widthPx < 560;
  const spacePx = narrow ? 62 : 78;
  const leastMs = ((toMs - fromMs) * spacePx) / widthPx;
  const step = STEPS.find((each) => each.ms >= leastMs) ?? { unit: "year", every: 1, ms: 365 * DAY };
  const ticks: TimeTick[] = [];
  let at = floorTo(DateTime.fromMillis(fromMs, { zone, locale: "en-GB" }), step);
  for (let guard = 0; at.toMillis() <= toMs && guard < 400; guard++) {
    const atMs = at.toMillis();
    if (atMs >= fromMs) ticks.push({ atMs, ...labelOf(at, step, narrow) });
    at = next(at, step);
  }
  if (step.unit !== "year") return ticks;
  const keep = Math.max(1, Math.ceil(leastMs / step.ms));
  return ticks.filter((_, index) => index % keep === 0);
}

/** Horizontal place of a moment, and back. Shared by the charts and by the overlay above them. */
export interface TimeScale {
  readonly fromMs: number;
  readonly toMs: number;
  readonly leftPx: number;
  readonly rightPx: number;
}

/** Pixel of a moment; outside the window it lies outside the plot. */
export function timeToPx(scale: TimeScale, atMs: number): number {
  const part = (atMs - scale.fromMs) / (scale.toMs - scale.fromMs);
  return scale.leftPx + part * (scale.rightPx - scale.leftPx);
}

/** Moment under a pixel, held inside the window. */
export function pxToTime(scale: TimeScale, px: number): number {
  const part = (px - scale.leftPx) / Math.max(1, scale.rightPx - scale.leftPx);
  const clamped = Math.min(1, Math.max(0, part));
  return Math.round(scale.fromMs + clamped * (scale.toMs - scale.fromMs));
}
