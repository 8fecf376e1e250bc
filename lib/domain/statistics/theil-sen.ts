import { ar1SlopeInflation, effectiveObservations } from "./ar1-variance.ts";
import { lagOneAutocorrelation } from "./autocorrelation.ts";
import type { Insufficient } from "./insufficient.ts";
import { insufficient } from "./insufficient.ts";
import { kendallVariance, scorePValue } from "./mann-kendall.ts";
import { quantileInPlace, selectInPlace } from "./robust.ts";
import type { Segment } from "./series.ts";
import { thinByBucketMedians, usualStepMs } from "./series.ts";
import { tQuantile, tUpperTail } from "./t-distribution.ts";

const HOUR_MS = 3_600_000;

/** A slope with its uncertainty. */
export interface SlopeEstimate {
  /** Unit of the values per hour. */
  readonly slopePerHour: number;
  /** 95 % interval of the slope, same unit. */
  readonly ci95: readonly [number, number];
  /** Two-sided, of no slope: from Kendall's score with the inflated variance. */
  readonly pValue: number;
  /** Points used, after thinning. */
  readonly n: number;
  /** Lag-1 coefficient of the residuals that was used, corrected for bias. */
  readonly phi: number;
  /** Factor by which serial correlation (and `extraInflation`) multiplied the variance. */
  readonly inflation: number;
}

export interface TheilSenOptions {
  /** Coverage of the interval, default 0.95. */
  readonly confidence?: number;
  /** Above this many points the segments are thinned by bucket medians; default 1,500 (1.1 million pairs). */
  readonly maxPoints?: number;
  /** Coefficients fitted beside the slope and one intercept a segment (daily harmonics taken out before): default 0. */
  readonly extraParameters?: number;
  /** Factor on the variance for what was fitted beside the slope; default 1. */
  readonly extraInflation?: number;
}

/**
 * Theil-Sen slope with an interval that stays honest under serial correlation.
 *
 * The slope is the median of the slopes of all pairs of points; pairs are formed within a segment only, so that each boot
 * has its own level and no difference is taken across a reboot. Up to 29 % of the points may be arbitrarily wrong.
 * The interval turns Kendall's test round: it holds all slopes that the test would not refuse. With C a t quantile times
 * the standard deviation of Kendall's score, its ends are the pair slopes of rank (N - C)/2 and (N + C)/2. The variance of
 * the score is multiplied by what AR(1) noise with the bias-corrected lag-1 coefficient of the residuals does to a slope;
 * the t quantile has the effective number of observations as degrees of freedom. Where so few of these remain that C
 * reaches beyond half of the pairs, the interval of a smaller variance is stretched in proportion and the p value is that
 * of the slope over its error: the score of three observations is never significant, however steep the rise.
 *
 * Assumes: one straight line for all segments, AR(1) noise of any distribution.
 * Misleads: on steps and curves, which have a median slope too: see the persistence gates of lib/domain/analysis/trend.ts.
 * References: P. K. Sen, JASA 63 (1968) 1379-1389; H. Theil, Proc. Kon. Ned. Akad. v. Wetensch. A 53 (1950) 386-392.
 * Cost: O(n^2) time and memory in the number of points, 8 bytes a pair.
 *
 * @example theilSen([{ timesMs: Float64Array.of(0, 3600000, 7200000, 10800000), values: Float64Array.of(1, 2, 9, 4) }])
 * // slopePerHour 1: the slopes are 1, 4, 1, 7, 1, -5
 */
export function theilSen(
  segments: readonly Segment[],
  options: TheilSenOptions = {},
): SlopeEstimate | Insufficient {
  const { confidence = 0.95, maxPoints = 1500, extraParameters = 0, extraInflation = 1 } = options;
  const used = thinByBucketMedians(segments, maxPoints).filter(({ timesMs }) => timesMs.length >= 2);
  const n = used.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  const stepMs = usualStepMs(used);
  if (stepMs === undefined || n < 3) return insufficient("points for a slope", 3, n);

  const { slopes, score } = pairSlopes(used);
  const slope = quantileInPlace(slopes, 0.5);
  const { corrected: phi } = lagOneAutocorrelation(
    used.map((segment) => residualsOf(segment, slope)),
    stepMs,
    used.length + 1 + extraParameters,
  );
  const serial = ar1SlopeInflation(used, stepMs, phi);
  const inflation = Math.max(1, serial.slope) * serial.residual * extraInflation;
  const degreesOfFreedom = effectiveObservations(n, phi);
  const variance = used.reduce((sum, { values }) => sum + kendallVariance(values), 0) * inflation;
  const t = tQuantile(0.5 + confidence / 2, degreesOfFreedom);
  const { ci95, stretch } = invertScore(slopes, slope, t * Math.sqrt(variance));
  const towardsZero = slope > 0 ? slope - ci95[0] : ci95[1] - slope;
  return {
    slopePerHour: slope,
    ci95,
    pValue:
      stretch > 1
        ? 2 * tUpperTail(slope === 0 ? 0 : (t * Math.abs(slope)) / towardsZero, degreesOfFreedom)
        : scorePValue(score, variance, degreesOfFreedom),
    n,
    phi,
    inflation,
  };
}

function pairSlopes(segments: readonly Segment[]): { slopes: Float64Array; score: number } {
  const pairs = segments.reduce((sum, { timesMs }) => sum + (timesMs.length * (timesMs.length - 1)) / 2, 0);
  const slopes = new Float64Array(pairs);
  let score = 0;
  let at = 0;
  for (const { timesMs, values } of segments) {
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] as number;
      const timeMs = timesMs[i] as number;
      for (let j = i + 1; j < values.length; j += 1) {
        const rise = (values[j] as number) - value;
        score += rise > 0 ? 1 : rise < 0 ? -1 : 0;
        slopes[at] = (rise * HOUR_MS) / ((timesMs[j] as number) - timeMs);
        at += 1;
      }
    }
  }
  return { slopes, score };
}

/** Share of the pairs up to which the ends of the interval are taken as ranks; beyond, they are extrapolated. */
const RANK_LIMIT = 0.5;

function invertScore(
  slopes: Float64Array,
  slope: number,
  halfWidth: number,
): { ci95: readonly [number, number]; stretch: number } {
  const pairs = slopes.length;
  const reach = Math.min(halfWidth, RANK_LIMIT * pairs);
  const stretch = reach > 0 ? halfWidth / reach : 1;
  const lowerRank = Math.max(0, Math.floor((pairs - reach) / 2 - 0.5));
  const upperRank = Math.min(pairs - 1, Math.ceil((pairs + reach) / 2 - 0.5));
  const lower = selectInPlace(slopes, lowerRank);
  const upper = selectInPlace(slopes, upperRank, lowerRank);
  return { ci95: [slope - (slope - lower) * stretch, slope + (upper - slope) * stretch], stretch };
}

function residualsOf({ timesMs, values }: Segment, slopePerHour: number): Segment {
  const originMs = timesMs[0] ?? 0;
  const residuals = values.map(
    (value, i) => value - (slopePerHour * ((timesMs[i] as number) - originMs)) / HOUR_MS,
  );
  let mean = 0;
  residuals.forEach((value) => (mean += value / residuals.length));
  return { timesMs, values: residuals.map((value) => value - mean) };
}
