import { expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { studyEffect } from "./event-study.ts";

/* `npm run calibrate`. Prints a table of docs/statistics.md. */
const RUNS = 1000;
const STEP_MS = 300_000;
const MIB = 1024;
const LEAK_KIB_PER_STEP = (100 * MIB) / 12;

it.each(
  [
    [288, 24],
    [72, 11],
    [72, 24],
    [72, 72],
    [288, 288],
  ].flatMap(([before, after]) => [0, 0.5, 0.8].map((phi) => [before ?? 0, after ?? 0, phi] as const)),
)("%i points before, %i after, phi %f: a mark without effect", (before, after, phi) => {
  const rng = createRng(before * 1000 + after * 10 + phi * 7);
  let slopeCovered = 0;
  let levelCovered = 0;
  let falseSlope = 0;
  let falseLevel = 0;
  for (let run = 0; run < RUNS; run += 1) {
    // One step more after the mark, because the first is left out.
    const noise = autoregressiveNoise(rng, before + after + 1, phi, 50 * MIB);
    const effect = studyEffect({
      segments: [
        {
          bootId: "a",
          timesMs: noise.map((_, i) => i * STEP_MS),
          values: noise.map((value, i) => value + i * LEAK_KIB_PER_STEP),
        },
      ],
      atMs: before * STEP_MS,
      beforeMs: before * STEP_MS,
      afterMs: (after + 1) * STEP_MS,
      neighboursMs: [],
      nowMs: noise.length * STEP_MS,
      memTotalKib: 16 * MIB * MIB,
    });
    if (isInsufficient(effect) || effect.slopeChange === undefined || effect.levelChange === undefined) {
      throw new Error("the window holds enough points");
    }
    const [slopeLow, slopeHigh] = effect.slopeChange.ci95;
    const [levelLow, levelHigh] = effect.levelChange.ci95;
    if (slopeLow <= 0 && slopeHigh >= 0) slopeCovered += 1;
    if (levelLow <= 0 && levelHigh >= 0) levelCovered += 1;
    if (["stopped", "slowed", "faster", "started"].includes(effect.slopeVerdict)) falseSlope += 1;
    if (["freed", "added"].includes(effect.levelVerdict)) falseLevel += 1;
  }
  const shares = [slopeCovered, levelCovered, falseSlope, falseLevel].map((count) => count / RUNS);
  console.log(`| ${before} | ${after} | ${phi} | ${shares.map((share) => share.toFixed(3)).join(" | ")} |`);
  expect(slopeCovered / RUNS).toBeGreaterThanOrEqual(0.92);
  expect(slopeCovered / RUNS).toBeLessThanOrEqual(0.98);
  expect(levelCovered / RUNS).toBeGreaterThanOrEqual(0.92);
  expect(levelCovered / RUNS).toBeLessThanOrEqual(0.98);
  expect(falseSlope / RUNS).toBeLessThanOrEqual(0.08);
  expect(falseLevel / RUNS).toBeLessThanOrEqual(0.08);
});
