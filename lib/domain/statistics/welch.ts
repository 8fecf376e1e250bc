import { insufficient, type Insufficient } from "./insufficient.ts";
import { tQuantile } from "./t-distribution.ts";

/** A value with its standard error and how well that error is known. */
export interface EstimatedValue {
  readonly value: number;
  readonly standardError: number;
  /** Of the variance behind the standard error; any positive number. */
  readonly degreesOfFreedom: number;
}

/** A difference of two values with its 95 % interval. */
export interface EstimatedDifference extends EstimatedValue {
  readonly ci95: readonly [number, number];
}

/**
 * Mean of independent observations, with the standard error of a mean.
 *
 * Assumes: observations are independent of one another, such as one a node. {@link Insufficient} with fewer than two: one
 * observation says nothing about its spread. Cost: O(n).
 *
 * @example meanEstimate([1, 2, 6]) // value 3, standardError 1.5275, degreesOfFreedom 2
 */
export function meanEstimate(values: readonly number[]): EstimatedValue | Insufficient {
  const n = values.length;
  if (n < 2) return insufficient("observations", 2, n);
  const value = values.reduce((sum, each) => sum + each, 0) / n;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  return { value, standardError: Math.sqrt(squares / (n - 1) / n), degreesOfFreedom: n - 1 };
}

/** 95 % interval of one estimated value, by Student's t. */
export function intervalOf({
  value,
  standardError,
  degreesOfFreedom,
}: EstimatedValue): readonly [number, number] {
  const halfWidth = standardError === 0 ? 0 : tQuantile(0.975, degreesOfFreedom) * standardError;
  return [value - halfWidth, value + halfWidth];
}

/**
 * `b` less `a`, for two independent values whose errors may differ: variances add, and Student's t takes Welch's degrees of
 * freedom, (va + vb)² / (va² / dfa + vb² / dfb). The same formula serves two means over nodes and two coefficients
 * of two regressions.
 *
 * Assumes: the two are independent, their errors normal. Misleads: for windows that overlap, whose errors are partly the same
 * (the interval is then too wide), and for pairs (take the differences within each pair instead).
 * References: B. L. Welch, Biometrika 34 (1947) 28-35; F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114.
 *
 * @example welchDifference({ value: 1, standardError: 1, degreesOfFreedom: 4 }, { value: 5, standardError: 1, degreesOfFreedom: 4 })
 * // value 4, standardError 1.4142, degreesOfFreedom 8, ci95 [0.7388, 7.2612]
 */
export function welchDifference(a: EstimatedValue, b: EstimatedValue): EstimatedDifference {
  const [varianceA, varianceB] = [a.standardError ** 2, b.standardError ** 2];
  const variance = varianceA + varianceB;
  const shareA = variance > 0 ? varianceA / variance : 0.5;
  const estimate = {
    value: b.value - a.value,
    standardError: Math.sqrt(variance),
    degreesOfFreedom: 1 / (shareA ** 2 / a.degreesOfFreedom + (1 - shareA) ** 2 / b.degreesOfFreedom),
  };
  return { ...estimate, ci95: intervalOf(estimate) };
}

/**
 * `b` less `a` for two groups that are taken to spread alike: Student's t with the pooled variance, for as many degrees of
 * freedom as there are observations beyond two. For a group that is too small to tell its own spread, down to one
 * observation; the mean is that of the values as they are.
 *
 * Assumes: both groups spread alike. Misleads: where the smaller one spreads more. {@link Insufficient} with fewer than three
 * observations in all, or none on a side.
 *
 * @example pooledDifference([1, 2, 6], [9]) // value 6, standardError 3.0551, degreesOfFreedom 2
 */
export function pooledDifference(
  a: readonly number[],
  b: readonly number[],
): EstimatedDifference | Insufficient {
  const degreesOfFreedom = a.length + b.length - 2;
  if (a.length === 0 || b.length === 0 || degreesOfFreedom < 1) {
    return insufficient("observations on both sides", 3, a.length + b.length);
  }
  const meanOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  const squares = (values: readonly number[], mean: number) =>
    values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const variance = (squares(a, meanA) + squares(b, meanB)) / degreesOfFreedom;
  const estimate = {
    value: meanB - meanA,
    standardError: Math.sqrt(variance * (1 / a.length + 1 / b.length)),
    degreesOfFreedom,
  };
  return { ...estimate, ci95: intervalOf(estimate) };
}
