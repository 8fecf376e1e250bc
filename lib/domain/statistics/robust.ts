/**
 * Rearranges `values` between `left` and `right` (both inclusive) so that the element at `rank` is the one that a full
 * sort would put there, with nothing greater before it and nothing smaller after it.
 *
 * Quickselect with the middle of three as pivot. Cost: O(n) on average, in place, nothing allocated.
 * Reference: C. A. R. Hoare, Communications of the ACM 4 (1961) 321-322 (FIND).
 */
export function selectInPlace(
  values: Float64Array,
  rank: number,
  left = 0,
  right = values.length - 1,
): number {
  let low = left;
  let high = right;
  while (high > low) {
    const middle = (low + high) >>> 1;
    const a = values[low] as number;
    const b = values[middle] as number;
    const c = values[high] as number;
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) < pivot) i += 1;
      while ((values[j] as number) > pivot) j -= 1;
      if (i <= j) {
        const swap = values[i] as number;
        values[i] = values[j] as number;
        values[j] = swap;
        i += 1;
        j -= 1;
      }
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank] as number;
}

/**
 * The value below which the fraction `p` of the data lies, interpolated linearly between the two nearest order
 * statistics (type 7 of Hyndman and Fan, the default of R and NumPy).
 *
 * `p` from 0 to 1; values may stand in any order and are not changed. No values: `undefined`.
 * Misleads: near 0 and 1 with few values, where it cannot reach beyond the extremes seen.
 * Reference: R. J. Hyndman and Y. Fan, The American Statistician 50 (1996) 361-365. Cost: O(n).
 *
 * @example quantile([10, 20, 30, 40], 0.25) // 17.5
 */
export function quantile(values: ArrayLike<number>, p: number): number | undefined {
  if (values.length === 0) return undefined;
  return quantileInPlace(Float64Array.from(values), p);
}

/** As {@link quantile}, for a non-empty buffer that may be reordered. */
export function quantileInPlace(buffer: Float64Array, p: number): number {
  const position = Math.min(1, Math.max(0, p)) * (buffer.length - 1);
  const rank = Math.floor(position);
  const lower = selectInPlace(buffer, rank);
  const fraction = position - rank;
  if (fraction === 0) return lower;
  let upper = Infinity;
  for (let i = rank + 1; i < buffer.length; i += 1) upper = Math.min(upper, buffer[i] as number);
  return lower + fraction * (upper - lower);
}

/**
 * The middle value; the mean of the two middle ones when their number is even. Half of the data may be arbitrarily wrong
 * before it is. No values: `undefined`. Cost: O(n).
 *
 * @example median([3, 1, 100, 2]) // 2.5
 */
export function median(values: ArrayLike<number>): number | undefined {
  return quantile(values, 0.5);
}

/** Makes the median absolute deviation estimate the standard deviation of normal data: 1 / normalQuantile(0.75). */
export const MAD_TO_STANDARD_DEVIATION = 1.4826022185056018;

/**
 * Median distance from the median: the spread of the bulk, blind to outliers. Multiply by
 * {@link MAD_TO_STANDARD_DEVIATION} to compare it with a standard deviation.
 *
 * Misleads: it is 0 as soon as more than half of the values are equal. No values: `undefined`.
 * Reference: P. J. Rousseeuw and C. Croux, JASA 88 (1993) 1273-1283. Cost: O(n).
 *
 * @example medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9]) // 1
 */
export function medianAbsoluteDeviation(values: ArrayLike<number>): number | undefined {
  const centre = median(values);
  if (centre === undefined) return undefined;
  return quantileInPlace(
    Float64Array.from(values, (value) => Math.abs(value - centre)),
    0.5,
  );
}
