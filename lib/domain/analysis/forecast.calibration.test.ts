import { expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { decomposeGrowth } from "./decomposition.ts";
import { forecastExhaustion } from "./forecast.ts";
import { analyseTrend } from "./trend.ts";

/* `npm run calibrate`. Prints tables of docs/statistics.md. */
const RUNS = 500;
const STEP_MS = 300_000;
const MIB = 1024;
const NOISE_KIB = 50 * MIB;

it.each([144, 288].flatMap((n) => [0, 0.5, 0.8].map((phi) => [n, phi] as const)))(
  "the fan holds the moment at which the line runs out: n = %i, phi = %f",
  (n, phi) => {
    const rng = createRng(n * 10 + phi * 100);
    const cells = [0.05, 1, 10].flatMap((left) =>
      [10, 30].map((rise) => {
        let spoken = 0;
        let held = 0;
        for (let run = 0; run < RUNS; run += 1) {
          const perStep = (rise * NOISE_KIB) / n;
          const values = autoregressiveNoise(rng, n, phi, NOISE_KIB).map((noise, i) => noise + perStep * i);
          const timesMs = values.map((_, i) => i * STEP_MS);
          const trend = analyseTrend({
            segments: [{ bootId: "a", timesMs, values }],
            memTotalKib: 16 * MIB * MIB,
          });
          if (trend.kind !== "trend") throw new Error(trend.reason);
          const limit = perStep * (n - 1) + left * rise * NOISE_KIB;
          const nowMs = (n - 1) * STEP_MS;
          const end = forecastExhaustion(trend, {
            what: "memory",
            headroom: limit - (values.at(-1) ?? 0),
            nowMs,
          });
          if (end === undefined) continue;
          spoken += 1;
          const truthMs = nowMs + left * n * STEP_MS;
          if (end.ci95[0] <= truthMs && truthMs <= (end.ci95[1] ?? Infinity)) held += 1;
        }
        expect(held / spoken).toBeGreaterThanOrEqual(0.88);
        return (held / spoken).toFixed(3);
      }),
    );
    console.log(`| ${n} | ${phi} | ${cells.join(" | ")} |`);
  },
);

it.each([
  [0, 0.8],
  [0.5, 0.5],
  [0.8, 0.8],
  [0.95, 0],
] as const)("intervals of slopes and shares of parts with phi %f and %f", (phiA, phiB) => {
  const rng = createRng(phiA * 100 + phiB * 10);
  const n = 288;
  const timesMs = Array.from({ length: n }, (_, i) => i * STEP_MS);
  const covered = { slopeA: 0, slopeB: 0, shareA: 0, shareB: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const a = autoregressiveNoise(rng, n, phiA, 50_000).map((noise, i) => noise + (7000 * i) / 12);
    const b = autoregressiveNoise(rng, n, phiB, 20_000).map((noise, i) => noise + (3000 * i) / 12);
    const result = decomposeGrowth({
      segments: [{ bootId: "a", timesMs, values: a.map((value, i) => value + (b[i] ?? 0)) }],
      parts: [
        [
          { key: "a", values: a },
          { key: "b", values: b },
        ],
      ],
    });
    if (result.kind !== "decomposition") throw new Error(result.reason);
    const holds = (value: number, ends: readonly [number, number] | undefined) =>
      ends !== undefined && ends[0] <= value && value <= ends[1] ? 1 : 0;
    for (const part of result.parts) {
      const isA = part.key === "a";
      covered[isA ? "slopeA" : "slopeB"] += holds(isA ? 7000 : 3000, part.ci95);
      covered[isA ? "shareA" : "shareB"] += holds(isA ? 0.7 : 0.3, part.shareCi95);
    }
  }
  const shares = Object.values(covered).map((count) => count / RUNS);
  console.log(`| ${phiA} | ${phiB} | ${shares.map((share) => share.toFixed(3)).join(" | ")} |`);
  for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.9);
});
