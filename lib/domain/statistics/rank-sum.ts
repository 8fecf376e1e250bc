import { normalUpperTail } from "./normal-distribution.ts";

/** Whether values of one sample tend to be larger than those of another. */
export interface RankSum {
  /** Pairs in which the first sample is larger, ties counted as half: Mann and Whitney's U. */
  readonly u: number;
  /** Two-sided, of neither sample tending to be larger. */
  readonly pValue: number;
  readonly method: "exact" | "normal";
}

/** The exact distribution is computed without ties, up to so many pairs or so few values on one side. */
const EXACT_PAIRS = 2500;
const EXACT_FEW = 8;

/**
 * Mann-Whitney (Wilcoxon rank sum): needs no normal distribution and is not moved by how far off an outlier is.
 *
 * Without ties, and with at most 2,500 pairs or 8 values on one side, the p value is exact; else from the normal
 * approximation with the variance corrected for ties and a continuity correction of one half. An empty sample has U 0
 * and p 1.
 *
 * Assumes: values independent of each other and, under the null, equally distributed in both samples.
 * Misleads: samples of one median but different spread can be significant. It asks about order, not about medians.
 * References: H. B. Mann and D. R. Whitney, Ann. Math. Statist. 18 (1947) 50-60. Cost: O(n log n), exact O(min(m, n) m n).
 *
 * @example rankSumTest([1.1, 2.2, 3.3, 4.4, 9.9], [0.5, 1.5, 2.5, 2.6, 0.1, 0.9, 1]) // u 30, pValue 0.048, exact
 */
export function rankSumTest(first: readonly number[], second: readonly number[]): RankSum {
  const m = first.length;
  const n = second.length;
  if (m === 0 || n === 0) return { u: 0, pValue: 1, method: "exact" };
  const all = [
    ...first.map((value) => ({ value, own: true })),
    ...second.map((value) => ({ value, own: false })),
  ].sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let tieTerm = 0;
  for (let from = 0; from < all.length;) {
    let to = from + 1;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    const size = to - from;
    const rank = (from + 1 + to) / 2;
    for (let i = from; i < to; i += 1) if (all[i]?.own) rankSum += rank;
    tieTerm += size ** 3 - size;
    from = to;
  }
  const u = rankSum - (m * (m + 1)) / 2;
  const total = m + n;
  if (tieTerm === 0 && (m * n <= EXACT_PAIRS || Math.min(m, n) <= EXACT_FEW)) {
    const below = rankSumDistribution(m, n)[Math.min(u, m * n - u)] ?? 1;
    return { u, pValue: Math.min(1, 2 * below), method: "exact" };
  }
  const variance = ((m * n) / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  const distance = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5);
  const pValue = variance > 0 ? Math.min(1, 2 * normalUpperTail(distance / Math.sqrt(variance))) : 1;
  return { u, pValue, method: "normal" };
}

/**
 * Probability of U being at most k, for k = 0 ... m n, when no values are tied and both samples are alike. Counts of
 * arrangements, one factor (1 - q^(n+i)) / (1 - q^i) of the Gaussian binomial after the other. Cost: O(min(m, n) m n).
 *
 * @example rankSumDistribution(2, 2) // [1/6, 2/6, 4/6, 5/6, 1]
 */
export function rankSumDistribution(m: number, n: number): Float64Array {
  const [few, many] = m < n ? [m, n] : [n, m];
  const top = few * many;
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  let arrangements = 1;
  for (let i = 1; i <= few; i += 1) {
    for (let k = top; k >= many + i; k -= 1)
      counts[k] = (counts[k] as number) - (counts[k - many - i] as number);
    for (let k = i; k <= top; k += 1) counts[k] = (counts[k] as number) + (counts[k - i] as number);
    arrangements *= (many + i) / i;
  }
  let sum = 0;
  return counts.map((count) => (sum += count / arrangements));
}
