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
