/**
 * Benjamini-Hochberg: adjusts p values so that, among all that are called significant at level q, the share of false ones
 * is at most q on average. Use it whenever the same question is asked of many nodes or of many slab caches.
 *
 * `pValues` in any order; the answer has the same order, each at least as large as what went in and at most 1.
 * Assumes: tests independent or positively dependent, as nodes under one load are.
 * Misleads: when the family is chosen after looking; include every test that was run.
 * Reference: Y. Benjamini and Y. Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300. Cost: O(n log n).
 *
 * @example benjaminiHochberg([0.01, 0.04, 0.03, 0.005]) // [0.02, 0.04, 0.04, 0.02]
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = pValues
    .map((_, index) => index)
    .sort((a, b) => (pValues[b] as number) - (pValues[a] as number));
  const adjusted = new Array<number>(pValues.length);
  let least = 1;
  order.forEach((index, position) => {
    least = Math.min(least, (pValues[index] as number) * (pValues.length / (pValues.length - position)));
    adjusted[index] = least;
  });
  return adjusted;
}

/**
 * Holm: adjusts p values so that the chance of even one false finding among all is at most the level. Stricter than
 * {@link benjaminiHochberg}; for a search in which one finding is acted on ("which attribute is it?").
 *
 * `pValues` in any order; the answer has the same order. Assumes nothing about dependence.
 * Misleads: when not every test that was run is given.
 * Reference: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70. Cost: O(n log n).
 *
 * @example holm([0.01, 0.04, 0.03, 0.005]) // [0.03, 0.06, 0.06, 0.02]
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues
    .map((_, index) => index)
    .sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = new Array<number>(pValues.length);
  let most = 0;
  order.forEach((index, position) => {
    most = Math.max(most, (pValues[index] as number) * (pValues.length - position));
    adjusted[index] = Math.min(1, most);
  });
  return adjusted;
}
