/**
 * Exact sign test, two-sided: of so many cases that favour one of two sides, is one favoured more often than by the toss of a
 * coin? On the cases in which two classifiers disagree it is McNemar's test: which is right more often.
 *
 * No cases: 1. Assumes: cases independent. Cost: O(cases).
 * Reference: Q. McNemar, Psychometrika 12 (1947) 153-157.
 *
 * @example signTest(1, 8) // 0.0390625
 */
export function signTest(favoursOne: number, favoursOther: number): number {
  const cases = favoursOne + favoursOther;
  const fewer = Math.min(favoursOne, favoursOther);
  let log = -cases * Math.LN2;
  let sum = 0;
  for (let k = 0; k <= fewer; k += 1) {
    sum += Math.exp(log);
    log += Math.log(cases - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * sum);
}
