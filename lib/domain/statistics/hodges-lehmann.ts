import { normalQuantile } from "./normal-distribution.ts";
import { rankSumDistribution } from "./rank-sum.ts";
import { quantileInPlace, selectInPlace } from "./robust.ts";

/** By how much one sample is larger than another, in the unit of the values. */
export interface Shift {
  readonly shift: number;
  /** 95 % interval; an end that so few values cannot give is the largest or smallest difference seen. */
  readonly ci95: readonly [number, number];
}

/** Above this many values a side is thinned to its quantiles: 1,000 times 1,000 differences are 8 MB. */
const MOST_VALUES = 1000;

/**
 * Hodges-Lehmann shift: the median of all differences between a value of the first sample and one of the second, with the
 * interval that belongs to the rank sum test (the differences whose rank the test at 5 % would not refuse).
 *
 * Exact ranks up to 2,500 pairs, else from the normal approximation. Both samples need a value, else `undefined`.
 * Assumes: two distributions of one form, shifted. Misleads: where only a part of one sample is shifted, the shift is that
 * of the median and not of the part.
 * Reference: J. L. Hodges and E. L. Lehmann, Ann. Math. Statist. 34 (1963) 598-611. Cost: O(m n).
 *
 * @example hodgesLehmannShift([3, 4, 5], [1, 2, 3])?.shift // 2
 */
export function hodgesLehmannShift(
  firstValues: readonly number[],
  secondValues: readonly number[],
): Shift | undefined {
  const first = thinned(firstValues);
  const second = thinned(secondValues);
  const m = first.length;
  const n = second.length;
  const pairs = m * n;
  if (pairs === 0) return undefined;
  const differences = new Float64Array(pairs);
  first.forEach((value, i) => second.forEach((other, j) => (differences[i * n + j] = value - other)));
  const shift = quantileInPlace(differences, 0.5);
  const rank = Math.min(Math.floor((pairs - 1) / 2), refusedBelow(m, n));
  return { shift, ci95: [selectInPlace(differences, rank), selectInPlace(differences, pairs - 1 - rank)] };
}

/** How many of the smallest differences the test refuses at 2.5 % a side. */
function refusedBelow(m: number, n: number): number {
  if (m * n <= 2500) {
    const first = rankSumDistribution(m, n).findIndex((below) => below > 0.025);
    return Math.max(0, first);
  }
  const error = Math.sqrt((m * n * (m + n + 1)) / 12);
  return Math.max(0, Math.floor((m * n) / 2 - normalQuantile(0.975) * error - 0.5));
}

function thinned(values: readonly number[]): readonly number[] {
  if (values.length <= MOST_VALUES) return values;
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from(
    { length: MOST_VALUES },
    (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (MOST_VALUES - 1))] as number,
  );
}
