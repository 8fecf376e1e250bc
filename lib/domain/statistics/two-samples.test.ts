import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fisherExactTest } from "./fisher-exact.ts";
import { hodgesLehmannShift } from "./hodges-lehmann.ts";
import { rankSumDistribution, rankSumTest } from "./rank-sum.ts";
import { riskDifference } from "./risk-difference.ts";
import { createRng } from "./rng.ts";
import { signTest } from "./sign-test.ts";
import { probabilityOfSuperiority } from "./superiority.ts";

/*
 * Reference values: SciPy 1.10.1 and statsmodels 0.13.5.
 *
 *   a = [1.1, 2.2, 3.3, 4.4, 9.9]; b = [0.5, 1.5, 2.5, 2.6, 0.1, 0.9, 1.0]
 *   t1 = [0,0,1,1,2,3,3,5]; t2 = [0,1,1,2,2,2,4,6,7,7]
 *   mannwhitneyu(a, b, method="exact" | "asymptotic"), (t1, t2, method="asymptotic")
 *   mannwhitneyu(range(1, 16), [v + 0.5 - 7 for v in range(1, 31)], method="exact")
 *   mannwhitneyu([1000, 1001, 1002], range(297), method="exact")
 *   confint_proportions_2indep(c1, n1, c2, n2, compare="diff", method="newcomb"); fisher_exact([[c1, n1-c1], [c2, n2-c2]])
 *   np.median([p - q for p in a for q in b]); binomtest(1, 9, .5).pvalue
 *   superiority: scipy.optimize.brentq on the equation that superiority.ts states
 */
const A = [1.1, 2.2, 3.3, 4.4, 9.9];
const B = [0.5, 1.5, 2.5, 2.6, 0.1, 0.9, 1.0];
const TIED_1 = [0, 0, 1, 1, 2, 3, 3, 5];
const TIED_2 = [0, 1, 1, 2, 2, 2, 4, 6, 7, 7];
const upTo = (n: number, shift = 0) => Array.from({ length: n }, (_, i) => i + shift);

describe("rankSumTest", () => {
  it("agrees with SciPy, exactly and with ties", () => {
    expect(rankSumTest(A, B)).toMatchObject({ u: 30, method: "exact" });
    expect(rankSumTest(A, B).pValue).toBeCloseTo(0.04797979797979798, 14);
    expect(rankSumTest(upTo(15, 1), upTo(30, -5.5)).pValue).toBeCloseTo(0.729970055483488, 12);
    expect(rankSumTest([1000, 1001, 1002], upTo(297)).pValue / 4.489237054162645e-7).toBeCloseTo(1, 10);
    const tied = rankSumTest(TIED_1, TIED_2);
    expect(tied).toMatchObject({ u: 28.5, method: "normal" });
    expect(tied.pValue).toBeCloseTo(0.3218037972722462, 12);
  });

  it("does not depend on which sample is named first, and says nothing where nothing differs", () => {
    const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(rankSumTest(a, b).pValue).toBeCloseTo(rankSumTest(b, a).pValue, 12);
        expect(rankSumTest(a, b).u + rankSumTest(b, a).u).toBe(a.length * b.length);
      }),
    );
    expect(rankSumTest([5, 5, 5], [5, 5]).pValue).toBe(1);
    expect(rankSumTest([], [1])).toEqual({ u: 0, pValue: 1, method: "exact" });
  });

  it("keeps its level, exact and approximate", () => {
    const rng = createRng(3);
    for (const [m, n] of [
      [4, 30],
      [60, 90],
    ] as const) {
      let refused = 0;
      for (let run = 0; run < 1000; run += 1) {
        const draw = (count: number) => Array.from({ length: count }, () => rng.normal());
        if (rankSumTest(draw(m), draw(n)).pValue < 0.05) refused += 1;
      }
      expect(refused).toBeGreaterThan(25);
      expect(refused).toBeLessThan(70);
    }
  });

  it("knows the exact distribution", () => {
    const expected = [1 / 6, 2 / 6, 4 / 6, 5 / 6, 1];
    rankSumDistribution(2, 2).forEach((p, k) => expect(p).toBeCloseTo(expected[k] as number, 14));
  });
});

describe("probabilityOfSuperiority", () => {
  it("solves Newcombe's equation", () => {
    const found = probabilityOfSuperiority(A, B);
    expect(found?.probability).toBeCloseTo(30 / 35, 14);
    expect(found?.ci95[0]).toBeCloseTo(0.5124458320208314, 9);
    expect(found?.ci95[1]).toBeCloseTo(0.9679981712367393, 9);
    const tied = probabilityOfSuperiority(TIED_1, TIED_2);
    expect(tied?.ci95[0]).toBeCloseTo(0.162279046099097, 9);
    expect(tied?.ci95[1]).toBeCloseTo(0.6221252270033009, 9);
  });

  it("has an interval where samples do not overlap, and none without values", () => {
    const apart = probabilityOfSuperiority(upTo(15, 100), upTo(30));
    expect(apart?.probability).toBe(1);
    expect(apart?.ci95[1]).toBe(1);
    expect(apart?.ci95[0]).toBeGreaterThan(0.8);
    expect(apart?.ci95[0]).toBeLessThan(1);
    expect(probabilityOfSuperiority([], [1])).toBeUndefined();
  });

  it("covers the truth of two shifted samples about 95 % of the time", () => {
    const rng = createRng(5);
    // P(X > Y) for normals one standard deviation apart.
    const truth = 0.7602499389065233;
    let covered = 0;
    for (let run = 0; run < 1000; run += 1) {
      const first = Array.from({ length: 12 }, () => 1 + rng.normal());
      const second = Array.from({ length: 25 }, () => rng.normal());
      const [low, high] = probabilityOfSuperiority(first, second)?.ci95 ?? [NaN, NaN];
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered).toBeGreaterThan(930);
    expect(covered).toBeLessThan(985);
  });
});

describe("hodgesLehmannShift", () => {
  it("agrees with all differences sorted, and with the exact ranks of the test", () => {
    const found = hodgesLehmannShift(A, B);
    // P(U <= 5) is 0.02399, P(U <= 6) is 0.03662: the seventh difference from either end.
    expect(found?.shift).toBeCloseTo(1.9, 12);
    expect(found?.ci95[0]).toBeCloseTo(0.2, 12);
    expect(found?.ci95[1]).toBeCloseTo(7.3, 12);
    expect(hodgesLehmannShift(TIED_1, TIED_2)?.shift).toBe(-1);
    expect(hodgesLehmannShift([], B)).toBeUndefined();
  });

  it("covers a true shift about 95 % of the time, and moves with its samples", () => {
    const rng = createRng(8);
    let covered = 0;
    for (let run = 0; run < 500; run += 1) {
      const first = Array.from({ length: 10 }, () => 3 + rng.normal());
      const second = Array.from({ length: 20 }, () => rng.normal());
      const [low, high] = hodgesLehmannShift(first, second)?.ci95 ?? [NaN, NaN];
      if (low <= 3 && 3 <= high) covered += 1;
    }
    expect(covered).toBeGreaterThan(460);
    expect(covered).toBeLessThan(495);
    const many = Array.from({ length: 1500 }, () => rng.normal());
    expect(
      hodgesLehmannShift(
        many.map((value) => value + 7),
        many,
      )?.shift,
    ).toBeCloseTo(7, 1);
  });
});

it.each([
  [14, 15, 0, 30, 0.6755021733067103, 0.9881331045067314, 8.988961467585539e-11],
  [56, 70, 48, 80, 0.05243147240236498, 0.33387265403690614, 0.012521129749209154],
  [0, 5, 5, 5, -1, -0.38554900569034356, 0.007936507936507938],
  [3, 4, 1, 4, -0.13548840058295153, 0.7890832680847557, 0.48571428571428565],
])("%i of %i against %i of %i: difference and exact test", (c1, n1, c2, n2, low, high, p) => {
  const [first, second] = [
    { count: c1, of: n1 },
    { count: c2, of: n2 },
  ];
  const found = riskDifference(first, second);
  expect(found?.difference).toBeCloseTo(c1 / n1 - c2 / n2, 14);
  expect(found?.ci95[0]).toBeCloseTo(low, 10);
  expect(found?.ci95[1]).toBeCloseTo(high, 10);
  expect(fisherExactTest(first, second) / p).toBeCloseTo(1, 8);
  expect(fisherExactTest(second, first)).toBeCloseTo(fisherExactTest(first, second), 12);
});

it("has no difference to a group without members", () => {
  expect(riskDifference({ count: 0, of: 0 }, { count: 1, of: 2 })).toBeUndefined();
  expect(fisherExactTest({ count: 0, of: 0 }, { count: 1, of: 2 })).toBe(1);
});

it("tosses coins", () => {
  expect(signTest(1, 8)).toBeCloseTo(0.0390625, 14);
  expect(signTest(3, 2)).toBeCloseTo(1, 12);
  expect(signTest(0, 0)).toBe(1);
  expect(signTest(0, 2000)).toBeLessThan(1e-300);
});
