import { expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng, type Rng } from "#lib/domain/statistics/rng.ts";
import { compareWithControls } from "./controls.ts";
import { studyEffect, type Effect } from "./event-study.ts";

/* `npm run calibrate`. Prints a table of docs/statistics.md. */
const RUNS = 1000;
const STEP_MS = 300_000;
const MIB = 1024;
const SIDE = 72;
const PHI = 0.5;
/** What changes everywhere at the mark, and what the treatment adds, KiB per hour. */
const EVERYWHERE = 40 * MIB;
const EFFECT = -100 * MIB;

function change(rng: Rng, perHour: number): Effect {
  const noise = autoregressiveNoise(rng, 2 * SIDE + 1, PHI, 50 * MIB);
  const effect = studyEffect({
    segments: [
      {
        bootId: "a",
        timesMs: noise.map((_, i) => i * STEP_MS),
        values: noise.map(
          (value, i) => value + (i * 200 * MIB) / 12 + (Math.max(0, i - SIDE) * perHour) / 12,
        ),
      },
    ],
    atMs: SIDE * STEP_MS,
    beforeMs: SIDE * STEP_MS,
    afterMs: (SIDE + 1) * STEP_MS,
    neighboursMs: [],
    nowMs: noise.length * STEP_MS,
    memTotalKib: 16 * MIB * MIB,
  });
  if (isInsufficient(effect)) throw new Error(effect.reason);
  return effect;
}

/** Usual standard error of a node's change, so that the difference between nodes can be given in it. */
function ownError(): number {
  const rng = createRng(5);
  const errors = Array.from({ length: 200 }, () => change(rng, 0).slopeChange?.standardError ?? NaN);
  return errors.sort((a, b) => a - b)[100] ?? NaN;
}

const own = ownError();

it.each(
  (
    [
      [1, 1],
      [1, 2],
      [1, 4],
      [1, 8],
      [3, 1],
      [3, 3],
      [4, 8],
    ] as const
  ).flatMap(([treated, controls]) => [0, 1, 3].map((between) => [treated, controls, between] as const)),
)("%i treated, %i controls, nodes differ by %i own errors", (treated, controls, between) => {
  const rng = createRng(treated * 100 + controls * 10 + between);
  let covered = 0;
  let width = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const nodes = (count: number, perHour: number) =>
      Array.from({ length: count }, () => change(rng, perHour + between * own * rng.normal()));
    const compared = compareWithControls(nodes(treated, EVERYWHERE + EFFECT), nodes(controls, EVERYWHERE));
    if (compared === undefined) throw new Error("each side has estimates");
    const [lower, upper] = compared.ci95;
    if (lower <= EFFECT && upper >= EFFECT) covered += 1;
    width += (upper - lower) / 2 / own / RUNS;
  }
  const share = covered / RUNS;
  console.log(`| ${treated} | ${controls} | ${between} | ${share.toFixed(3)} | ${width.toFixed(1)} |`);
  expect(share).toBeGreaterThanOrEqual(0.92);
  // With hardly any spread to go by, the own errors as the least width and t with 1 degree of freedom err on the safe side.
  if (treated + controls > 3 && between > 0) expect(share).toBeLessThanOrEqual(0.98);
});
