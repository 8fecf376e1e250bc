/** Solution of a least-squares problem. */
export interface LeastSquares {
  readonly coefficients: readonly number[];
  /** Inverse of X'X; times the error variance it is the covariance of the coefficients. */
  readonly inverse: readonly (readonly number[])[];
  /** Sum of squared residuals. */
  readonly residualSquares: number;
}

/** Coefficients of normal equations, with what a likelihood needs of the cross products. */
export interface NormalSolution {
  readonly coefficients: readonly number[];
  /** Inverse of X'X. */
  readonly inverse: readonly (readonly number[])[];
  /** Natural logarithm of the determinant of X'X. */
  readonly logDeterminant: number;
}

/**
 * Solves X'X b = X'y by a Cholesky factor of X'X scaled to a unit diagonal, so that a column of ones beside one of hours does
 * no harm. `products` is X'X row by row (only its lower triangle is read), `cross` is X'y. `undefined` when the columns are
 * linearly dependent (a pivot below 1e-10 of its column).
 * Reference: Å. Björck, Numerical Methods for Least Squares Problems (1996), 2.2. Cost: O(p^3).
 *
 * @example solveNormalEquations(Float64Array.of(3, 3, 3, 5), Float64Array.of(9, 13)) // coefficients [1, 2]: 1, 3, 5 at 0, 1, 2
 */
export function solveNormalEquations(
  products: Float64Array,
  cross: Float64Array,
): NormalSolution | undefined {
  const p = cross.length;
  const norms = Array.from(cross, (_, i) => Math.sqrt(products[i * p + i] as number));
  if (norms.some((norm) => !(norm > 0 && norm < Infinity))) return undefined;
  const factor = new Float64Array(p * p);
  let logDeterminant = 0;
  for (let i = 0; i < p; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = (products[i * p + j] as number) / ((norms[i] as number) * (norms[j] as number));
      for (let k = 0; k < j; k += 1) sum -= (factor[i * p + k] as number) * (factor[j * p + k] as number);
      if (i === j) {
        if (!(sum > 1e-10)) return undefined;
        factor[i * p + i] = Math.sqrt(sum);
        logDeterminant += Math.log(sum) + 2 * Math.log(norms[i] as number);
      } else {
        factor[i * p + j] = sum / (factor[j * p + j] as number);
      }
    }
  }
  const solve = (right: Float64Array): Float64Array => {
    const out = Float64Array.from(right);
    for (let i = 0; i < p; i += 1) {
      for (let k = 0; k < i; k += 1)
        out[i] = (out[i] as number) - (factor[i * p + k] as number) * (out[k] as number);
      out[i] = (out[i] as number) / (factor[i * p + i] as number);
    }
    for (let i = p - 1; i >= 0; i -= 1) {
      for (let k = i + 1; k < p; k += 1) {
        out[i] = (out[i] as number) - (factor[k * p + i] as number) * (out[k] as number);
      }
      out[i] = (out[i] as number) / (factor[i * p + i] as number);
    }
    return out;
  };
  const scaled = solve(cross.map((value, c) => value / (norms[c] as number)));
  const coefficients = Array.from(scaled, (value, c) => value / (norms[c] as number));
  const inverse = norms.map((norm, i) => {
    const unit = new Float64Array(p);
    unit[i] = 1;
    return Array.from(solve(unit), (value, j) => value / (norm * (norms[j] as number)));
  });
  return { coefficients, inverse, logDeterminant };
}

/**
 * Ordinary least squares by the normal equations, for designs of few columns.
 *
 * Give times relative to the window, not since 1970. `undefined` when the columns are linearly dependent
 * (see {@link solveNormalEquations}).
 * Reference: Å. Björck, Numerical Methods for Least Squares Problems (1996), 2.2. Cost: O(n p^2 + p^3).
 *
 * @example solveLeastSquares([Float64Array.of(1, 1, 1), Float64Array.of(0, 1, 2)], Float64Array.of(1, 3, 5))
 * // coefficients [1, 2], residualSquares 0
 */
export function solveLeastSquares(
  columns: readonly Float64Array[],
  values: Float64Array,
): LeastSquares | undefined {
  const p = columns.length;
  const products = new Float64Array(p * p);
  columns.forEach((column, i) => {
    for (let j = 0; j <= i; j += 1) products[i * p + j] = dot(column, columns[j] as Float64Array);
  });
  const solution = solveNormalEquations(
    products,
    Float64Array.from(columns, (column) => dot(column, values)),
  );
  if (solution === undefined) return undefined;
  const { coefficients, inverse } = solution;
  let residualSquares = 0;
  for (let row = 0; row < values.length; row += 1) {
    let rest = values[row] as number;
    for (let c = 0; c < p; c += 1)
      rest -= (coefficients[c] as number) * ((columns[c] as Float64Array)[row] as number);
    residualSquares += rest * rest;
  }
  return { coefficients, inverse, residualSquares };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
