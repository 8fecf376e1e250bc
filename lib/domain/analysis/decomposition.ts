import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { insufficient, isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { praisWinsten } from "#lib/domain/statistics/prais-winsten.ts";
import type { Segment } from "#lib/domain/statistics/series.ts";
import { usualStepMs } from "#lib/domain/statistics/series.ts";
import type { LinearSlope } from "#lib/domain/statistics/linear-slope.ts";
import { linearSlope } from "#lib/domain/statistics/linear-slope.ts";
import type { BootSegment } from "./boot-segments.ts";
import { bootedAt, coveredMs, HOUR_MS, lineColumns, usableBoots } from "./boot-segments.ts";
import { cycleColumns } from "./cycles.ts";
import { TREND_MINIMUM, whatATrendLacks } from "./trend.ts";
import type { Interval } from "./vocabulary.ts";

/** Level at which the growth of the whole must be significant before it is shared out; that of trends. */
const LEVEL = 0.01;

/** A whole that grew by less than half the unit it is counted in, KiB or one, did not grow: there is nothing to share out. */
const LEAST_GROWTH = 0.5;

/**
 * A part that changed by less than this of the largest value, interval and all, is constant. Sums over some thousand doubles lose
 * 1e-12 of it at most; of a gigabyte counted in KiB this is a ten-thousandth of one.
 */
const ROUNDING = 1e-10;

/** A series that is part of another; `values` beside the times of the whole. */
export interface PartSeries {
  readonly key: string;
  /** `null` where it was not reported: there the part is not known, and it cannot be decomposed. */
  readonly values: readonly (number | null)[];
}

export interface DecompositionInput {
  /** The window's boots of the whole, in order of time. */
  readonly segments: readonly BootSegment[];
  /** Parts by boot, in the order of `segments`: the same times, and values that add up to the whole. */
  readonly parts: readonly (readonly PartSeries[])[];
}

/** The share of one part in the growth of the whole. Unrounded; slopes in the unit of the values per hour. */
export interface PartGrowth {
  readonly key: string;
  readonly slopePerHour: number;
  readonly ci95: Interval;
  /** Slope over that of the whole; negative for what shrank meanwhile. `undefined` unless the whole grew significantly. */
  readonly share: number | undefined;
  readonly shareCi95: Interval | undefined;
}

/** What the growth of a whole is made of. */
export interface Decomposition {
  readonly kind: "decomposition";
  readonly slopePerHour: number;
  readonly ci95: Interval;
  readonly pValue: number;
  /** The whole grew, at 1 %: only then are there shares. */
  readonly significant: boolean;
  /** Largest growth first. Their slopes sum to that of the whole. */
  readonly parts: readonly PartGrowth[];
  readonly n: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly method: string;
}

/**
 * Shares the slope of a whole out to its parts.
 *
 * The trend's own estimator, a median of pair slopes, does not add up: medians of parts do not sum to the median of the
 * whole. Here all are least-squares slopes with the same weights, those of generalised least squares with the phi of the
 * whole (Prais-Winsten), a level for each boot, the first 2 h of a boot left out, the rhythm fitted from 48 h on. A slope is
 * then a fixed linear function of the values, so that slopes of parts sum to the slope of the whole to rounding.
 * Intervals are each part's own: the variance of that linear function under the part's own noise and memory.
 * A share's interval is that of (part less share times whole) over the slope of the whole, so that what part and whole have in
 * common does not widen it; and no narrower than if the parts moved independently, because a mixture of fast and slow noise
 * hides the slow one from the lag-1 coefficient. Shares are given only where the whole grew significantly, since a ratio to next
 * to nothing is noise.
 *
 * Only points at which every part is known are used. {@link Insufficient} as for a trend.
 * Misleads: on a window with a step or a change of slope in it, where one line is not what happened; zoom to a stretch.
 */
export function decomposeGrowth({ segments, parts }: DecompositionInput): Decomposition | Insufficient {
  const keys = [...new Set(parts.flatMap((boot) => boot.map(({ key }) => key)))].filter((key) =>
    parts.every(
      (boot, index) => segments[index]?.timesMs.length === 0 || boot.some((part) => part.key === key),
    ),
  );
  const rows = segments.map((boot, index) => {
    return knownRows({ ...boot, bootedAtMs: bootedAt(boot, index) }, parts[index] ?? [], keys);
  });
  const used = rows.filter(({ whole }) => whole.timesMs.length >= 2);
  const wholes = used.map(({ whole }) => whole);
  const n = wholes.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  const lacking = whatATrendLacks(
    rows.map(({ whole }) => whole),
    rows.some(({ leftOut }) => leftOut > 0),
  );
  if (lacking !== undefined) return lacking;
  const originMs = wholes[0]?.timesMs[0] ?? 0;
  const waves = cycleColumns(wholes);
  const design = lineColumns(wholes, originMs, waves);
  const fit = praisWinsten(design);
  const stepMs = usualStepMs(wholes);
  if (isInsufficient(fit)) return fit;
  if (stepMs === undefined) return insufficient("points", TREND_MINIMUM.points, n);
  const slopeOf = linearSlope(design, { column: wholes.length, stepMs, phi: fit.phi });
  if (slopeOf === undefined) return insufficient("independent columns in the design", 2, 1);

  const total = slopeOf(wholes.map(({ values }) => values));
  const coveredHours = coveredMs(wholes) / HOUR_MS;
  const significant =
    total.pValue < LEVEL && total.ci95[0] > 0 && total.slopePerHour * coveredHours >= LEAST_GROWTH;
  const largest = wholes.reduce(
    (most, { values }) => values.reduce((inside, value) => Math.max(inside, Math.abs(value)), most),
    0,
  );
  const floor = (ROUNDING * largest) / coveredHours;
  const measured = keys.map((key) => {
    const values = used.map(({ parts: known }) => known.get(key) ?? new Float64Array());
    const own = slopeOf(values);
    const isConstant = [own.slopePerHour, ...own.ci95].every((each) => Math.abs(each) <= floor);
    return { key, values, isConstant, own: isConstant ? CONSTANT : own };
  });
  const halves = measured.map(({ own }) => halfWidth(own.ci95));
  const growths = measured.map(({ key, values, own, isConstant }, position): PartGrowth => {
    if (!significant) return { key, ...growthOf(own), share: undefined, shareCi95: undefined };
    if (isConstant) return { key, ...growthOf(own), share: 0, shareCi95: [0, 0] };
    const share = own.slopePerHour / total.slopePerHour;
    const rest = slopeOf(
      values.map((each, boot) => each.map((value, i) => value - share * (wholes[boot]?.values[i] ?? 0))),
    );
    const apart = Math.hypot(...halves.map((half, other) => (other === position ? 1 - share : share) * half));
    const half = Math.max(halfWidth(rest.ci95), apart) / total.slopePerHour;
    return { key, ...growthOf(own), share, shareCi95: [share - half, share + half] };
  });
  return {
    kind: "decomposition",
    slopePerHour: total.slopePerHour,
    ci95: total.ci95,
    pValue: total.pValue,
    significant,
    parts: growths.toSorted((a, b) => b.slopePerHour - a.slopePerHour),
    n,
    fromMs: originMs,
    toMs: wholes.at(-1)?.timesMs.at(-1) ?? originMs,
    method: [
      "generalised least squares with the lag-1 autocorrelation of the whole (Prais-Winsten), the same weights for every part",
      ...(wholes.length > 1 ? [`${wholes.length} boots pooled, a level for each`] : []),
      ...(waves({ timesMs: new Float64Array(), values: new Float64Array() }).length > 0
        ? ["daily rhythm fitted"]
        : []),
    ].join("; "),
  };
}

const CONSTANT: Pick<LinearSlope, "slopePerHour" | "ci95"> = { slopePerHour: 0, ci95: [0, 0] };

function growthOf({ slopePerHour, ci95 }: Pick<LinearSlope, "slopePerHour" | "ci95">) {
  return { slopePerHour, ci95 };
}

function halfWidth([low, high]: Interval): number {
  return (high - low) / 2;
}

interface KnownRows {
  readonly whole: Segment;
  readonly parts: ReadonlyMap<string, Float64Array>;
  readonly leftOut: number;
}

/** The points of a boot, past its warm-up, at which the whole and all parts are known. */
function knownRows(boot: BootSegment, parts: readonly PartSeries[], keys: readonly string[]): KnownRows {
  const wanted = keys.flatMap((key) => parts.find((part) => part.key === key) ?? []);
  const known = boot.timesMs.map((_, i) => {
    const value = boot.values[i];
    const all =
      wanted.length === keys.length && wanted.every(({ values }) => Number.isFinite(values[i] ?? NaN));
    return all && value != null ? value : null;
  });
  const [usable] = usableBoots([{ ...boot, values: known }], Infinity);
  const whole = usable?.segment ?? { timesMs: new Float64Array(), values: new Float64Array() };
  const indexOf = new Map(boot.timesMs.map((timeMs, index) => [timeMs, index]));
  return {
    whole,
    leftOut: usable?.leftOut ?? 0,
    parts: new Map(
      wanted.map(({ key, values }) => [
        key,
        whole.timesMs.map((timeMs) => values[indexOf.get(timeMs) ?? -1] ?? NaN),
      ]),
    ),
  };
}
