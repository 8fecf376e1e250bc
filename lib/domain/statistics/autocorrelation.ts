import type { Segment } from "./series.ts";

/** How strongly a residual resembles the one before it. */
export interface LagOne {
  /** Coefficient as computed, from -1 to 1. */
  readonly raw: number;
  /** After the correction for bias, limited to 0 to {@link PHI_LIMIT}: what the variance formulas take. */
  readonly corrected: number;
  /** Neighbouring pairs it rests on. */
  readonly pairs: number;
}

/**
 * Largest coefficient used. At 0.999 a day of 5-minute points holds less than one independent observation; beyond it the
 * model is a random walk and has no slope to speak of.
 */
export const PHI_LIMIT = 0.999;

/**
 * Lag-1 autocorrelation of residuals, corrected for the bias that estimating a line from the same data brings.
 *
 * `residuals` are what is left after the fit, one segment a boot; pairs are taken within a segment and only where two
 * points lie one usual step apart (0.5 to 1.5 of `stepMs`), so gaps and reboots contribute nothing. `parameters` is the
 * number of coefficients that were fitted (intercepts count).
 *
 * The raw coefficient is Burg's: twice the sum of products over the sum of both squares, never beyond -1 or 1. Its
 * expectation falls short of phi by about (2 phi + p (1 + phi)) / n with p smooth regressors, which is the (2 + 4 phi) / n
 * of the line with an intercept; that is added back. Negative coefficients are taken as 0: they would narrow
 * intervals, and a wrong one does harm.
 *
 * Assumes: AR(1) residuals. Misleads: a level shift or a daily cycle that is left in the residuals looks like phi near 1
 * (which widens intervals; the error is on the safe side).
 * References: J. P. Burg, thesis, Stanford 1975; for the bias, F. H. C. Marriott and J. A. Pope, Biometrika 41 (1954)
 * 390-402, and M. G. Kendall, same volume, 403-404. Cost: O(n).
 */
export function lagOneAutocorrelation(
  residuals: readonly Segment[],
  stepMs: number,
  parameters: number,
): LagOne {
  let products = 0;
  let squares = 0;
  let pairs = 0;
  for (const { timesMs, values } of residuals) {
    for (let i = 1; i < values.length; i += 1) {
      const steps = ((timesMs[i] as number) - (timesMs[i - 1] as number)) / stepMs;
      if (steps < 0.5 || steps > 1.5) continue;
      const a = values[i - 1] as number;
      const b = values[i] as number;
      products += a * b;
      squares += a * a + b * b;
      pairs += 1;
    }
  }
  const raw = squares > 0 ? (2 * products) / squares : 0;
  return { raw, corrected: correctLagOneBias(raw, pairs + 1, parameters), pairs };
}

/** The correction of {@link lagOneAutocorrelation} alone: raw coefficient, points and fitted coefficients in. */
export function correctLagOneBias(raw: number, n: number, parameters: number): number {
  const corrected = raw + (2 * raw + parameters * (1 + raw)) / n;
  return Math.min(PHI_LIMIT, Math.max(0, corrected));
}
