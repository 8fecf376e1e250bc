import { expect, it } from "vitest";
import { isInsufficient } from "./insufficient.ts";
import { praisWinsten } from "./prais-winsten.ts";
import type { Rng } from "./rng.ts";
import { createRng } from "./rng.ts";
import { tQuantile } from "./t-distribution.ts";
import { theilSen } from "./theil-sen.ts";

/* `npm run calibrate`. Prints a table of docs/statistics.md. */
const RUNS = 2000;
const SLOPE = 0.3;

function noisyLine(rng: Rng, n: number, phi: number) {
  const timesMs = new Float64Array(n);
  const values = new Float64Array(n);
  let state = rng.normal();
  for (let i = 0; i < n; i += 1) {
    if (i > 0) state = phi * state + Math.sqrt(1 - phi * phi) * rng.normal();
    timesMs[i] = i * 300_000;
    values[i] = (SLOPE * i) / 12 + state;
  }
  return { timesMs, values };
}

it.each([48, 144, 288].flatMap((n) => [0, 0.5, 0.8, 0.95].map((phi) => [n, phi] as const)))(
  "95 %% intervals cover the slope: n = %i, phi = %f",
  (n, phi) => {
    const rng = createRng(n * 100 + phi * 100);
    let theilSenCovers = 0;
    let praisWinstenCovers = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const line = noisyLine(rng, n, phi);
      const robust = theilSen([line]);
      const columns = [new Float64Array(n).fill(1), line.timesMs.map((timeMs) => timeMs / 3_600_000)];
      const fit = praisWinsten([{ ...line, columns }]);
      if (isInsufficient(robust) || isInsufficient(fit)) throw new Error("the line has enough points");
      if (robust.ci95[0] <= SLOPE && SLOPE <= robust.ci95[1]) theilSenCovers += 1;
      const halfWidth = tQuantile(0.975, fit.degreesOfFreedom) * Math.sqrt(fit.covariance[1]?.[1] ?? NaN);
      if (Math.abs((fit.coefficients[1] ?? NaN) - SLOPE) <= halfWidth) praisWinstenCovers += 1;
    }
    const shares = [theilSenCovers / RUNS, praisWinstenCovers / RUNS];
    console.log(`| ${n} | ${phi} | ${shares.map((share) => share.toFixed(3)).join(" | ")} |`);
    const least = n >= 144 ? 0.92 : phi <= 0.8 ? 0.9 : 0.87;
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(least);
      expect(share).toBeLessThanOrEqual(0.98);
    }
  },
);

const WEEK = 2016;
const WEEK_RUNS = 600;
const VALUES_A_MEAN = 4;

/** Means of `count` neighbours each, at the mean of their times: what is read of a long window. */
function inMeans({ timesMs, values }: ReturnType<typeof noisyLine>, count: number) {
  const meansOf = (of: Float64Array) =>
    Float64Array.from({ length: Math.floor(of.length / count) }, (_, k) => {
      const some = of.subarray(k * count, (k + 1) * count);
      return some.reduce((sum, value) => sum + value, 0) / count;
    });
  return { timesMs: meansOf(timesMs), values: meansOf(values) };
}

it.each([0, 0.5, 0.8, 0.95])(
  "a week of five-minute values gives as good an interval in means of 20 min: phi = %f",
  (phi) => {
    const rng = createRng(7 + phi * 100);
    const [fine, means] = [
      { covers: 0, width: 0 },
      { covers: 0, width: 0 },
    ];
    for (let run = 0; run < WEEK_RUNS; run += 1) {
      const line = noisyLine(rng, WEEK, phi);
      for (const [of, points] of [
        [fine, line],
        [means, inMeans(line, VALUES_A_MEAN)],
      ] as const) {
        const estimate = theilSen([points]);
        if (isInsufficient(estimate)) throw new Error("a week has enough points");
        const [lower, upper] = estimate.ci95;
        if (lower <= SLOPE && SLOPE <= upper) of.covers += 1;
        of.width += upper - lower;
      }
    }
    const shares = [fine.covers / WEEK_RUNS, means.covers / WEEK_RUNS];
    const ratio = means.width / fine.width;
    console.log(`| ${phi} | ${shares.map((share) => share.toFixed(3)).join(" | ")} | ${ratio.toFixed(3)} |`);
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(0.92);
      expect(share).toBeLessThanOrEqual(0.995);
    }
    expect(ratio).toBeLessThan(1.1);
  },
);
