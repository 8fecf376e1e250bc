import { expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng, type Rng } from "#lib/domain/statistics/rng.ts";
import { commonStretch, compareMetric, type ComparedNode, type ComparedSides } from "./compare.ts";

/* `npm run calibrate`. Prints the tables of docs/statistics.md. */
const RUNS = 1000;
const STEP_MS = 300_000;
const MIB = 1024;
const NOISE = 50 * MIB;
const warm = { warmUpMs: 0 };

interface Truth {
  readonly level: number;
  readonly perHour: number;
}

function made(rng: Rng, nodeId: number, n: number, phi: number, { level, perHour }: Truth): ComparedNode {
  const values = autoregressiveNoise(rng, n, phi, NOISE).map(
    (noise, i) => level + (perHour * (i - (n - 1) / 2)) / 12 + noise,
  );
  return {
    nodeId,
    originMs: 0,
    boots: [{ bootId: "a", timesMs: values.map((_, i) => i * STEP_MS), values }],
  };
}

function coverage(truth: Truth, sidesOf: () => ComparedSides) {
  let levels = 0;
  let slopes = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const sides = sidesOf();
    const stretch = commonStretch(sides, warm);
    if (isInsufficient(stretch)) throw new Error(stretch.reason);
    const found = compareMetric(sides, stretch, warm);
    if (isInsufficient(found)) throw new Error(found.reason);
    const holds = ([lower, upper]: readonly [number, number], value: number) =>
      lower <= value && value <= upper ? 1 / RUNS : 0;
    levels += holds(found.level.ci95, truth.level);
    slopes += holds(found.slopePerHour.ci95, truth.perHour);
  }
  return { levels, slopes };
}

const NOTHING = { level: 0, perHour: 0 };
const DIFFERENCE = { level: 300 * MIB, perHour: 40 * MIB };

it.each(
  (
    [
      [48, 48],
      [144, 144],
      [288, 288],
      [288, 72],
    ] as const
  ).flatMap(([a, b]) =>
    (
      [
        [0, 0],
        [0.5, 0.5],
        [0.8, 0.8],
        [0.95, 0.95],
        [0, 0.8],
      ] as const
    ).map(([phiA, phiB]) => [a, b, phiA, phiB] as const),
  ),
)("one node against one: %i and %i points, phi %f and %f", (a, b, phiA, phiB) => {
  const rng = createRng(a * 7 + b + 100 * phiA + 10 * phiB);
  // What is shared is as long as the shorter side, and the level is read in its middle.
  const shared = Math.min(a, b);
  const { levels, slopes } = coverage(DIFFERENCE, () => ({
    a: [made(rng, 1, a, phiA, NOTHING)],
    b: [made(rng, 2, b, phiB, DIFFERENCE)],
  }));
  console.log(`| ${a} | ${b} | ${phiA} | ${phiB} | ${levels.toFixed(3)} | ${slopes.toFixed(3)} |`);
  const least = Math.max(phiA, phiB) > 0.8 || shared < 72 ? 0.88 : 0.92;
  expect(Math.min(levels, slopes)).toBeGreaterThanOrEqual(least);
});

it.each(
  (
    [
      [2, 2],
      [3, 3],
      [2, 3],
      [2, 8],
      [3, 8],
      [8, 8],
      [1, 3],
      [1, 8],
    ] as const
  ).flatMap(([a, b]) => [0, 1, 3].map((between) => [a, b, between] as const)),
)("cohorts of %i and %i nodes that differ by %f times the noise", (a, b, between) => {
  const rng = createRng(a * 100 + b * 10 + between);
  const nodes = (count: number, first: number, { level, perHour }: Truth) =>
    Array.from({ length: count }, (_, i) =>
      made(rng, first + i, 72, 0.5, {
        level: level + between * NOISE * rng.normal(),
        perHour: perHour + between * 10 * MIB * rng.normal(),
      }),
    );
  const { levels, slopes } = coverage(DIFFERENCE, () => ({
    a: nodes(a, 1, NOTHING),
    b: nodes(b, 100, DIFFERENCE),
  }));
  console.log(`| ${a} | ${b} | ${between} | ${levels.toFixed(3)} | ${slopes.toFixed(3)} |`);
  expect(Math.min(levels, slopes)).toBeGreaterThanOrEqual(0.92);
});
