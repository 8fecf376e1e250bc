import type { Segment } from "./series.ts";

/** What AR(1) noise does to the variance of a pooled slope. */
export interface SlopeInflation {
  /** Variance of the slope over its variance under white noise of the same strength: c'Rc / c'c. */
  readonly slope: number;
  /**
   * Variance of the noise over the residual variance seen: a fit follows slow noise and hides part of it. (n - p) over
   * n less the traces of what the fitted means and the slope take out.
   */
  readonly residual: number;
}

/**
 * How serially correlated noise inflates the variance of one slope that is shared by segments with own intercepts. c are
 * the times centred within each segment, R the correlation phi^(distance in steps) between points of one segment.
 *
 * Exact for the least-squares slope at any length and with gaps; it serves Kendall's S because both weigh the same pairs.
 * For long series `slope` tends to the familiar (1 + phi) / (1 - phi) and `residual` to 1. `phi` from 0 to below 1.
 * Misleads: when the noise has memory beyond one step that decays slower than phi^k.
 * Reference: for the idea, S. Yue and C. Y. Wang, Water Resources Management 18 (2004) 201-218. Cost: O(n), one pass with
 * an exponentially discounted sum.
 *
 * @example ar1SlopeInflation([{ timesMs: Float64Array.of(0, 1, 2), values: new Float64Array(3) }], 1, 0.5).slope // 0.75
 */
export function ar1SlopeInflation(segments: readonly Segment[], stepMs: number, phi: number): SlopeInflation {
  let slopeQuadratic = 0;
  let slopeSquares = 0;
  let meansTrace = 0;
  let n = 0;
  for (const { timesMs } of segments) {
    let mean = 0;
    timesMs.forEach((timeMs) => (mean += timeMs / timesMs.length));
    // c'Rc = sum of c_i (c_i + 2 f_i), f_i being what lies before, discounted by phi for every step of distance.
    let before = 0;
    let onesBefore = 0;
    let onesQuadratic = 0;
    for (let i = 0; i < timesMs.length; i += 1) {
      const c = ((timesMs[i] as number) - mean) / stepMs;
      if (i > 0) {
        const previous = ((timesMs[i - 1] as number) - mean) / stepMs;
        const memory = phi ** (c - previous);
        before = (before + previous) * memory;
        onesBefore = (onesBefore + 1) * memory;
      }
      slopeQuadratic += c * (c + 2 * before);
      slopeSquares += c * c;
      onesQuadratic += 1 + 2 * onesBefore;
    }
    if (timesMs.length > 0) meansTrace += onesQuadratic / timesMs.length;
    n += timesMs.length;
  }
  const slope = slopeSquares > 0 ? slopeQuadratic / slopeSquares : 1;
  const freedom = n - segments.length - 1;
  const residual = freedom > 0 ? freedom / Math.max(1, n - meansTrace - slope) : 1;
  return { slope, residual: Math.max(1, residual) };
}

/**
 * Number of independent observations that n AR(1) points are worth, n (1 - phi) / (1 + phi), at least 3: the degrees of
 * freedom that an estimated variance is given. Infinite precision is what makes short correlated series cry wolf.
 *
 * @example effectiveObservations(288, 0.8) // 32
 */
export function effectiveObservations(n: number, phi: number): number {
  return Math.max(3, (n * (1 - phi)) / (1 + phi));
}
