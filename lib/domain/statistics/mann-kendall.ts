import { normalUpperTail } from "./normal-distribution.ts";
import type { Segment } from "./series.ts";
import { tUpperTail } from "./t-distribution.ts";

/** Kendall's score of a series against time, pooled over segments. */
export interface KendallScore {
  /** Pairs that rise less pairs that fall, both points of a pair from one segment. */
  readonly score: number;
  /** Variance of the score when there is no trend and no serial correlation, corrected for ties. */
  readonly variance: number;
  /** Pairs compared. */
  readonly pairs: number;
  readonly n: number;
}

/**
 * Mann-Kendall: does the series rise more often than it falls? Needs no straight line and no normal noise.
 *
 * Each pair of points within a segment votes +1 if the later is higher, -1 if lower, 0 if equal. Boots are pooled by
 * adding their scores and variances, as the seasonal test does with months. Ties shrink the variance: each group of g
 * equal values takes g(g-1)(2g+5)/18 off.
 *
 * Assumes, for the variance: independent points. Memory series are not; multiply the variance by
 * `ar1SlopeInflation` before use. Misleads: a step gives a significant score as well as a slope does.
 * References: H. B. Mann, Econometrica 13 (1945) 245-259; M. G. Kendall, Rank Correlation Methods; R. M. Hirsch, J. R. Slack
 * and R. A. Smith, Water Resources Research 18 (1982) 107-121. Cost: O(n^2).
 *
 * @example kendallScore([{ timesMs: Float64Array.of(0, 1, 2, 3), values: Float64Array.of(1, 3, 2, 4) }])
 * // { score: 4, variance: 8.666666666666666, pairs: 6, n: 4 }
 */
export function kendallScore(segments: readonly Segment[]): KendallScore {
  let score = 0;
  let variance = 0;
  let pairs = 0;
  let total = 0;
  for (const { values } of segments) {
    const n = values.length;
    for (let i = 0; i < n; i += 1) {
      const value = values[i] as number;
      for (let j = i + 1; j < n; j += 1) {
        const later = values[j] as number;
        score += later > value ? 1 : later < value ? -1 : 0;
      }
    }
    variance += kendallVariance(values);
    pairs += (n * (n - 1)) / 2;
    total += n;
  }
  return { score, variance, pairs, n: total };
}

/** Variance of Kendall's score of one segment under independence, corrected for ties. Cost: O(n log n). */
export function kendallVariance(values: Float64Array): number {
  const weight = (count: number) => count * (count - 1) * (2 * count + 5);
  const sorted = Float64Array.from(values).sort();
  let variance = weight(sorted.length);
  for (let from = 0; from < sorted.length;) {
    let to = from + 1;
    while (to < sorted.length && sorted[to] === sorted[from]) to += 1;
    variance -= weight(to - from);
    from = to;
  }
  return variance / 18;
}

/**
 * Two-sided p value of a score with the given variance, with the continuity correction of one: by the normal
 * approximation, or by Student's t where the variance itself was estimated with so many degrees of freedom.
 * A variance of 0 (all values equal, or no pairs) says nothing against "no trend": 1.
 */
export function scorePValue(score: number, variance: number, degreesOfFreedom = Infinity): number {
  if (!(variance > 0)) return 1;
  const z = Math.max(0, Math.abs(score) - 1) / Math.sqrt(variance);
  const tail = Number.isFinite(degreesOfFreedom) ? tUpperTail(z, degreesOfFreedom) : normalUpperTail(z);
  return Math.min(1, 2 * tail);
}
