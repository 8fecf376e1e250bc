import type { Insufficient } from "./insufficient.ts";
import type { Correlation } from "./pearson.ts";
import { finitePairs, pearson } from "./pearson.ts";

/**
 * Spearman's correlation: Pearson's of the ranks, so that any rising curve counts as a relation and one outlier does not.
 * Equal values share the mean of their ranks.
 *
 * Pairs in which either is not finite are left out; {@link Insufficient} as for `pearson`. The p value is that of Student's t,
 * good from about 10 pairs.
 * Assumes: pairs drawn independently. Misleads: like Pearson's on two series that both trend.
 * Reference: C. Spearman, American Journal of Psychology 15 (1904) 72-101. Cost: O(n log n).
 *
 * @example spearman([1, 2, 3, 4], [1, 10, 10, 1000]) // coefficient 0.9486832980505138
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): Correlation | Insufficient {
  const pairs = finitePairs(x, y);
  return pearson(ranks(pairs.x), ranks(pairs.y));
}

/** Ranks from 1, ties sharing their mean. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranked = new Array<number>(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to += 1;
    for (let k = from; k < to; k += 1) ranked[order[k] ?? 0] = (from + to + 1) / 2;
    from = to;
  }
  return ranked;
}
