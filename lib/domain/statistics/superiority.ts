import { normalQuantile } from "./normal-distribution.ts";
import { rankSumTest } from "./rank-sum.ts";

/** How often a value of one sample is larger than one of another. */
export interface Superiority {
  /** Probability that a value of the first sample is larger than one of the second, ties counted as half; 0.5: no difference. */
  readonly probability: number;
  readonly ci95: readonly [number, number];
}

/**
 * Probability of superiority, U / (m n), with its interval. Cliff's delta is twice it less 1. Unlike a p value it does not
 * grow with the number of nodes, unlike a shift it has no unit: 1 where the samples do not overlap at all.
 *
 * The interval holds every theta whose own variance does not exclude the estimate:
 * (estimate - theta)^2 = z^2 theta (1 - theta) (1 + k (1 - theta) / (2 - theta) + k theta / (1 + theta)) / (m n),
 * k = (m + n) / 2 - 1. It is not empty at 0 or 1, where the usual one is. Both samples need a value, else `undefined`. `u` of {@link rankSumTest} where it is known already.
 *
 * Assumes: values independent. Misleads: hardly; with fewer than about 5 values on a side the interval is wide, not wrong.
 * Reference: R. G. Newcombe, Statistics in Medicine 25 (2006) 559-573, method 5. Cost: that of the rank sum.
 *
 * @example probabilityOfSuperiority([3, 4], [1, 2])?.probability // 1
 */
export function probabilityOfSuperiority(
  first: readonly number[],
  second: readonly number[],
  u: number = rankSumTest(first, second).u,
): Superiority | undefined {
  const pairs = first.length * second.length;
  if (pairs === 0) return undefined;
  const estimate = u / pairs;
  const k = (first.length + second.length) / 2 - 1;
  const z = normalQuantile(0.975);
  const excluded = (theta: number) => {
    const variance =
      (theta * (1 - theta) * (1 + (k * (1 - theta)) / (2 - theta) + (k * theta) / (1 + theta))) / pairs;
    return (estimate - theta) ** 2 > z * z * variance;
  };
  return { probability: estimate, ci95: [edge(0, estimate, excluded), edge(1, estimate, excluded)] };
}

/** Between an end that is excluded and the estimate, which is not: where it changes. */
function edge(end: 0 | 1, estimate: number, excluded: (theta: number) => boolean): number {
  if (estimate === end) return end;
  let outside: number = end;
  let inside = estimate;
  for (let i = 0; i < 60; i += 1) {
    const middle = (outside + inside) / 2;
    if (excluded(middle)) outside = middle;
    else inside = middle;
  }
  return (outside + inside) / 2;
}
