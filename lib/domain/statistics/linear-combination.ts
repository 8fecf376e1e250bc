/** Coefficients of a fit with their covariance. */
interface Fitted {
  readonly coefficients: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

/**
 * A sum of coefficients with weights, in their order, and its standard error: w'b and the root of w'Vw. Coefficients without
 * a weight, or with 0, have no part in it. Cost: O(p^2).
 *
 * @example linearCombination({ coefficients: [1, 2], covariance: [[4, 1], [1, 9]] }, [1, 1]) // value 3, standardError sqrt(15)
 */
export function linearCombination(
  { coefficients, covariance }: Fitted,
  weights: readonly number[],
): { value: number; standardError: number } {
  let value = 0;
  let variance = 0;
  weights.forEach((weight, i) => {
    if (weight === 0) return;
    value += weight * (coefficients[i] ?? 0);
    weights.forEach((other, j) => {
      if (other !== 0) variance += weight * other * (covariance[i]?.[j] ?? 0);
    });
  });
  return { value, standardError: Math.sqrt(Math.max(0, variance)) };
}
