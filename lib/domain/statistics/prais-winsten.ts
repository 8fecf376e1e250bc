import { effectiveObservations } from "./ar1-variance.ts";
import { lagOneAutocorrelation } from "./autocorrelation.ts";
import type { Insufficient } from "./insufficient.ts";
import { insufficient } from "./insufficient.ts";
import type { Segment } from "./series.ts";
import { usualStepMs } from "./series.ts";
import type { LeastSquares } from "./least-squares.ts";
import { solveLeastSquares } from "./least-squares.ts";

/** A regression whose errors remember the one before. */
export interface AutoregressiveFit {
  /** One a column of the design, in its order and in units of value per unit of the column. */
  readonly coefficients: readonly number[];
  /** Covariance of the coefficients. */
  readonly covariance: readonly (readonly number[])[];
  /** Lag-1 coefficient used, corrected for bias. */
  readonly phi: number;
  /** Standard deviation of the errors themselves (not of the innovations). */
  readonly errorSd: number;
  /**
   * For Student's t: points less coefficients, or the effective number of observations where that is smaller, because phi
   * and the variance are estimated from no more than those.
   */
  readonly degreesOfFreedom: number;
  readonly n: number;
}

/** One segment with the rows of its design: `columns[c][i]` belongs to point i. */
export interface DesignSegment extends Segment {
  readonly columns: readonly Float64Array[];
}

/**
 * Prais-Winsten: least squares with AR(1) errors for any design.
 *
 * Ordinary least squares gives residuals, these give phi (bias-corrected, see autocorrelation.ts), each row then has
 * phi^k times the row before subtracted and is divided by the standard deviation of what is left, k being the distance in
 * usual steps; this repeats until phi settles. The first row of each segment is kept, weighed by its own variance: that is
 * what distinguishes it from Cochrane-Orcutt and what matters at phi near 1. Segments (boots) start anew. A gap of k steps
 * simply remembers less (phi^k), so missing points need no filling.
 *
 * Assumes: AR(1) errors, the same phi and variance in all segments, a design that is right.
 * Misleads: with fewer than about 24 points, or with columns that say nearly the same.
 * References: S. J. Prais and C. B. Winsten, Cowles Commission Discussion Paper 383 (1954); for unequal distances,
 * N. E. Savin and K. J. White, Journal of Econometrics 8 (1978) 131-143. Cost: O(n p^2) an iteration, at most 25 of them.
 *
 * @example a line through 1, 3, 5 at hours 0, 1, 2: coefficients [1, 2] for the columns [1, 1, 1] and [0, 1, 2]
 */
export function praisWinsten(segments: readonly DesignSegment[]): AutoregressiveFit | Insufficient {
  const parameters = segments[0]?.columns.length ?? 0;
  const n = segments.reduce((sum, { values }) => sum + values.length, 0);
  const stepMs = usualStepMs(segments);
  if (stepMs === undefined || n < parameters + 3) {
    return insufficient("points for the regression", parameters + 3, n);
  }
  let phi = 0;
  let fit = fitWhitened(segments, stepMs, phi);
  for (let iteration = 0; fit !== undefined && iteration < 25; iteration += 1) {
    const { coefficients } = fit;
    const residuals = segments.map((segment) => residualsOf(segment, coefficients));
    const next = lagOneAutocorrelation(residuals, stepMs, parameters).corrected;
    const settled = Math.abs(next - phi) < 1e-6;
    phi = next;
    fit = fitWhitened(segments, stepMs, phi);
    if (settled) break;
  }
  if (fit === undefined) return insufficient("independent columns in the design", parameters, parameters - 1);
  const errorVariance = fit.residualSquares / (n - parameters);
  return {
    coefficients: fit.coefficients,
    covariance: fit.inverse.map((row) => row.map((entry) => entry * errorVariance)),
    phi,
    errorSd: Math.sqrt(errorVariance),
    degreesOfFreedom: Math.min(n - parameters, effectiveObservations(n, phi)),
    n,
  };
}

/**
 * Divides out the memory of AR(1) noise: column by column, rows of one segment. The result has independent errors with the
 * variance of the original error.
 */
export function whiten(
  timesMs: Float64Array,
  column: Float64Array,
  stepMs: number,
  phi: number,
): Float64Array {
  const out = new Float64Array(column.length);
  for (let i = 0; i < column.length; i += 1) {
    if (i === 0) {
      out[i] = column[i] as number;
      continue;
    }
    const memory = memoryAt(timesMs, i, stepMs, phi);
    out[i] = ((column[i] as number) - memory * (column[i - 1] as number)) / Math.sqrt(1 - memory * memory);
  }
  return out;
}

/**
 * Generalised least squares with a phi that is known: one step of {@link praisWinsten}. `inverse` times the error variance is
 * the covariance of the coefficients. `undefined` when columns are linearly dependent.
 */
export function fitWhitened(
  segments: readonly DesignSegment[],
  stepMs: number,
  phi: number,
): LeastSquares | undefined {
  const columns: Float64Array[][] = (segments[0]?.columns ?? []).map(() => []);
  const values: Float64Array[] = [];
  for (const segment of segments) {
    values.push(whiten(segment.timesMs, segment.values, stepMs, phi));
    segment.columns.forEach((column, c) => columns[c]?.push(whiten(segment.timesMs, column, stepMs, phi)));
  }
  return solveLeastSquares(columns.map(joined), joined(values));
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** How much of the error of the point before is left at point `i` (1 or more): phi to the number of usual steps between. */
export function memoryAt(timesMs: Float64Array, i: number, stepMs: number, phi: number): number {
  return phi ** (((timesMs[i] as number) - (timesMs[i - 1] as number)) / stepMs);
}

/** What a fit leaves of the values of a segment. */
export function residualsOf(
  { timesMs, values, columns }: DesignSegment,
  coefficients: readonly number[],
): Segment {
  const residuals = values.map((value, i) =>
    columns.reduce((rest, column, c) => rest - (coefficients[c] as number) * (column[i] as number), value),
  );
  return { timesMs, values: residuals };
}
