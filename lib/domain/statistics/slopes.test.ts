import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ar1SlopeInflation, effectiveObservations } from "./ar1-variance.ts";
import { correctLagOneBias, lagOneAutocorrelation, PHI_LIMIT } from "./autocorrelation.ts";
import type { Insufficient } from "./insufficient.ts";
import { isInsufficient } from "./insufficient.ts";
import { solveLeastSquares } from "./least-squares.ts";
import { kendallScore, scorePValue } from "./mann-kendall.ts";
import { praisWinsten, whiten } from "./prais-winsten.ts";
import type { Segment } from "./series.ts";
import { theilSen } from "./theil-sen.ts";

const HOUR_MS = 3_600_000;
const hourly = (hours: readonly number[], values: readonly number[]): Segment => ({
  timesMs: Float64Array.from(hours, (hour) => hour * HOUR_MS),
  values: Float64Array.from(values),
});
function sure<T>(result: T | Insufficient): T {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

/*
 * 40 points with memory, hours 20 to 23 lost. Made and evaluated by Python 3.11, NumPy 1.24.2, SciPy 1.10.1,
 * statsmodels 0.13.5 with dense matrices and full sorts, independent of the passes and selections used here:
 *   e = 0
 *   for i in range(44):
 *     e = .25*e + ((i*i*37) % 101)/101 - .5
 *     if not 20 <= i < 24: t.append(i); y.append(round(.02*i + e, 3))
 *   slopes = sorted pair slopes; V by np.unique counts of ties; R = phi**abs(t_i - t_j) within a segment
 *   C = st.t.ppf(.975, n*(1-phi)/(1+phi)) * sqrt(V * infl);  ends slopes[floor((N-C)/2-.5)], slopes[ceil((N+C)/2-.5)]
 *   Prais-Winsten: sm.GLS(y, X, sigma=R(phi)).fit() repeated 50 times with phi from its residuals
 */
const HOURS = Array.from({ length: 44 }, (_, i) => i).filter((hour) => hour < 20 || hour >= 24);
const VALUES = [
  -0.5, -0.239, -0.059, -0.168, 0.384, -0.165, -0.258, 0.496, 0.195, 0.362, 0.379, 0.092, 0.46, 0.726, 0.698,
  0.33, 0.61, 0.784, 0.664, 0.204, 0.052, 0.853, 0.752, 0.157, 0.172, 0.072, 0.676, 0.189, 0.161, 0.981,
  0.745, 0.979, 1.062, 0.84, 1.275, 0.607, 0.395, 1.031, 0.61, 0.659,
];
const oneBoot = [hourly(HOURS, VALUES)];
const twoBoots = [
  hourly(HOURS.slice(0, 20), VALUES.slice(0, 20)),
  hourly(
    HOURS.slice(20),
    VALUES.slice(20).map((value) => value + 7),
  ),
];
const PI_DIGITS = hourly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]);

describe("kendallScore", () => {
  it("gives the worked example", () => {
    expect(kendallScore([hourly([0, 1, 2, 3], [1, 3, 2, 4])])).toEqual({
      score: 4,
      variance: 26 / 3,
      pairs: 6,
      n: 4,
    });
  });
  it("agrees with scipy.stats.kendalltau(method='asymptotic') on ties, without its lack of a continuity correction", () => {
    const { score, variance } = kendallScore([PI_DIGITS]);
    expect(score).toBe(25);
    // kendalltau: p = 0.08227777272211645 from |S| / sd; the test here subtracts 1 first.
    expect(scorePValue(score + 1, variance)).toBeCloseTo(0.08227777272211645, 10);
    expect(scorePValue(score, variance)).toBeGreaterThan(0.0822);
  });
  it("says nothing against no trend when all values are equal", () => {
    const { score, variance } = kendallScore([hourly([0, 1, 2], [4, 4, 4])]);
    expect(variance).toBe(0);
    expect(scorePValue(score, variance)).toBe(1);
  });
});

describe("ar1SlopeInflation", () => {
  it("equals c'Rc / c'c of dense matrices, with gaps", () => {
    const times = hourly([0, 1, 2, 5, 6, 7, 11, 12, 13, 14, 15, 20], new Array<number>(12).fill(0));
    const { slope, residual } = ar1SlopeInflation([times], HOUR_MS, 0.4);
    expect(slope).toBeCloseTo(1.510052486899874, 12);
    expect(residual).toBeCloseTo(1.1418375541781025, 12);
  });
  it("is one for white noise and tends to (1 + phi) / (1 - phi)", () => {
    const long = hourly(
      Array.from({ length: 20_000 }, (_, i) => i),
      new Array<number>(20_000).fill(0),
    );
    expect(ar1SlopeInflation([long], HOUR_MS, 0)).toEqual({ slope: 1, residual: 1 });
    expect(ar1SlopeInflation([long], HOUR_MS, 0.8).slope).toBeCloseTo(9, 1);
    const three = { timesMs: Float64Array.of(0, 1, 2), values: new Float64Array(3) };
    expect(ar1SlopeInflation([three], 1, 0.5).slope).toBe(0.75);
    expect(effectiveObservations(288, 0.8)).toBeCloseTo(32, 12);
    expect(effectiveObservations(288, 0.999)).toBe(3);
  });
});

describe("lagOneAutocorrelation", () => {
  it("skips gaps and reboots", () => {
    const joined = lagOneAutocorrelation([hourly([0, 1, 5, 6], [1, 1, -1, -1])], HOUR_MS, 2);
    expect(joined.pairs).toBe(2);
    expect(joined.raw).toBe(1);
    const apart = lagOneAutocorrelation([hourly([0, 1], [1, 1]), hourly([2, 3], [-1, -1])], HOUR_MS, 2);
    expect(apart).toEqual(joined);
  });
  it("adds (2 + 4 phi) / n for a line and stays within its limits", () => {
    expect(correctLagOneBias(0.5, 100, 2)).toBeCloseTo(0.5 + 4 / 100, 12);
    expect(correctLagOneBias(0.999, 10, 2)).toBe(PHI_LIMIT);
    expect(correctLagOneBias(-0.7, 100, 2)).toBe(0);
  });
});

describe("theilSen", () => {
  it("gives the worked example and SciPy's slope", () => {
    expect(sure(theilSen([hourly([0, 1, 2, 3], [1, 2, 9, 4])])).slopePerHour).toBe(1);
    // scipy.stats.theilslopes: slope 0.3666666666666667
    expect(sure(theilSen([PI_DIGITS])).slopePerHour).toBeCloseTo(0.3666666666666667, 12);
  });
  it.each([
    [
      "one boot",
      oneBoot,
      [
        0.020368103448275863, 0.008666666666666656, 0.03297058823529412, 0.006885852244222952,
        0.2896878420589921, 1.8080304600277795,
      ],
    ],
    [
      "two boots",
      twoBoots,
      [
        0.037500000000000006, 0.01830769230769227, 0.06393750000000001, 0.004732236757905276,
        0.15983906621322033, 1.3502481657573875,
      ],
    ],
  ])("agrees with the dense computation: %s", (_, segments, expected) => {
    const estimate = sure(theilSen(segments));
    const [slope, lower, upper, pValue, phi, inflation] = expected as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    expect(estimate.slopePerHour).toBeCloseTo(slope, 10);
    expect(estimate.ci95[0]).toBeCloseTo(lower, 10);
    expect(estimate.ci95[1]).toBeCloseTo(upper, 10);
    expect(estimate.pValue).toBeCloseTo(pValue, 10);
    expect(estimate.phi).toBeCloseTo(phi, 10);
    expect(estimate.inflation).toBeCloseTo(inflation, 10);
  });
  it("moves with shift, scale and slope, and ignores the level of a boot", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: 0.01, max: 1000, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        (shift, scale, slope) => {
          const before = sure(theilSen(twoBoots));
          const moved = twoBoots.map(({ timesMs, values }, boot) => ({
            timesMs,
            values: values.map(
              (value, i) => (value + (slope * (timesMs[i] as number)) / HOUR_MS) * scale + shift * boot,
            ),
          }));
          const after = sure(theilSen(moved));
          const tolerance = 1e-8 * scale + 1e-9 * Math.abs(shift);
          expect(Math.abs(after.slopePerHour - (before.slopePerHour + slope) * scale)).toBeLessThan(
            tolerance,
          );
          expect(Math.abs(after.ci95[0] - (before.ci95[0] + slope) * scale)).toBeLessThan(tolerance);
          expect(Math.abs(after.ci95[1] - (before.ci95[1] + slope) * scale)).toBeLessThan(tolerance);
        },
      ),
      { numRuns: 30 },
    );
  });
  it("turns round with the sign of the values", () => {
    const up = sure(theilSen(oneBoot));
    const down = sure(
      theilSen(oneBoot.map(({ timesMs, values }) => ({ timesMs, values: values.map((v) => -v) }))),
    );
    expect(down.slopePerHour).toBeCloseTo(-up.slopePerHour, 12);
    expect(down.ci95[0]).toBeCloseTo(-up.ci95[1], 12);
    expect(down.pValue).toBeCloseTo(up.pValue, 12);
  });
  it("does not fall for outliers in a quarter of the points", () => {
    const values = Array.from({ length: 48 }, (_, i) => (i % 4 === 0 ? 5000 : 0) + 2 * i);
    const estimate = sure(
      theilSen([
        hourly(
          values.map((_, i) => i),
          values,
        ),
      ]),
    );
    expect(estimate.slopePerHour).toBeCloseTo(2, 6);
  });
  it("sees a steep rise beneath noise so slow that the score alone could never be significant", () => {
    const hours = Array.from({ length: 96 }, (_, i) => i / 4);
    const slow = hours.map((hour) => Math.sin(hour / 3) + Math.cos(hour / 2));
    const steep = sure(
      theilSen([
        hourly(
          hours,
          hours.map((hour, i) => 20 * hour + (slow[i] ?? 0)),
        ),
      ]),
    );
    expect(steep.phi).toBeGreaterThan(0.97);
    expect(steep.pValue).toBeLessThan(0.01);
    expect(steep.ci95[0]).toBeGreaterThan(18);
    const still = sure(
      theilSen([
        hourly(
          hours,
          hours.map((_, i) => (i === 40 || i === 41 ? 1 : 0)),
        ),
      ]),
    );
    expect(still.slopePerHour).toBe(0);
    expect(still.pValue).toBeGreaterThan(0.5);
  });
  it("cannot say without three points, nor when every boot has one", () => {
    expect(theilSen([hourly([0, 1], [1, 2])])).toEqual({
      kind: "insufficient",
      reason: "points for a slope",
      needed: 3,
      had: 2,
    });
    expect(isInsufficient(theilSen([hourly([0], [1]), hourly([1], [1]), hourly([2], [1])]))).toBe(true);
    expect(isInsufficient(theilSen([]))).toBe(true);
  });
  it("thins long series and keeps the slope", () => {
    const hours = Array.from({ length: 4000 }, (_, i) => i / 240);
    const estimate = sure(
      theilSen([
        hourly(
          hours,
          hours.map((hour) => 3 * hour + 5),
        ),
      ]),
    );
    expect(estimate.n).toBeLessThanOrEqual(1500);
    expect(estimate.slopePerHour).toBeCloseTo(3, 6);
  });
});

describe("solveLeastSquares", () => {
  it("gives the worked example", () => {
    const solved = solveLeastSquares(
      [Float64Array.of(1, 1, 1), Float64Array.of(0, 1, 2)],
      Float64Array.of(1, 3, 5),
    );
    expect(solved?.coefficients[0]).toBeCloseTo(1, 12);
    expect(solved?.coefficients[1]).toBeCloseTo(2, 12);
    expect(solved?.residualSquares).toBeCloseTo(0, 12);
  });
  it("agrees with statsmodels OLS", () => {
    const ones = new Float64Array(12).fill(1);
    const solved = solveLeastSquares([ones, PI_DIGITS.timesMs.map((t) => t / HOUR_MS)], PI_DIGITS.values);
    expect(solved?.coefficients[0]).toBeCloseTo(2.41025641, 8);
    expect(solved?.coefficients[1]).toBeCloseTo(0.34965035, 8);
    expect(solved?.residualSquares).toBeCloseTo(53.184149184149184, 10);
    expect(solved?.inverse[0]?.[1]).toBeCloseTo(-0.03846153846153847, 12);
  });
  it("refuses columns that say the same", () => {
    expect(
      solveLeastSquares([Float64Array.of(1, 2, 3), Float64Array.of(2, 4, 6)], Float64Array.of(1, 2, 3)),
    ).toBe(undefined);
  });
});

describe("praisWinsten", () => {
  const line = (segments: readonly Segment[]) =>
    segments.map((segment, own) => ({
      ...segment,
      columns: [
        ...segments.map((_, s) => new Float64Array(segment.values.length).fill(s === own ? 1 : 0)),
        segment.timesMs.map((timeMs) => timeMs / HOUR_MS),
      ],
    }));
  const shifted = [
    twoBoots[0] as Segment,
    {
      timesMs: (twoBoots[1] as Segment).timesMs,
      values: (twoBoots[1] as Segment).values.map((value) => value - 7),
    },
  ];

  it.each([
    [
      "one boot",
      oneBoot,
      [-0.010770585547344221, 0.019967918610629735],
      [0.13121368062684036, 0.005177183397995785],
      0.2937563141705231,
      0.3313126244221607,
    ],
    [
      "two boots",
      shifted,
      [-0.12374818599788431, -0.6819610739578484, 0.0385214764712994],
      [0.12139674789509254, 0.3319401580957529, 0.00961704207198205],
      0.16201441138496805,
      0.30650817221200494,
    ],
  ])(
    "agrees with statsmodels GLS on dense matrices: %s",
    (_, segments, coefficients, errors, phi, errorSd) => {
      const fit = sure(praisWinsten(line(segments)));
      coefficients.forEach((value, i) => expect(fit.coefficients[i]).toBeCloseTo(value, 6));
      errors.forEach((value, i) => expect(Math.sqrt(fit.covariance[i]?.[i] as number)).toBeCloseTo(value, 6));
      expect(fit.phi).toBeCloseTo(phi, 5);
      expect(fit.errorSd).toBeCloseTo(errorSd, 6);
    },
  );
  it("whitens so that GLS with a known phi and gaps comes out, statsmodels GLS", () => {
    const timesMs = hourly([0, 1, 2, 5, 6, 7, 11, 12, 13, 14, 15, 20], []).timesMs;
    const columns = [new Float64Array(12).fill(1), timesMs.map((timeMs) => timeMs / HOUR_MS)].map((column) =>
      whiten(timesMs, column, HOUR_MS, 0.4),
    );
    const solved = solveLeastSquares(columns, whiten(timesMs, PI_DIGITS.values, HOUR_MS, 0.4));
    expect(solved?.coefficients[0]).toBeCloseTo(2.545150669071961, 10);
    expect(solved?.coefficients[1]).toBeCloseTo(0.21749280927131798, 10);
    const variance = (solved?.residualSquares ?? NaN) / 10;
    expect(variance * (solved?.inverse[1]?.[1] ?? NaN)).toBeCloseTo(0.022186878190420724, 10);
  });
  it("gives the worked example and cannot say with too little", () => {
    const fit = praisWinsten(line([hourly([0, 1, 2, 3, 4], [1, 3, 5, 7, 9])]));
    expect(sure(fit).coefficients[1]).toBeCloseTo(2, 9);
    expect(isInsufficient(praisWinsten(line([hourly([0, 1, 2], [1, 3, 5])])))).toBe(true);
    const twice = oneBoot.map((segment) => ({ ...segment, columns: [segment.timesMs, segment.timesMs] }));
    expect(praisWinsten(twice)).toMatchObject({ reason: "independent columns in the design" });
  });
});
