import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { AutoregressiveFit, DesignSegment } from "#lib/domain/statistics/prais-winsten.ts";
import { fitWhitened, praisWinsten, whiten } from "#lib/domain/statistics/prais-winsten.ts";
import { median } from "#lib/domain/statistics/robust.ts";
import type { Segment } from "#lib/domain/statistics/series.ts";
import { usualStepMs } from "#lib/domain/statistics/series.ts";
import { tUpperTail } from "#lib/domain/statistics/t-distribution.ts";
import { HOUR_MS, lineColumns, spanMs } from "./boot-segments.ts";

/** What the shape of a rise is judged on: the points as measured, and the columns of a daily rhythm where one is fitted. */
export interface Shaped {
  readonly segments: readonly Segment[];
  readonly waves: (segment: Segment) => Float64Array[];
  /** Lag-1 coefficient of the residuals of the line. */
  readonly phi: number;
}

/** The way a rise came about, in fifths of its time. */
export interface Fifths {
  /** Rise from each fifth to the next, all boots together, as shares of the total; they sum to 1. */
  readonly shares: readonly number[];
  /** None falls by more than a tenth of the total, none brings 60 % of it, the last two bring at least 30 %. */
  readonly persistent: boolean;
}

const PARTS = 5;

/**
 * Cuts each boot into fifths of its points and compares their medians. Rises are taken per hour between the middles of the
 * fifths, so that a stretch without data does not pass for a jump, and summed over boots, part by part. Boots of fewer than
 * 10 points say nothing. `undefined` when none is longer or when nothing rose in all.
 *
 * A leak rises all the time; a step rises once; a warm-up rises less and less.
 */
export function fifthsOf(segments: readonly Segment[]): Fifths | undefined {
  const rises = new Array<number>(PARTS - 1).fill(0);
  let total = 0;
  for (const { timesMs, values } of segments) {
    if (values.length < 2 * PARTS) continue;
    const cuts = Array.from({ length: PARTS + 1 }, (_, k) => Math.round((k * values.length) / PARTS));
    const parts = Array.from({ length: PARTS }, (_, k) => ({
      atMs: median(timesMs.subarray(cuts[k], cuts[k + 1])) ?? 0,
      value: median(values.subarray(cuts[k], cuts[k + 1])) ?? 0,
    }));
    const meanStepMs = ((parts.at(-1)?.atMs ?? 0) - (parts[0]?.atMs ?? 0)) / (PARTS - 1);
    for (let k = 1; k < PARTS; k += 1) {
      const from = parts[k - 1];
      const to = parts[k];
      if (from === undefined || to === undefined) continue;
      const rise = ((to.value - from.value) * meanStepMs) / (to.atMs - from.atMs);
      rises[k - 1] = (rises[k - 1] ?? 0) + rise;
      total += rise;
    }
  }
  if (!(total > 0)) return undefined;
  const shares = rises.map((rise) => rise / total);
  return {
    shares,
    persistent:
      Math.min(...shares) > -0.1 && Math.max(...shares) < 0.6 && lastTwo(shares) >= LEAST_LATE_SHARE,
  };
}

/** What the last two rises bring of a rise that goes on. */
export const LEAST_LATE_SHARE = 0.3;

/** Share that the last two rises bring. */
export function lastTwo(shares: readonly number[]): number {
  return (shares[PARTS - 3] ?? 0) + (shares[PARTS - 2] ?? 0);
}

/** One step up, placed where it explains most, fitted together with slope and rhythm. */
export interface StepFit {
  /** One-sided p value of the slope beside the step being 0 or less. */
  readonly chanceOfNoSlope: number;
  /** One-sided p value of the step being 0 or less, times the number of places that were tried. */
  readonly chanceOfNoStep: number;
  /** One step without any slope leaves no more squares than one slope without any step. */
  readonly beatsLine: boolean;
  /** It is 20 times likelier than the slope, the search for its place paid for. */
  readonly decided: boolean;
  /** Variance of the innovations that are left. */
  readonly noise: number;
  /** The points without the rhythm, as estimated beside the step: a rhythm fitted alone would smear a step into a ramp. */
  readonly decycled: readonly Segment[];
}

/** Fits the likeliest step. `undefined` when there are too few points. */
export function fitStep(shaped: Shaped): StepFit | undefined {
  const lines = design(shaped, () => []);
  const step = likeliestStep(lines, shaped.phi);
  if (step === undefined) return undefined;
  const levels = lines.map((segment) => ({
    ...segment,
    columns: segment.columns.filter((_, column) => column !== lines.length),
  }));
  const stepAlone = likeliestStep(levels, shaped.phi);
  const segments = design(shaped, ({ timesMs }, index) => [
    timesMs.map((_, i) => (index === step.segment && i >= step.index ? 1 : 0)),
  ]);
  const fit = praisWinsten(segments);
  if (isInsufficient(fit)) return undefined;
  const slope = segments.length;
  const places = segments.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  // In variances of the innovations: twice the logarithm of how much likelier the step is.
  const overLine =
    stepAlone === undefined
      ? -Infinity
      : (step.squaresBefore - stepAlone.squaresLeft) / innovationVariance(fit);
  return {
    chanceOfNoSlope: chanceOfNoRise(fit, slope),
    chanceOfNoStep: Math.min(1, chanceOfNoRise(fit, slope + 1) * places),
    beatsLine: overLine >= 0,
    // Among so many places the best gains twice their logarithm from noise alone.
    decided: overLine > 2 * Math.log(20 * places),
    noise: innovationVariance(fit),
    decycled: segments.map(({ timesMs, values, columns }) => ({
      timesMs,
      values: values.map((value, i) => {
        let rest = value;
        for (let c = slope + 2; c < columns.length; c += 1) {
          rest -= (fit.coefficients[c] as number) * ((columns[c] as Float64Array)[i] as number);
        }
        return rest;
      }),
    })),
  };
}

/** Uptime after which the rest of a warm-up with a time constant of 12 h is under 2 % of it. */
const YOUNG_MS = 48 * HOUR_MS;
const WARM_UP_TAUS_MS = [2, 4, 8, 12].map((hours) => hours * HOUR_MS);

/**
 * Whether a rise after a boot can be told from a warm-up that levels off: for time constants up to 12 h, fits a settling
 * curve for each boot that was younger than 48 h when its points begin, and the slope, and asks whether the slope is above 0,
 * one-sided at `level`, beside each. `true` when no boot is young. On a day of points right after a boot, a straight line
 * and the early part of such a curve differ little; then only a rise far above the noise passes.
 */
export function survivesWarmUp(
  shaped: Shaped,
  bootedAtMs: readonly (number | undefined)[],
  level: number,
): boolean {
  const young = shaped.segments.flatMap(({ timesMs }, index) => {
    const booted = bootedAtMs[index];
    return booted !== undefined && (timesMs[0] ?? Infinity) - booted < YOUNG_MS ? [index] : [];
  });
  if (young.length === 0) return true;
  return WARM_UP_TAUS_MS.every((tauMs) => {
    const fit = praisWinsten(
      design(shaped, ({ timesMs }, own) =>
        young.map((index) => settling(timesMs, index === own ? tauMs : 0)),
      ),
    );
    return isInsufficient(fit) || chanceOfNoRise(fit, shaped.segments.length) < level;
  });
}

/**
 * Whether the growth is slowing to less than half: a curvature below 0, one-sided at `level`, and a slope at the end under half
 * of that at the start.
 */
export function isSlowing(shaped: Shaped, level: number): boolean {
  const { segments } = shaped;
  const fit = praisWinsten(
    design(shaped, ({ timesMs }) => [timesMs.map((timeMs) => ((timeMs - (timesMs[0] ?? 0)) / HOUR_MS) ** 2)]),
  );
  if (isInsufficient(fit)) return false;
  const slope = fit.coefficients[segments.length] ?? 0;
  const curvature = fit.coefficients[segments.length + 1] ?? 0;
  const error = Math.sqrt(fit.covariance[segments.length + 1]?.[segments.length + 1] ?? Infinity);
  const longestHours = Math.max(...segments.map((segment) => spanMs(segment) / HOUR_MS));
  return (
    tUpperTail(-curvature / error, fit.degreesOfFreedom) < level &&
    slope + 2 * curvature * longestHours < slope / 2
  );
}

/**
 * A rise that no straight line shows. A large step or a steep warm-up leaves residuals so slow that the interval of the slope
 * holds 0; yet the level did rise. Asked when the slope is not significant: is there a step up (one-sided 1 %, times the
 * places tried) or a settling rise (0.1 %, time constants from a tenth to a third of the window)? Of the two the one that
 * leaves less noise, provided that the level stays where it rose to: a wave that comes back is none.
 */
export function bentRise(shaped: Shaped, step: StepFit | undefined): "stepped" | "levelling-off" | undefined {
  const { segments } = shaped;
  const shares = fifthsOf(step?.decycled ?? segments)?.shares;
  if (shares === undefined || !staysUp(shares)) return undefined;
  const longestMs = Math.max(...segments.map(spanMs));
  const settlings = [10, 5, 3].flatMap((part) => {
    const fit = praisWinsten(design(shaped, ({ timesMs }) => [settling(timesMs, longestMs / part)]));
    return isInsufficient(fit) || chanceOfNoRise(fit, segments.length + 1) > 0.001
      ? []
      : [innovationVariance(fit)];
  });
  const stepped = step !== undefined && step.chanceOfNoStep < 0.01 ? step.noise : Infinity;
  const settled = Math.min(Infinity, ...settlings);
  if (stepped === Infinity && settled === Infinity) return undefined;
  return stepped <= settled ? "stepped" : "levelling-off";
}

/** Whether the level fell at once and stayed down: {@link bentRise} of the series turned over, where a step is the better account. */
export function isStepDown(shaped: Shaped): boolean {
  const turned = turnedOver(shaped);
  return fifthsOf(turned.segments) !== undefined && bentRise(turned, fitStep(turned)) === "stepped";
}

/** The same with falls for rises. */
export function turnedOver(shaped: Shaped): Shaped {
  return {
    ...shaped,
    segments: shaped.segments.map(({ timesMs, values }) => ({
      timesMs,
      values: values.map((value) => -value),
    })),
  };
}

/** No fifth lies more than a fifth of the rise below the first or above the last. */
function staysUp(shares: readonly number[]): boolean {
  let level = 0;
  return shares.every((share) => {
    level += share;
    return level > -0.2 && level < 1.2;
  });
}

function innovationVariance({ errorSd, phi }: AutoregressiveFit): number {
  return errorSd ** 2 * (1 - phi ** 2);
}

/** Lines with own intercepts, a common slope, the columns of `more`, and the rhythm last. */
function design(shaped: Shaped, more: (segment: Segment, index: number) => Float64Array[]): DesignSegment[] {
  const originMs = shaped.segments[0]?.timesMs[0] ?? 0;
  return lineColumns(shaped.segments, originMs, (segment, index) => [
    ...more(segment, index),
    ...shaped.waves(segment),
  ]);
}

/** A rise towards 1 from the first point on; all 0 when `tauMs` is. */
function settling(timesMs: Float64Array, tauMs: number): Float64Array {
  return timesMs.map((timeMs) => (tauMs > 0 ? 1 - Math.exp(-(timeMs - (timesMs[0] ?? 0)) / tauMs) : 0));
}

/** One-sided p value of the coefficient being 0 or less. */
function chanceOfNoRise(fit: AutoregressiveFit, column: number): number {
  const error = Math.sqrt(fit.covariance[column]?.[column] ?? Infinity);
  return tUpperTail((fit.coefficients[column] ?? 0) / error, fit.degreesOfFreedom);
}

interface Step {
  readonly segment: number;
  /** First point after the step. */
  readonly index: number;
  /** Whitened residual squares of the design alone, and with the step. */
  readonly squaresBefore: number;
  readonly squaresLeft: number;
}

/**
 * Where one step up takes most of the squares off a design whose first columns are the intercepts. All places are tried with
 * running sums over the whitened rows, from the last to the first: O(n p^2) in all.
 */
function likeliestStep(segments: readonly DesignSegment[], phi: number): Step | undefined {
  const stepMs = usualStepMs(segments);
  if (stepMs === undefined) return undefined;
  const fit = fitWhitened(segments, stepMs, phi);
  if (fit === undefined) return undefined;
  const columns = fit.coefficients.length;
  const squaresBefore = fit.residualSquares;
  let best: Step | undefined;
  let most = 0;
  segments.forEach((segment, own) => {
    const { timesMs, values } = segment;
    const whitened = segment.columns.map((column) => whiten(timesMs, column, stepMs, phi));
    const residuals = whiten(timesMs, values, stepMs, phi).map((value, i) =>
      whitened.reduce(
        (rest, column, c) => rest - (fit.coefficients[c] as number) * (column[i] as number),
        value,
      ),
    );
    const level = whitened[own];
    if (level === undefined) return;
    // A step at i, whitened, is a lone 1 / sqrt(1 - memory^2) at i and the whitened intercept after it.
    let laterResidual = 0;
    let laterSquare = 0;
    const laterColumns = new Float64Array(columns);
    const against = new Float64Array(columns);
    for (let i = timesMs.length - 1; i >= 1; i -= 1) {
      const memory = phi ** (((timesMs[i] as number) - (timesMs[i - 1] as number)) / stepMs);
      const onset = 1 / Math.sqrt(1 - memory * memory);
      const weight = level[i] as number;
      for (let c = 0; c < columns; c += 1) {
        const entry = (whitened[c] as Float64Array)[i] as number;
        against[c] = (laterColumns[c] as number) + onset * entry;
        laterColumns[c] = (laterColumns[c] as number) + weight * entry;
      }
      const square = laterSquare + onset * onset;
      let explained = 0;
      for (let a = 0; a < columns; a += 1) {
        for (let b = 0; b < columns; b += 1) {
          explained += (against[a] as number) * (fit.inverse[a]?.[b] ?? 0) * (against[b] as number);
        }
      }
      const free = square - explained;
      const shared = laterResidual + onset * (residuals[i] as number);
      if (shared > 0 && free > 1e-9 * square && (shared * shared) / free > most) {
        most = (shared * shared) / free;
        best = { segment: own, index: i, squaresBefore, squaresLeft: squaresBefore - most };
      }
      laterResidual += weight * (residuals[i] as number);
      laterSquare += weight * weight;
    }
  });
  return best;
}
