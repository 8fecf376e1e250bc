import {
  differenceInDifferences,
  type PooledEstimate,
} from "#lib/domain/statistics/difference-in-differences.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { NodeEstimate } from "#lib/domain/statistics/random-effects.ts";
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
 * Difference in differences of slopes: whatever changed everywhere at the time of the mark (the hour of the day, a fleet-wide
 * job) is taken off.
 *
 * `treated` and `controls` are the studies of the same mark, metric and windows on the nodes of either side. `undefined` when
 * either side has none with an estimate.
 */
export function compareWithControls(
  treated: readonly Effect[],
  controls: readonly Effect[],
): ControlledChange | undefined {
  const others = slopeChanges(controls);
  const difference = differenceInDifferences(slopeChanges(treated), others);
  if (isInsufficient(difference)) return undefined;
  const { value, ci95 }: PooledEstimate = difference;
  return { nodes: others.length, differencePerHour: value, ci95 };
}

function slopeChanges(effects: readonly Effect[]): NodeEstimate[] {
  return effects.flatMap(({ slopeChange }) =>
    slopeChange === undefined
      ? []
      : [{ value: slopeChange.perHour, standardError: slopeChange.standardError }],
  );
}
