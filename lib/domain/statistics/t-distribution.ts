import { normalQuantile } from "./normal-distribution.ts";

/** Natural logarithm of the gamma function, for x > 0: Stirling's series after shifting x above 10. */
function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < 10) {
    product *= shifted;
    shifted += 1;
  }
  const r = 1 / (shifted * shifted);
  const series = (1 / 12 + r * (-1 / 360 + r * (1 / 1260 + r * (-1 / 1680 + r * (1 / 1188))))) / shifted;
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product)
  );
}

/** Regularised incomplete beta function I_x(a, b) by its continued fraction (Abramowitz and Stegun 26.5.8). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  // Evaluated from the front (modified Lentz), because the number of terms needed is not known beforehand.
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let value = d;
  for (let m = 1; m < 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const coefficient of [even, odd]) {
      d = 1 + coefficient * d;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = 1 + coefficient / c;
      if (Math.abs(c) < tiny) c = tiny;
      change = c * d;
      value *= change;
    }
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return front * value;
}

/**
 * Probability that a deviate of Student's t distribution with `df` degrees of freedom (any positive number) is above `t`.
 * Relative error below 1e-11 for df up to 100,000. Reference: Abramowitz and Stegun 26.7.1.
 *
 * @example tUpperTail(2.2281388519649385, 10) // 0.025
 */
export function tUpperTail(t: number, df: number): number {
  if (Number.isNaN(t) || !(df > 0)) return NaN;
  if (!Number.isFinite(t)) return t > 0 ? 0 : 1;
  const tail = incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
  return t >= 0 ? tail : 1 - tail;
}

/**
 * The value that a Student t deviate with `df` degrees of freedom stays below with probability `p`.
 * Found by bisection between brackets that are doubled outwards from the normal quantile. Cost: about 60 tail evaluations.
 *
 * @example tQuantile(0.975, 10) // 2.2281388519649385
 */
export function tQuantile(p: number, df: number): number {
  if (Number.isNaN(p) || p < 0 || p > 1 || !(df > 0)) return NaN;
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  let low = 0;
  let high = Math.max(1, -normalQuantile(tail));
  while (tUpperTail(high, df) > tail) {
    low = high;
    high *= 2;
  }
  for (let i = 0; i < 200 && high - low > 1e-15 * high; i += 1) {
    const middle = (low + high) / 2;
    if (tUpperTail(middle, df) > tail) low = middle;
    else high = middle;
  }
  const value = (low + high) / 2;
  return p < 0.5 ? -value : value;
}
