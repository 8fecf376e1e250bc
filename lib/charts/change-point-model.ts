import type { ChangePoint, ChangePointList } from "#lib/contracts/change-point.ts";
import { formatGrowth, KIB_PER_MIB } from "./format.ts";
import type { EstimateText } from "./format.ts";
import { formatClock, formatDay, sameDay } from "./format-time.ts";

/** A change point as a row among the marks. Numbers are MiB/h with 95 % intervals. */
export interface ChangeRow {
  readonly at: number;
  readonly when: string;
  /** "04:09–04:21": where it may lie. */
  readonly between: string;
  readonly before: EstimateText;
  readonly after: EstimateText;
  readonly slopeChange: EstimateText;
  readonly beforePlot: readonly [number, number, number];
  readonly afterPlot: readonly [number, number, number];
  /** Marks near it, nearest first; what a reader looks at next. */
  readonly nearby: readonly string[];
}

type Ends = readonly [number, number];

function plot(perHour: number, ci95: Ends): readonly [number, number, number] {
  return [perHour / KIB_PER_MIB, ci95[0] / KIB_PER_MIB, ci95[1] / KIB_PER_MIB];
}

/** Rows of the change points of unreclaimable kernel memory, in order of time. */
export function changeRows(
  list: ChangePointList | undefined,
  view: { readonly zone: string; readonly nowMs: number },
): ChangeRow[] {
  return (list?.changePoints ?? []).map((each): ChangeRow => {
    const day = sameDay(each.at, view.nowMs, view.zone) ? "" : `${formatDay(each.at, view.zone)} `;
    return {
      at: each.at,
      when: `${day}${formatClock(each.at, view.zone)}`,
      between: betweenText(each, view.zone),
      before: formatGrowth(each.slopePerHourBefore, each.ci95Before),
      after: formatGrowth(each.slopePerHourAfter, each.ci95After),
      slopeChange: formatGrowth(each.slopeChangePerHour, each.ci95Change, { signed: true }),
      beforePlot: plot(each.slopePerHourBefore, each.ci95Before),
      afterPlot: plot(each.slopePerHourAfter, each.ci95After),
      nearby: each.nearby.map(({ text }) => text),
    };
  });
}

function betweenText({ ci95: [from, to] }: ChangePoint, zone: string): string {
  const [first, last] = [formatClock(from, zone), formatClock(to, zone)];
  return sameDay(from, to, zone)
    ? `${first}\u2013${last}`
    : `${formatDay(from, zone)} ${first} to ${formatDay(to, zone)} ${last}`;
}

/** A stretch of time whose growth is looked into. */
export interface GrowthStretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The part of a window whose growth is worth decomposing: where the slope changed, the stretch that certainly grew fastest; else
 * all of it. One line through a leak and its end is neither.
 */
export function steepestStretch(list: ChangePointList | undefined, window: GrowthStretch): GrowthStretch {
  if (list?.verdict !== "changed") return window;
  const steepest = list.stretches
    .filter(({ ci95 }) => ci95[0] > 0)
    .toSorted((a, b) => b.ci95[0] - a.ci95[0])[0];
  return steepest ? { fromMs: steepest.from, toMs: steepest.to } : window;
}
