import { normalQuantile } from "#lib/domain/statistics/normal-distribution.ts";
import type { Effect } from "./event-study.ts";
import type { Interval } from "./vocabulary.ts";

/** The change at a mark less what nodes that were left alone did at the same time. */
export interface ControlledChange {
  /** Control nodes with a slope on both sides of the mark. */
  readonly nodes: number;
  /** Difference in differences of slopes, unit of the values per hour. */
  readonly differencePerHour: number;
  readonly ci95: Interval;
}

/**
 * Difference in differences: whatever changed everywhere at the time of the mark (the hour of the day, a fleet-wide job) is
 * taken off. Nodes differ by more than the intervals of their slopes say; the excess of the spread between controls over
 * those is counted for the treated node as well.
 *
 * `controls` are the studies of the same mark, metric and windows on the other nodes. `undefined` when none of them, or not
 * the treated node, has an estimate. Assumes that controls would have moved as the treated node did.
 */
export function compareWithControls(
  treated: Effect,
  controls: readonly Effect[],
): ControlledChange | undefined {
  const changes = controls.flatMap(({ slopeChange }) => (slopeChange === undefined ? [] : [slopeChange]));
  const k = changes.length;
  if (treated.slopeChange === undefined || k === 0) return undefined;
  const mean = changes.reduce((sum, { perHour }) => sum + perHour, 0) / k;
  const own = changes.reduce((sum, { standardError }) => sum + standardError ** 2, 0) / k;
  const spread = k > 1 ? changes.reduce((sum, { perHour }) => sum + (perHour - mean) ** 2, 0) / (k - 1) : own;
  const between = Math.max(0, spread - own);
  const error = Math.sqrt(treated.slopeChange.standardError ** 2 + own / k + between * (1 + 1 / k));
  const difference = treated.slopeChange.perHour - mean;
  const z = normalQuantile(0.975);
  return { nodes: k, differencePerHour: difference, ci95: [difference - z * error, difference + z * error] };
}
