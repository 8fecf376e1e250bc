import { normalQuantile } from "./normal-distribution.ts";

/** So many of so many. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** Difference of two shares. */
export interface RiskDifference {
  /** First share less second, -1 to 1. */
  readonly difference: number;
  readonly ci95: readonly [number, number];
}

/**
 * Difference of two shares with Newcombe's interval, made of the Wilson intervals of both: it stays within -1 and 1 and has
 * a width where nobody or everybody does. Both groups need a member, else `undefined`.
 *
 * Assumes: members independent of each other.
 * Reference: R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10. Cost: O(1).
 *
 * @example riskDifference({ count: 56, of: 70 }, { count: 48, of: 80 }) // 0.2, from 0.0524 to 0.3339
 */
export function riskDifference(first: Share, second: Share): RiskDifference | undefined {
  if (first.of <= 0 || second.of <= 0) return undefined;
  const [a, b] = [first.count / first.of, second.count / second.of];
  const [aLow, aHigh] = wilson(first);
  const [bLow, bHigh] = wilson(second);
  return {
    difference: a - b,
    ci95: [a - b - Math.hypot(a - aLow, bHigh - b), a - b + Math.hypot(aHigh - a, b - bLow)],
  };
}

/** E. B. Wilson, JASA 22 (1927) 209-212. */
function wilson({ count, of }: Share): [number, number] {
  const z = normalQuantile(0.975);
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
