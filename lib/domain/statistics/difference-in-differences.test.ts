import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceInDifferences, poolEstimates, type PooledEstimate } from "./difference-in-differences.ts";
import { isInsufficient, type Insufficient } from "./insufficient.ts";
import { fitRandomEffects, type NodeEstimate } from "./random-effects.ts";

const of = (values: readonly number[], errors: readonly number[] | number): NodeEstimate[] =>
  values.map((value, i) => ({
    value,
    standardError: typeof errors === "number" ? errors : (errors[i] ?? NaN),
  }));
function sure(result: PooledEstimate | Insufficient): PooledEstimate {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

/*
 * Reference values: Python 3.11, NumPy 1.24.2, SciPy 1.10.1, statsmodels 0.13.5:
 *   def tau2(y, s, X, df):   # Paule-Mandel by a root finder on the weighted squares of a regression
 *     Q = lambda t: (sm.WLS(y, X, weights=1/(s**2 + t)).fit().wresid**2).sum() - df
 *     return brentq(Q, 0, 1e6, xtol=1e-12, rtol=1e-14)
 *   pool:     combine_effects(d, s**2, method_re="iterated", use_t=True), row "random effect wls"
 *   OLS, WLS: sm.OLS(y, sm.add_constant(treated)).fit().conf_int(); sm.WLS(..., weights=1/(s**2 + tau2))
 */
describe("fitRandomEffects", () => {
  it("gives the worked example", () => {
    const fit = fitRandomEffects([of([1, 5], 1)]);
    expect(fit.betweenVariance).toBeCloseTo(7, 10);
    expect(fit.degreesOfFreedom).toBe(1);
    expect(fit.groups[0]?.mean).toBeCloseTo(3, 12);
    expect(fit.groups[0]?.variance).toBeCloseTo(4, 10);
    expect(fit.groups[0]?.ownVariance).toBeCloseTo(0.5, 12);
  });
  it("finds the variance between nodes that statsmodels and a root finder find", () => {
    const fit = fitRandomEffects([of([-312, -298, -355, -270], [8, 11, 9, 14])]);
    expect(fit.betweenVariance).toBeCloseTo(1128.744736796845, 6);
    expect(fit.groups[0]?.mean).toBeCloseTo(-309.7137551497617, 8);
    expect(Math.sqrt(fit.groups[0]?.variance ?? NaN)).toBeCloseTo(17.62255079565936, 8);
  });
  it("takes estimates without any error", () => {
    const fit = fitRandomEffects([of([4, 4], 0)]);
    expect(fit.groups[0]?.mean).toBeCloseTo(4, 12);
    expect(fit.groups[0]?.variance).toBeLessThan(1e-12);
    expect(fitRandomEffects([of([0], 0)]).groups[0]?.mean).toBe(0);
  });
});

describe("poolEstimates", () => {
  it("agrees with statsmodels combine_effects, Paule-Mandel with Hartung and Knapp's t", () => {
    const pooled = sure(poolEstimates(of([-312, -298, -355, -270], [8, 11, 9, 14])));
    expect(pooled.value).toBeCloseTo(-309.713755, 6);
    expect(pooled.ci95[0]).toBeCloseTo(-365.796577, 5);
    expect(pooled.ci95[1]).toBeCloseTo(-253.630933, 5);
    expect(pooled.degreesOfFreedom).toBe(3);
  });
  it("gives the worked example, and cannot say with one node", () => {
    const pooled = sure(poolEstimates(of([1, 5], 1)));
    expect(pooled.value).toBeCloseTo(3, 12);
    expect(pooled.ci95[1]).toBeCloseTo(3 + 25.41240947286419, 8);
    expect(poolEstimates(of([1], 1))).toMatchObject({ needed: 2, had: 1 });
  });
});

describe("differenceInDifferences", () => {
  it("gives the worked example", () => {
    const { value, ci95, degreesOfFreedom } = sure(differenceInDifferences(of([-10], 1), of([0, 2, 4], 1)));
    expect(value).toBeCloseTo(-12, 12);
    expect(ci95[1]).toBeCloseTo(-12 + 9.93655084737501, 7);
    expect(degreesOfFreedom).toBe(2);
  });
  it("is statsmodels OLS of the changes on a dummy where nodes err alike", () => {
    const { value, ci95 } = sure(
      differenceInDifferences(of([-310, -295, -330], 3), of([5, -12, 20, 9, -3], 3)),
    );
    expect(value).toBeCloseTo(-315.4666666666669, 9);
    expect(ci95[0]).toBeCloseTo(-340.77474066554106, 6);
    expect(ci95[1]).toBeCloseTo(-290.1585926677928, 6);
  });
  it("is statsmodels WLS at the variance between nodes where they do not", () => {
    const { value, ci95, degreesOfFreedom } = sure(
      differenceInDifferences(of([-310, -295, -330], [8, 12, 20]), of([5, -12, 20, 9, -3], [5, 5, 7, 9, 4])),
    );
    expect(value).toBeCloseTo(-310.99595309240226, 6);
    expect(ci95[0]).toBeCloseTo(-336.4870139954543, 5);
    expect(ci95[1]).toBeCloseTo(-285.50489218935024, 5);
    expect(degreesOfFreedom).toBe(6);
  });
  it("is never narrower than the nodes' own errors", () => {
    // WLS alone would give -318.49 to -303.54 here: the controls agree better than their errors allow.
    const { value, ci95 } = sure(
      differenceInDifferences(of([-310], 6), of([1, 3, -2, 2, 0], [4, 4, 5, 4, 4])),
    );
    expect(value).toBeCloseTo(-311.01724137931024, 9);
    expect(ci95[0]).toBeCloseTo(-323.32735621514826, 9);
    expect(ci95[1]).toBeCloseTo(-298.7071265434722, 9);
  });
  it("takes one degree of freedom where nothing tells how nodes differ", () => {
    const { ci95 } = sure(differenceInDifferences(of([-300], 3), of([0], 4)));
    expect(ci95[0]).toBeCloseTo(-363.5310236821605, 8);
    expect(ci95[1]).toBeCloseTo(-236.46897631783952, 8);
  });
  it("cannot say without a node on both sides", () => {
    expect(differenceInDifferences(of([1], 1), [])).toMatchObject({
      reason: "control nodes with an estimate",
    });
    expect(differenceInDifferences([], of([1], 1))).toMatchObject({
      reason: "treated nodes with an estimate",
    });
  });
  it("moves with what all nodes do, and turns its sign when the sides are exchanged", () => {
    const estimate = fc.record({
      value: fc.double({ min: -1000, max: 1000, noNaN: true }),
      standardError: fc.double({ min: 0.01, max: 100, noNaN: true }),
    });
    const nodes = fc.array(estimate, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(nodes, nodes, fc.double({ min: -100, max: 100, noNaN: true }), (treated, controls, all) => {
        const shift = (list: NodeEstimate[]) => list.map((each) => ({ ...each, value: each.value + all }));
        const plain = sure(differenceInDifferences(treated, controls));
        const shifted = sure(differenceInDifferences(shift(treated), shift(controls)));
        const turned = sure(differenceInDifferences(controls, treated));
        expect(shifted.value).toBeCloseTo(plain.value, 4);
        expect(turned.value).toBeCloseTo(-plain.value, 4);
        expect(plain.ci95[0]).toBeLessThanOrEqual(plain.value);
        expect(shifted.ci95[1] - shifted.ci95[0]).toBeCloseTo(plain.ci95[1] - plain.ci95[0], 3);
      }),
    );
  });
});
