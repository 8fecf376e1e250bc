const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / SQRT_TWO_PI;
}

/**
 * Probability that a standard normal deviate is above `z`, exact in the far tail too.
 *
 * Near the middle the integral is summed as density times z + z^3/3 + z^5/15 + ... (all terms of one sign); beyond 3 the
 * continued fraction z + 1/(z + 2/(z + 3/...)) of the Mills ratio is used. Relative error below 1e-13.
 * Reference: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.2.11 and 26.2.14.
 * Cost: at most about 100 terms.
 *
 * @example normalUpperTail(1.959963984540054) // 0.025
 */
export function normalUpperTail(z: number): number {
  if (Number.isNaN(z)) return NaN;
  if (z < 0) return 1 - normalUpperTail(-z);
  if (z > 39) return 0;
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let k = 3; term > sum * 1e-17; k += 2) {
      term *= (z * z) / k;
      sum += term;
    }
    return 0.5 - normalDensity(z) * sum;
  }
  let fraction = z;
  for (let k = 120; k >= 1; k -= 1) fraction = z + k / fraction;
  return normalDensity(z) / fraction;
}

/**
 * The value that a standard normal deviate stays below with probability `p`.
 *
 * A two-term rational start (good to 0.003) is refined by Halley steps on {@link normalUpperTail} until nothing changes.
 * `p` 0 and 1 give the infinities; outside of them NaN. Reference for the start: Abramowitz and Stegun 26.2.22.
 *
 * @example normalQuantile(0.975) // 1.959963984540054
 */
export function normalQuantile(p: number): number {
  if (Number.isNaN(p) || p < 0 || p > 1) return NaN;
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const t = Math.sqrt(-2 * Math.log(tail));
  let z = t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
  for (let i = 0; i < 8; i += 1) {
    const newton = (normalUpperTail(z) - tail) / normalDensity(z);
    const step = newton / (1 - (z * newton) / 2);
    z += step;
    if (Math.abs(step) < 1e-15 * Math.max(1, z)) break;
  }
  return p < 0.5 ? -z : z;
}
