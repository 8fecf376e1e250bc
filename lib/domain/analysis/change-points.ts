import type {
  LevelStep,
  PiecewiseLine,
  SlopeChange,
  StretchSlope,
} from "#lib/domain/statistics/change-points.ts";
import { CHANGE_POINT_MINIMUM, findSlopeChanges } from "#lib/domain/statistics/change-points.ts";
import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { insufficient, isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { BootSegment } from "./boot-segments.ts";
import { outsideWarmUp, usableBoots } from "./boot-segments.ts";
import { cycleColumns } from "./cycles.ts";

/** More points are thinned to bucket medians: the search takes tens of milliseconds then. */
const MAX_POINTS = 300;

/** Within a quarter of the slope a change counts as none, as at a mark: a rate that breathes with the day is no event. */
const LEAST_CHANGE_SHARE = 0.25;

export interface ChangePointInput {
  /** The window's boots in order of time. */
  readonly segments: readonly BootSegment[];
  /** Least change of slope that counts, per hour in the unit of the values. */
  readonly materialPerHour: number;
}

/** A part of a boot over which one slope holds. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly slope: StretchSlope;
}

/** What one boot of a window shows. */
export interface BootChanges {
  readonly bootId: string;
  readonly n: number;
  readonly changes: readonly SlopeChange[];
  /** Where the level changed at once and the slope did not. */
  readonly steps: readonly LevelStep[];
  /** One more than changes; empty when the boot has too little data. */
  readonly stretches: readonly Stretch[];
  /** Why nothing could be looked for; `undefined` when it could. */
  readonly lacking: Insufficient | undefined;
}

/** Moments at which a slope changed, boot by boot. Numbers unrounded, in the unit of the values. */
export interface ChangePoints {
  readonly kind: "change-points";
  readonly boots: readonly BootChanges[];
  readonly method: string;
}

/**
 * When the slope of a metric changed. Each boot is looked at by itself, without its first 2 h: a difference across a reboot is
 * no change of slope. From 48 h of points on, the daily rhythm (from 14 d also the weekly) is fitted together with the
 * bends, so that a wave is not a row of them. A change smaller than the least slope that counts, or
 * than a quarter of the slope, is left out.
 *
 * {@link Insufficient} when no boot has enough points.
 */
export function findChangePoints({
  segments,
  materialPerHour,
}: ChangePointInput): ChangePoints | Insufficient {
  const usable = usableBoots(segments, MAX_POINTS);
  let rhythm = false;
  const boots = usable.map(({ bootId, segment, leftOut }): BootChanges => {
    const { timesMs } = segment;
    const columns = timesMs.length < CHANGE_POINT_MINIMUM ? [] : cycleColumns([segment])(segment);
    const line = findSlopeChanges(segment, {
      columns,
      leastChangePerHour: materialPerHour,
      leastChangeShare: LEAST_CHANGE_SHARE,
    });
    const shared = { bootId, n: timesMs.length };
    if (isInsufficient(line)) {
      const lacking = {
        ...line,
        reason: outsideWarmUp(line.reason, leftOut > 0),
      };
      return { ...shared, changes: [], steps: [], stretches: [], lacking };
    }
    rhythm ||= columns.length > 0;
    const range = { fromMs: timesMs[0] ?? 0, toMs: timesMs.at(-1) ?? 0 };
    const { changes, steps } = line;
    return { ...shared, changes, steps, stretches: stretchesOf(line, range), lacking: undefined };
  });
  const lacking = boots.flatMap((boot) => boot.lacking ?? []);
  if (lacking.length === boots.length) {
    const fullest = lacking.toSorted((a, b) => b.had - a.had)[0];
    return fullest ?? insufficient("points", CHANGE_POINT_MINIMUM, 0);
  }
  const parts = ["piecewise line with bends and steps, AR(1) errors", "penalised likelihood"];
  if (boots.length > 1) parts.push("each boot by itself");
  if (rhythm) parts.push("daily rhythm fitted");
  return { kind: "change-points", boots, method: parts.join("; ") };
}

function stretchesOf(
  { slopes, changes }: PiecewiseLine,
  range: { readonly fromMs: number; readonly toMs: number },
): Stretch[] {
  const ends = [range.fromMs, ...changes.map(({ atMs }) => atMs), range.toMs];
  return slopes.map((slope, index) => ({
    fromMs: ends[index] ?? range.fromMs,
    toMs: ends[index + 1] ?? range.toMs,
    slope,
  }));
}
