import { KIB_PER_GIB, KIB_PER_MIB, formatNumber, formatSigned, kibPer, memoryUnit } from "./format.ts";
import type { MemoryUnit } from "./format.ts";

/** A drawn axis: the ends of the scale in the data's unit, where the lines lie and what is written at them. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  /** Written once, at the top of the axis. */
  readonly unit: string;
}

function stepFor(span: number, count: number, mantissas: readonly number[], base: number): number {
  const rough = span / Math.max(1, count);
  const power = Math.pow(base, Math.floor(Math.log(rough) / Math.log(base)));
  return (mantissas.find((each) => each * power >= rough * (1 - 1e-9)) ?? base) * power;
}

function between(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

function decimalsOfStep(step: number): number {
  for (let decimals = 0; decimals < 4; decimals++) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, scaled)) return decimals;
  }
  return 4;
}

/** Grows a span that is too small to be worth a scale, so that noise does not fill the picture. */
function widened(low: number, high: number, least: number): [number, number] {
  if (high - low >= least) return [low, high];
  const from = (low + high - least) / 2;
  return low >= 0 && from < 0 ? [0, least] : [from, from + least];
}

/**
 * Axis of memory values in KiB. Steps are round in the printed unit (1, 2, 5 × 10ⁿ of GiB; powers of two of MiB and
 * KiB), because 0.25 GiB reads and 268 MB does not.
 *
 * @param least smallest span worth drawing, KiB
 */
export function memoryAxis(
  lowKib: number,
  highKib: number,
  options: { ticks?: number; least?: number; signed?: boolean; exact?: boolean } = {},
): ValueAxis {
  const [low, high] = options.exact
    ? [lowKib, highKib]
    : widened(lowKib, highKib, options.least ?? KIB_PER_MIB);
  const unit: MemoryUnit = memoryUnit(Math.max(Math.abs(low), Math.abs(high), 1));
  const inUnit = kibPer(unit);
  const span = Math.max((high - low) / inUnit, 1e-9);
  const wanted = options.ticks ?? 4;
  const stepOf = (count: number) =>
    unit === "GiB" || unit === "TiB"
      ? stepFor(span, count, [1, 2, 5, 10], 10)
      : stepFor(span, count, [1, 2, 4, 8, 16], 16);
  const linesOf = (each: number) => between(low / inUnit, high / inUnit, each);
  // One line alone gives no scale: two are the least to read a distance from.
  const step = linesOf(stepOf(wanted)).length < 2 ? stepOf(wanted * 2) : stepOf(wanted);
  const lines = linesOf(step);
  const decimals = decimalsOfStep(step);
  return {
    low,
    high,
    ticks: lines.map((value) => value * inUnit),
    labels: lines.map((value) =>
      options.signed ? formatSigned(value, decimals) : formatNumber(value, decimals),
    ),
    unit,
  };
}

/** Axis of plain counts from 0, steps 1, 2, 5 × 10ⁿ, none below 1. */
export function countAxis(high: number, unit: string, options: { ticks?: number; least?: number } = {}) {
  const top = Math.max(high, options.least ?? 1);
  const step = Math.max(1, stepFor(top, options.ticks ?? 2, [1, 2, 5, 10], 10));
  const end = Math.ceil(top / step - 1e-9) * step;
  const lines = between(0, end, step);
  return { low: 0, high: end, ticks: lines, labels: lines.map((value) => formatNumber(value)), unit };
}

/** Axis of shares of a whole, in percent. */
export function shareAxis(low: number): ValueAxis {
  const ticks = between(Math.min(0, low), 1, 0.25);
  return {
    low: Math.min(0, low),
    high: 1,
    ticks,
    // The unit stands with the highest line, which lies at the upper edge where other axes write theirs.
    labels: ticks.map((value) => `${formatNumber(value * 100)}${value === 1 ? "\u202f%" : ""}`),
    unit: "",
  };
}

/** Least span of a memory sparkline: below it a change is not worth ink. */
export const LEAST_MEMORY_SPAN_KIB = KIB_PER_GIB / 2;

/**
 * Least span of a lane of memory that reaches `highKib`: a quarter of it, so that a small node is not drawn as a line at the
 * bottom, at least 16 MiB, and no more than {@link LEAST_MEMORY_SPAN_KIB}.
 *
 * @example leastSpanKib(150 * 1024) // 38400: 37.5 MiB
 */
export function leastSpanKib(highKib: number): number {
  return Math.min(LEAST_MEMORY_SPAN_KIB, Math.max(16 * KIB_PER_MIB, highKib / 4));
}
