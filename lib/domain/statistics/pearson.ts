import type { Insufficient } from "./insufficient.ts";
import { insufficient } from "./insufficient.ts";
import { tUpperTail } from "./t-distribution.ts";

/** How closely pairs of numbers follow a line, or an order. */
export interface Correlation {
  /** From -1 to 1. */
  readonly coefficient: number;
  /** Two-sided, of no relation, as if the pairs were independent of one another. */
  readonly pValue: number;
  /** Pairs. */
  readonly n: number;
}

/**
 * Pearson's correlation: the part of the spread of one variable that a straight line through the other explains, with its
 * sign, as the square root.
 *
 * Pairs in which either is not finite are left out. {@link Insufficient} with fewer than 3 pairs, or where one side does not
 * vary: then there is nothing to be related.
 * Assumes: pairs drawn independently; for the p value, normal ones.
 * Misleads: on two series that both trend, whatever they have to do with one another (give differences or slopes); on curves;
 * where one outlier makes the line (compare spearman.ts).
 * Reference: K. Pearson, Phil. Trans. R. Soc. A 187 (1896) 253-318. Cost: O(n).
 *
 * @example pearson([1, 2, 3, 4], [1, 3, 2, 4]) // coefficient 0.8
 */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): Correlation | Insufficient {
  const pairs = finitePairs(x, y);
  const n = pairs.x.length;
  if (n < 3) return insufficient("pairs of values", 3, n);
  const meanX = mean(pairs.x);
  const meanY = mean(pairs.y);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; i += 1) {
    const dx = (pairs.x[i] as number) - meanX;
    const dy = (pairs.y[i] as number) - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (!varies(xx, meanX, n) || !varies(yy, meanY, n)) {
    return insufficient("different values on either side", 2, 1);
  }
  const coefficient = Math.min(1, Math.max(-1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
  return { coefficient, pValue: pValueOf(coefficient, n), n };
}

/** Pairs in which both numbers are finite. */
export function finitePairs(x: ArrayLike<number>, y: ArrayLike<number>): { x: number[]; y: number[] } {
  const kept = { x: [] as number[], y: [] as number[] };
  for (let i = 0; i < Math.min(x.length, y.length); i += 1) {
    const a = x[i] as number;
    const b = y[i] as number;
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    kept.x.push(a);
    kept.y.push(b);
  }
  return kept;
}

/** What is left of equal numbers by rounding is no variation; neither is what overflows. */
function varies(squares: number, mean: number, n: number): boolean {
  return squares > n * (1e-14 * mean) ** 2 && squares < Infinity;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0);
}

function pValueOf(coefficient: number, n: number): number {
  const left = 1 - coefficient * coefficient;
  if (left <= 0) return 0;
  return Math.min(1, 2 * tUpperTail(Math.abs(coefficient) * Math.sqrt((n - 2) / left), n - 2));
}
