import type { Share } from "./risk-difference.ts";

/**
 * Fisher's exact test of two shares being one, two-sided: the sum over all tables with the same margins that are no likelier
 * than the one seen. Right with any few members; conservative, because counts are discrete.
 *
 * 1 where a group is empty. Assumes: members independent of each other.
 * Reference: R. A. Fisher, J. R. Statist. Soc. 98 (1935) 39-82. Cost: O(members).
 *
 * @example fisherExactTest({ count: 0, of: 5 }, { count: 5, of: 5 }) // 0.0079
 */
export function fisherExactTest(first: Share, second: Share): number {
  const all = first.of + second.of;
  const counted = first.count + second.count;
  const logFactorials = new Float64Array(all + 1);
  for (let i = 1; i <= all; i += 1) logFactorials[i] = (logFactorials[i - 1] as number) + Math.log(i);
  const logChoose = (n: number, k: number) =>
    (logFactorials[n] as number) - (logFactorials[k] as number) - (logFactorials[n - k] as number);
  const chance = (inFirst: number) =>
    Math.exp(
      logChoose(first.of, inFirst) + logChoose(second.of, counted - inFirst) - logChoose(all, counted),
    );
  // Tables of equal chance differ by rounding.
  const limit = chance(first.count) * (1 + 1e-7);
  let sum = 0;
  for (let k = Math.max(0, counted - second.of); k <= Math.min(first.of, counted); k += 1) {
    const each = chance(k);
    if (each <= limit) sum += each;
  }
  return Math.min(1, sum);
}
