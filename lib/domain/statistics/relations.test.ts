import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { dynamicRegression, type DrivenSegment } from "./dynamic-regression.ts";
import type { Insufficient } from "./insufficient.ts";
import { isInsufficient } from "./insufficient.ts";
import { scanLags } from "./lag-scan.ts";
import { solveNormalEquations } from "./least-squares.ts";
import { pearson } from "./pearson.ts";
import { createRng } from "./rng.ts";
import { spearman } from "./spearman.ts";

function sure<T>(result: T | Insufficient): T {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

/* scipy.stats.pearsonr(X, Y), spearmanr(X, Y), SciPy 1.10.1: both with ties, one outlier. */
const X = [1, 2, 2, 4, 5, 7, 7, 7, 9, 10, 12, 13];
const Y = [2, 1, 4, 4, 6, 5, 9, 9, 8, 12, 11, 30];

describe("pearson and spearman", () => {
  it("give the worked examples", () => {
    expect(sure(pearson([1, 2, 3, 4], [1, 3, 2, 4])).coefficient).toBeCloseTo(0.8, 12);
    expect(sure(spearman([1, 2, 3, 4], [1, 10, 10, 1000])).coefficient).toBeCloseTo(0.9486832980505138, 12);
  });
  it("agree with SciPy", () => {
    const line = sure(pearson(X, Y));
    expect(line.coefficient).toBeCloseTo(0.8112514743567268, 12);
    expect(line.pValue).toBeCloseTo(0.001361207495830197, 12);
    const order = sure(spearman(X, Y));
    expect(order.coefficient).toBeCloseTo(0.9292166387480527, 12);
    expect(order.pValue).toBeCloseTo(1.241566742483465e-5, 14);
  });
  it("do not mind the order of pairs, shift and scale; spearman no rising curve either", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
          minLength: 3,
          maxLength: 40,
        }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (pairs, scale) => {
          const x = pairs.map(([a]) => a);
          const y = pairs.map(([, b]) => b);
          const before = pearson(x, y);
          const order = spearman(x, y);
          if (isInsufficient(before) || isInsufficient(order)) return;
          const after = sure(pearson(y.map((value) => value * scale + 7).toReversed(), x.toReversed()));
          expect(after.coefficient).toBeCloseTo(before.coefficient, 9);
          expect(
            sure(
              spearman(
                x,
                y.map((value) => Math.exp(value / 20)),
              ),
            ).coefficient,
          ).toBeCloseTo(order.coefficient, 9);
          expect(Math.abs(before.coefficient)).toBeLessThanOrEqual(1);
          expect(before.pValue).toBeGreaterThanOrEqual(0);
          expect(before.pValue).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
  it("leave out what is not finite, and cannot say without variation", () => {
    expect(sure(pearson([1, NaN, 2, 3, 4], [1, 5, 2, Infinity, 9])).n).toBe(3);
    expect(pearson([1, 2], [1, 2])).toMatchObject({ kind: "insufficient", needed: 3, had: 2 });
    expect(isInsufficient(pearson([0.1, 0.1, 0.1], [1, 2, 3]))).toBe(true);
    expect(isInsufficient(spearman([1, 2, 3], [5, 5, 5]))).toBe(true);
    expect(isInsufficient(pearson([1e200, 2e200, 5e300], [1, 2, 3]))).toBe(true);
  });
});

const times = (n: number) => Float64Array.from({ length: n }, (_, i) => i * 1000);
const summed = (changes: readonly number[]) => {
  let level = 0;
  return Float64Array.from(changes, (change) => (level += change));
};
const CAUSE = summed([3, 0, 5, 1, 0, 2, 7, 1, 0, 4, 2, 0, 6, 1, 3, 0, 2, 5, 0, 1]);
const RESPONSE = summed([1, 3, 0, 5, 1, 0, 2, 7, 1, 1, 4, 2, 0, 6, 1, 3, 0, 2, 5, 0]);

/** At lags -1, 0, 1, 2. */
const NUMPY_LAGS = [-0.3448986063693427, -0.37370481495559166, 0.9938093808208719, -0.4458703018674665];

describe("scanLags", () => {
  it("gives the worked example", () => {
    const scan = sure(
      scanLags(
        [
          {
            timesMs: times(7),
            cause: Float64Array.of(0, 1, 1, 4, 4, 4, 4),
            response: Float64Array.of(0, 0, 1, 1, 4, 4, 4),
          },
        ],
        1,
      ),
    );
    expect(scan.lags.map(({ steps }) => steps)).toEqual([-1, 0, 1]);
    expect(scan.lags[2]?.coefficient).toBeCloseTo(1, 12);
    expect(scan.best).toBeUndefined();
  });
  it("agrees with NumPy on the coefficients, and finds the lag", () => {
    // a, b = np.diff less the mean of all; (a[:n-k] * b[k:]).sum() over the root of the sums of squares of those pairs. NumPy 1.24.2
    const scan = sure(scanLags([{ timesMs: times(20), cause: CAUSE, response: RESPONSE }], 2));
    const coefficients = scan.lags.slice(1).map(({ coefficient }) => coefficient);
    NUMPY_LAGS.forEach((value, k) => expect(coefficients[k]).toBeCloseTo(value, 12));
    expect(scan.best).toMatchObject({ steps: 1, fromSteps: 1, toSteps: 1, n: 18 });
  });
  it("takes no difference across a gap or a reboot", () => {
    const whole = sure(scanLags([{ timesMs: times(20), cause: CAUSE, response: RESPONSE }], 2));
    const parts = [
      [0, 10],
      [10, 20],
    ].map(([from, to]) => ({
      timesMs: times(20).subarray(from, to),
      cause: CAUSE.subarray(from, to).map((value) => value + (from === 0 ? 0 : 1e6)),
      response: RESPONSE.subarray(from, to),
    }));
    const cut = sure(scanLags(parts, 2));
    expect(cut.lags[2]?.n).toBe((whole.lags[2]?.n ?? 0) - 1);
    expect(cut.best?.steps).toBe(1);
  });
  it.each([
    ["unrelated", 0, 0],
    ["one lag of a jumpy cause", 1, 0],
  ])("names a lag rarely where there is none, mostly where there is: %s", (_, effect, phi) => {
    const rng = createRng(77);
    let named = 0;
    let right = 0;
    for (let run = 0; run < 200; run += 1) {
      const changes = autoregressiveNoise(rng, 203, phi, 1);
      const noise = autoregressiveNoise(rng, 203, 0.8, 1);
      const cause = summed(changes).subarray(3);
      const response = Float64Array.from(
        noise,
        (value, i) => value + effect * (summed(changes)[i - 3] ?? 0),
      ).subarray(3);
      const { best } = sure(scanLags([{ timesMs: times(200), cause, response }], 12));
      if (best === undefined) continue;
      named += 1;
      if (best.fromSteps <= 3 && 3 <= best.toSteps) right += 1;
    }
    if (effect === 0) expect(named / 200).toBeLessThanOrEqual(0.06);
    else expect(right / 200).toBeGreaterThanOrEqual(0.95);
  });
  it("says that no lag is better where the cause changes too slowly to tell", () => {
    const rng = createRng(5);
    const changes = autoregressiveNoise(rng, 200, 0.999, 1);
    const response = Float64Array.from(summed(changes), (value, i) => value + (i % 7));
    const scan = sure(scanLags([{ timesMs: times(200), cause: summed(changes), response }], 3));
    expect(scan.best).toBeUndefined();
  });
  it("cannot say with too few steps, or when nothing changes", () => {
    const flat = {
      timesMs: times(60),
      cause: new Float64Array(60),
      response: summed(new Array<number>(60).fill(1)),
    };
    expect(isInsufficient(scanLags([], 3))).toBe(true);
    expect(isInsufficient(scanLags([flat], 3))).toBe(true);
    expect(scanLags([{ timesMs: times(5), cause: times(5), response: times(5) }], 3)).toMatchObject({
      had: 4,
    });
  });
});

/*
 * 28 points in two segments, two steps lost. Python 3.11, NumPy 1.24.2, statsmodels 0.13.5, dense matrices:
 *   i = arange(30); c = cumsum((i*i*17) % 13); l = (i*29) % 11; e[k] = .7*e[k-1] + ((k*k*37) % 101)/101 - .5
 *   y = round(2*i + .5*c + 3*l + 4*e, 3), i 11 and 12 lost, 50 added from i = 18 on, which is a second segment
 *   for each of the 143 noises S = R(slow)/(1-slow^2) + q R(fast), R block-diagonal phi^|i-j|:
 *     fit = sm.GLS(y, X, sigma=S).fit(); A = X'S^-1X
 *     ll = -.5*((n-p)*log(fit.scale) + slogdet(S) + slogdet(A));  w = weight*exp(ll - max)
 *   b = sum w*params;  V = sum w*(cov_params + (params-b)(params-b)')
 */
const INDEX = Array.from({ length: 30 }, (_, i) => i);
const COUNT = summed(INDEX.map((i) => (i * i * 17) % 13));
const VALUES = [
  0.0, 24.465, 15.987, 43.329, 41.126, 34.072, 56.603, 49.474, 43.614, 73.273, 68.576, 59.06, 85.052, 76.38,
  101.874, 92.215, 87.829, 117.615, 111.953, 100.557, 123.879, 118.333, 113.311, 142.536, 131.765, 158.977,
  149.258, 139.118, 162.714, 156.607,
];
const drivenPart = (kept: readonly number[], shift: number): DrivenSegment => ({
  timesMs: Float64Array.from(kept, (i) => i * 1000),
  values: Float64Array.from(kept, (i) => (VALUES[i] ?? 0) + shift),
  drivers: [
    Float64Array.from(kept),
    Float64Array.from(kept, (i) => COUNT[i] ?? 0),
    Float64Array.from(kept, (i) => (i * 29) % 11),
  ],
});
const DRIVEN = [
  drivenPart(
    INDEX.filter((i) => i < 18 && i !== 11 && i !== 12),
    0,
  ),
  drivenPart(
    INDEX.filter((i) => i >= 18),
    50,
  ),
];

describe("dynamicRegression", () => {
  it("gives the worked example", () => {
    const line = Float64Array.of(0, 1, 2, 3, 4);
    const fit = sure(
      dynamicRegression([{ timesMs: times(5), values: line.map((x) => 7 + 2 * x), drivers: [line] }]),
    );
    expect(fit.coefficients[0]).toBeCloseTo(2, 9);
  });
  it("agrees with the dense computation of every noise, over segments and a gap", () => {
    const fit = sure(dynamicRegression(DRIVEN));
    [1.6615229306848105, 0.544277076479338, 3.0550235401267583].forEach((value, d) =>
      expect(fit.coefficients[d]).toBeCloseTo(value, 8),
    );
    expect(fit.covariance[0]?.[0]).toBeCloseTo(0.15295759082525118, 8);
    expect(fit.covariance[1]?.[1]).toBeCloseTo(0.0033542957484197773, 9);
    expect(fit.covariance[2]?.[2]).toBeCloseTo(0.0024364332654586668, 9);
    expect(fit.covariance[0]?.[1]).toBeCloseTo(-0.01949363202607795, 8);
    expect(fit.phi).toBeCloseTo(0.9740718964262711, 8);
    expect(fit.degreesOfFreedom).toBe(23);
  });
  it("ignores the level of a segment, and scales with value and driver", () => {
    const before = sure(dynamicRegression(DRIVEN));
    const after = sure(
      dynamicRegression(
        DRIVEN.map((segment, k) => ({
          ...segment,
          values: segment.values.map((value) => 10 * value + 1e6 * k),
          drivers: segment.drivers.map((driver, d) => (d === 1 ? driver.map((x) => 4 * x - 100) : driver)),
        })),
      ),
    );
    expect(after.coefficients[1]).toBeCloseTo(2.5 * (before.coefficients[1] ?? 0), 6);
    expect(after.inflation[1]).toBeCloseTo(before.inflation[1] ?? 0, 6);
  });
  it("knows drivers that are one, and too few points", () => {
    const line = times(40);
    const twice = {
      timesMs: line,
      values: line.map((x, i) => x + (i % 3)),
      drivers: [line, line.map((x) => 2 * x + 1)],
    };
    expect(dynamicRegression([twice])).toMatchObject({ kind: "insufficient", reason: "independent drivers" });
    expect(dynamicRegression([])).toMatchObject({ kind: "insufficient", had: 0 });
    expect(dynamicRegression([{ timesMs: times(4), values: times(4), drivers: [times(4)] }])).toMatchObject({
      needed: 5,
      had: 4,
    });
    const orthogonal = sure(
      dynamicRegression([
        {
          timesMs: line,
          values: line,
          drivers: [line.map((_, i) => (i < 20 ? 0 : 1)), line.map((_, i) => i % 2)],
        },
      ]),
    );
    expect(orthogonal.inflation[1]).toBeCloseTo(1, 1);
  });
});

it("solveNormalEquations gives the worked example", () => {
  const solved = solveNormalEquations(Float64Array.of(3, 3, 3, 5), Float64Array.of(9, 13));
  expect(solved?.coefficients[0]).toBeCloseTo(1, 12);
  expect(solved?.coefficients[1]).toBeCloseTo(2, 12);
  expect(solved?.logDeterminant).toBeCloseTo(Math.log(6), 12);
});
