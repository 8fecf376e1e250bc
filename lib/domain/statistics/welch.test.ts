import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInsufficient } from "./insufficient.ts";
import { intervalOf, meanEstimate, pooledDifference, welchDifference, type EstimatedValue } from "./welch.ts";

function mean(values: readonly number[]): EstimatedValue {
  const estimate = meanEstimate(values);
  if (isInsufficient(estimate)) throw new Error(estimate.reason);
  return estimate;
}

/*
 * Reference values: Python 3.11, NumPy 1.24.2, statsmodels 0.13.5:
 *   cm = CompareMeans(DescrStatsW(b), DescrStatsW(a))
 *   cm.tconfint_diff(usevar="unequal"), cm.dof_satt(), cm.std_meandiff_separatevar; DescrStatsW(a).tconfint_mean()
 * Interval ends agree to 1e-8: SciPy's t.ppf is off by about 2e-9 (docs/statistics.md).
 */
describe("welchDifference", () => {
  it("is statsmodels CompareMeans with unequal variances", () => {
    const difference = welchDifference(mean([1.2, 3.4, 2.2, 5]), mean([7.1, 9.9, 8.4, 15, 6]));
    expect(difference.value).toBeCloseTo(6.33, 12);
    expect(difference.ci95[0]).toBeCloseTo(1.974500652428671, 7);
    expect(difference.ci95[1]).toBeCloseTo(10.685499347571326, 7);
    expect(difference.degreesOfFreedom).toBeCloseTo(5.885363765177099, 10);
    expect(difference.standardError).toBeCloseTo(1.7716000301046133, 12);
  });
  it("gives the worked example", () => {
    const one = { standardError: 1, degreesOfFreedom: 4 };
    const difference = welchDifference({ value: 1, ...one }, { value: 5, ...one });
    expect(difference).toMatchObject({ value: 4, degreesOfFreedom: 8 });
    expect(difference.ci95[0]).toBeCloseTo(0.7388, 3);
  });
  it("has no width between values without any error", () => {
    const exact = { standardError: 0, degreesOfFreedom: 3 };
    expect(welchDifference({ value: 2, ...exact }, { value: 7, ...exact }).ci95).toEqual([5, 5]);
  });
  it("turns its sign with the sides, and has degrees of freedom between the smaller of both and their sum", () => {
    const estimate = fc.record({
      value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      standardError: fc.double({ min: 0.001, max: 1e5, noNaN: true }),
      degreesOfFreedom: fc.double({ min: 1, max: 500, noNaN: true }),
    });
    fc.assert(
      fc.property(estimate, estimate, (a, b) => {
        const [forth, back] = [welchDifference(a, b), welchDifference(b, a)];
        expect(forth.value).toBe(-back.value);
        expect(forth.ci95[0]).toBeCloseTo(-back.ci95[1], 3);
        const [small, sum] = [
          Math.min(a.degreesOfFreedom, b.degreesOfFreedom),
          a.degreesOfFreedom + b.degreesOfFreedom,
        ];
        expect(forth.degreesOfFreedom).toBeGreaterThanOrEqual(small * (1 - 1e-9));
        expect(forth.degreesOfFreedom).toBeLessThanOrEqual(sum * (1 + 1e-9));
      }),
      { seed: 7 },
    );
  });
});

describe("meanEstimate", () => {
  it("gives the worked example, and the interval that statsmodels gives", () => {
    expect(mean([1, 2, 6])).toMatchObject({ value: 3, degreesOfFreedom: 2 });
    expect(mean([1, 2, 6]).standardError).toBeCloseTo(1.5275252316519468, 12);
    const [lower, upper] = intervalOf(mean([12, 30, 21]));
    expect(lower).toBeCloseTo(-1.3572394065937736, 7);
    expect(upper).toBeCloseTo(43.35723940659378, 7);
  });
  it("cannot say with one", () => {
    expect(meanEstimate([4])).toMatchObject({ needed: 2, had: 1 });
  });
});

describe("pooledDifference", () => {
  it("is statsmodels CompareMeans with one variance", () => {
    // cm.tconfint_diff(usevar="pooled")
    const difference = pooledDifference([1.2, 3.4, 2.2, 5], [7.1, 9.9, 8.4, 15, 6]);
    if (isInsufficient(difference)) throw new Error(difference.reason);
    expect(difference.ci95[0]).toBeCloseTo(1.7869929930960309, 7);
    expect(difference.ci95[1]).toBeCloseTo(10.873007006903968, 7);
    expect(difference.degreesOfFreedom).toBe(7);
  });
  it("gives the worked example of one against three, and cannot say with one on each side", () => {
    const difference = pooledDifference([1, 2, 6], [9]);
    expect(difference).toMatchObject({ value: 6, degreesOfFreedom: 2 });
    // stats.sem([1, 2, 6]) * 3**0.5 * (1 + 1/3)**0.5
    if (!isInsufficient(difference)) expect(difference.standardError).toBeCloseTo(3.0550504633038935, 12);
    expect(pooledDifference([1], [2])).toMatchObject({ kind: "insufficient", needed: 3, had: 2 });
    expect(pooledDifference([1, 2, 3], [])).toMatchObject({ kind: "insufficient" });
  });
});
