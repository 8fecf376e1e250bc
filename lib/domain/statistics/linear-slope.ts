import { effectiveObservations } from "./ar1-variance.ts";
import { lagOneAutocorrelation } from "./autocorrelation.ts";
import type { DesignSegment } from "./prais-winsten.ts";
import { fitWhitened, memoryAt, residualsOf, whiten } from "./prais-winsten.ts";
import { tQuantile, tUpperTail } from "./t-distribution.ts";

/** A coefficient that is a fixed linear function of the values, with its uncertainty. */
export interface LinearSlope {
  /** Unit of the values per unit of the column. */
  readonly slopePerHour: number;
  readonly ci95: readonly [number, number];
  /** Two-sided, of no slope at all. */
  readonly pValue: number;
  /** Lag-1 coefficient of the residuals of these values, corrected for bias. */
  readonly phi: number;
}

/**
 * One coefficient of a regression as a function of the values alone: design and weights are held, so that the coefficients of
 * series that add up add up too.
 *
 * Weights are those of generalised least squares with `phi`, which need not be right for the values that come: the estimate
 * stays unbiased, and its variance w' V w is taken under the memory and strength that the residuals of those values show.
 * `undefined` when the columns are linearly dependent.
 *
 * Assumes: AR(1) errors in each series, of any phi. Misleads: as {@link praisWinsten}.
 * Reference: for the variance under another V than the weights were made for, T. Amemiya, Advanced Econometrics (1985), 6.1.
 * Cost: O(n p^2) a series.
 *
 * @example for columns [1, 1, 1] and [0, 1, 2], phi 0: values 1, 3, 5 give 2; values 0, 0, 3 give 1.5; their sum gives 3.5
 */
export function linearSlope(
  design: readonly DesignSegment[],
  { column, stepMs, phi }: { readonly column: number; readonly stepMs: number; readonly phi: number },
): ((values: readonly Float64Array[]) => LinearSlope) | undefined {
  const inverse = fitWhitened(design, stepMs, phi)?.inverse;
  if (inverse === undefined) return undefined;
  const weights = design.map((segment) => weightsOf(segment, inverse[column] ?? [], stepMs, phi));
  const parameters = inverse.length;
  const n = design.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  return (values) => {
    const own = design.map((segment, s) => ({ ...segment, values: values[s] ?? new Float64Array() }));
    const coefficients = fitWhitened(own, stepMs, phi)?.coefficients ?? [];
    const slopePerHour = coefficients[column] ?? NaN;
    const residuals = own.map((segment) => residualsOf(segment, coefficients));
    const { corrected } = lagOneAutocorrelation(residuals, stepMs, parameters);
    const freedom = Math.max(1, n - parameters);
    const innovations = residuals.reduce(
      (sum, segment) => sum + squares(whiten(segment.timesMs, segment.values, stepMs, corrected)),
      0,
    );
    const spread = weights.reduce(
      (sum, w, s) => sum + quadraticForm(design[s]?.timesMs ?? new Float64Array(), w, stepMs, corrected),
      0,
    );
    const error = Math.sqrt((innovations / freedom) * spread);
    const degreesOfFreedom = Math.min(freedom, effectiveObservations(n, corrected));
    const half = tQuantile(0.975, degreesOfFreedom) * error;
    return {
      slopePerHour,
      ci95: [slopePerHour - half, slopePerHour + half],
      pValue: slopePerHour === 0 ? 1 : 2 * tUpperTail(Math.abs(slopePerHour) / error, degreesOfFreedom),
      phi: corrected,
    };
  };
}

/** The coefficient is the sum of these times the values: the whitening, transposed, of the whitened columns combined. */
function weightsOf(
  { timesMs, columns }: DesignSegment,
  row: readonly number[],
  stepMs: number,
  phi: number,
): Float64Array {
  const combined = new Float64Array(timesMs.length);
  columns.forEach((column, c) => {
    const whitened = whiten(timesMs, column, stepMs, phi);
    for (let i = 0; i < combined.length; i += 1)
      combined[i] = (combined[i] as number) + (row[c] ?? 0) * (whitened[i] as number);
  });
  return combined.map((value, i) => {
    const scaled = i === 0 ? value : value / Math.sqrt(1 - memoryAt(timesMs, i, stepMs, phi) ** 2);
    if (i + 1 >= combined.length) return scaled;
    const memory = memoryAt(timesMs, i + 1, stepMs, phi);
    return scaled - (memory * (combined[i + 1] as number)) / Math.sqrt(1 - memory * memory);
  });
}

/** w'Rw for correlations phi^(distance in steps), by a discounted running sum. */
function quadraticForm(timesMs: Float64Array, weights: Float64Array, stepMs: number, phi: number): number {
  let sum = 0;
  let before = 0;
  weights.forEach((weight, i) => {
    if (i > 0) before = (before + (weights[i - 1] as number)) * memoryAt(timesMs, i, stepMs, phi);
    sum += weight * (weight + 2 * before);
  });
  return Math.max(0, sum);
}

function squares(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}
