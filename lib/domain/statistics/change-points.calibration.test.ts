import { expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { findSlopeChanges } from "./change-points.ts";
import { isInsufficient } from "./insufficient.ts";
import type { Rng } from "./rng.ts";
import { createRng } from "./rng.ts";

/* `npm run calibrate`. Prints the tables of docs/statistics.md. */
const RUNS = 300;
const STEP_MS = 300_000;

function changesOf(rng: Rng, n: number, phi: number, shape: (i: number) => number) {
  const values = Float64Array.from(autoregressiveNoise(rng, n, phi, 1), (value, i) => value + shape(i));
  const line = findSlopeChanges({ timesMs: values.map((_, i) => i * STEP_MS), values });
  if (isInsufficient(line)) throw new Error(line.reason);
  return line.changes;
}

it.each([48, 144, 288, 600].flatMap((n) => [0, 0.5, 0.8, 0.95].map((phi) => [n, phi] as const)))(
  "false changes of slope: n = %i, phi = %f",
  (n, phi) => {
    const rng = createRng(n * 100 + phi * 100);
    const share = (draw: () => (i: number) => number) => {
      let found = 0;
      for (let run = 0; run < RUNS; run += 1) if (changesOf(rng, n, phi, draw()).length > 0) found += 1;
      return found / RUNS;
    };
    const noise = share(() => () => 0);
    const line = share(() => (i) => (10 * i) / n);
    const steps = [1, 4, 8].map((sd) =>
      share(() => {
        const at = rng.uniform() * n;
        return (i) => (i < at ? 0 : sd);
      }),
    );
    const all = [noise, line, ...steps];
    console.log(`| ${n} | ${phi} | ${all.map((each) => `${(100 * each).toFixed(1)} %`).join(" | ")} |`);
    for (const each of all) expect(each).toBeLessThanOrEqual(0.05);
  },
);

it.each([144, 288, 600].flatMap((n) => [0, 0.5, 0.8, 0.95].map((phi) => [n, phi] as const)))(
  "one true change, rise of 10, 30 and 300 sd after it: n = %i, phi = %f",
  (n, phi) => {
    const rng = createRng(n + phi * 100);
    for (const rise of [10, 30, 300]) {
      let found = 0;
      let more = 0;
      let placed = 0;
      let before = 0;
      let after = 0;
      let width = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const at = (0.3 + 0.4 * rng.uniform()) * n;
        const perPoint = rise / (n - at);
        const changes = changesOf(rng, n, phi, (i) => perPoint * Math.max(0, i - at));
        if (changes.length > 1) more += 1;
        const [change] = changes;
        if (change === undefined || changes.length > 1) continue;
        found += 1;
        const holds = (value: number, [low, high]: readonly [number, number]) =>
          low <= value && value <= high;
        if (holds(at * STEP_MS, change.ci95Ms)) placed += 1;
        if (holds(0, change.before.ci95)) before += 1;
        if (holds(perPoint * 12, change.after.ci95)) after += 1;
        width += (change.ci95Ms[1] - change.ci95Ms[0]) / STEP_MS / n;
      }
      const of = (count: number) => (found > 0 ? (count / found).toFixed(3) : "–");
      console.log(
        `| ${n} | ${phi} | ${rise} sd | ${((100 * found) / RUNS).toFixed(0)} % | ${((100 * more) / RUNS).toFixed(1)} % | ${of(placed)} | ${of(100 * width)} % | ${of(before)} | ${of(after)} |`,
      );
      expect(more / RUNS).toBeLessThanOrEqual(0.08);
      if (found > RUNS / 2 && phi <= 0.8) expect(placed / found).toBeGreaterThanOrEqual(0.88);
    }
  },
);
