import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { bendGainsBetween, scanBreaks } from "./break-scan.ts";
import { findSlopeChanges } from "./change-points.ts";
import type { Insufficient } from "./insufficient.ts";
import { isInsufficient } from "./insufficient.ts";
import { createRng } from "./rng.ts";

const STEP_MS = 300_000;
const HOUR_MS = 3_600_000;

function sure<T>(result: T | Insufficient): T {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}
const series = (values: readonly number[], stepMs = STEP_MS) => ({
  timesMs: Float64Array.from(values, (_, i) => i * stepMs),
  values: Float64Array.from(values),
});
const noisy = (seed: number, n: number, phi: number, shape: (i: number) => number) =>
  series(autoregressiveNoise(createRng(seed), n, phi, 1).map((value, i) => value + shape(i)));

/*
 * 60 points with memory, a bend at hour 30. Made and evaluated by Python 3.11, NumPy 1.24.2, by refitting at every place:
 *   e = 0
 *   for i in range(60): e = .4*e + ((i*i*37) % 101)/101 - .5; y.append(round(.5*max(0, i-30) + e, 3))
 *   P whitens: row i is (x_i - .4 x_{i-1})/sqrt(1-.16), row 0 is x_0
 *   rss(X) = squared norm of lstsq(P X, P y) residuals;  gain = rss([1, t]) - rss([1, t, column])
 */
const BENT = Array.from({ length: 60 }, (_, i) => i).reduce<{ e: number; values: number[] }>(
  ({ e, values }, i) => {
    const next = 0.4 * e + ((i * i * 37) % 101) / 101 - 0.5;
    return { e: next, values: [...values, Math.round((0.5 * Math.max(0, i - 30) + next) * 1000) / 1000] };
  },
  { e: 0, values: [] },
).values;

const SCAN = {
  residualSquares: 130.01652531064155,
  rows: [
    [7, 27.198612939126306, 29.20121538999112, 31.968944699148494],
    [20, 54.89084856721048, 92.16907651455764, 102.68353229003458],
    [30, 0.03864095298757775, 123.71064829164644, 123.7355966693881],
    [45, 62.52796612577059, 72.49407984034522, 87.33274104605997],
  ],
} as const;

describe("scanBreaks", () => {
  const { timesMs, values } = series(BENT, HOUR_MS);
  const hours = timesMs.map((timeMs) => timeMs / HOUR_MS);
  const base = [new Float64Array(60).fill(1), hours];
  const gains = scanBreaks({ timesMs, hours, values, base, stepMs: HOUR_MS }, [], 0.4);

  it("is the same at points and between them", () => {
    const problem = { timesMs, hours, values, base, stepMs: HOUR_MS };
    const [at7, at30] = bendGainsBetween(problem, [], 0.4, [7, 30]);
    expect(at7).toBeCloseTo(SCAN.rows[0][2], 8);
    expect(at30).toBeCloseTo(SCAN.rows[2][2], 8);
    const straight = { ...problem, values: hours.map((hour) => Math.max(0, hour - 30.4)) };
    const [whole, less] = bendGainsBetween(straight, [], 0.4, [30.4, 30]);
    const all = scanBreaks(straight, [], 0.4).residualSquares;
    expect((whole ?? 0) / all).toBeCloseTo(1, 12);
    expect(less).toBeLessThan(all * (1 - 1e-6));
  });
  it("equals refitting at each place with NumPy", () => {
    expect(gains.residualSquares).toBeCloseTo(SCAN.residualSquares, 8);
    for (const [index, step, bend, both] of SCAN.rows) {
      expect(gains.step[index]).toBeCloseTo(step, 8);
      expect(gains.bend[index]).toBeCloseTo(bend, 8);
      expect(gains.both[index]).toBeCloseTo(both, 8);
    }
  });
});

describe("findSlopeChanges", () => {
  it("holds a moment between two points where noise is small beside the change", () => {
    const rng = createRng(19);
    let held = 0;
    for (let run = 0; run < 40; run += 1) {
      const at = 40 + 40 * rng.uniform();
      const line = sure(findSlopeChanges(noisy(200 + run, 120, 0.5, (i) => 5 * Math.max(0, i - at))));
      const [change] = line.changes;
      if (change && change.ci95Ms[0] <= at * STEP_MS && at * STEP_MS <= change.ci95Ms[1]) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(36);
  });
  it("gives the worked example", () => {
    const line = sure(
      findSlopeChanges(
        series(
          Array.from({ length: 61 }, (_, i) => Math.max(0, i - 30)),
          HOUR_MS,
        ),
      ),
    );
    expect(line.changes.map(({ atMs }) => atMs / HOUR_MS)).toEqual([30]);
    expect(line.changes[0]?.before.perHour).toBeCloseTo(0, 9);
    expect(line.changes[0]?.after.perHour).toBeCloseTo(1, 9);
  });
  it("finds where a leak was stopped, with slopes on both sides", () => {
    const line = sure(findSlopeChanges(noisy(5, 288, 0.8, (i) => 0.1 * Math.min(i, 170))));
    expect(line.changes).toHaveLength(1);
    const [change] = line.changes;
    expect(change?.ci95Ms[0]).toBeLessThan(170 * STEP_MS);
    expect(change?.ci95Ms[1]).toBeGreaterThan(170 * STEP_MS);
    expect(change?.before.ci95[0]).toBeLessThan(1.2);
    expect(change?.before.ci95[1]).toBeGreaterThan(1.2);
    expect(change?.after.ci95[0]).toBeLessThan(0);
    expect(change?.after.ci95[1]).toBeGreaterThan(0);
    expect(line.slopes).toHaveLength(2);
  });
  it("finds both ends of a rise, which no single bend shows", () => {
    const line = sure(
      findSlopeChanges(noisy(6, 288, 0.5, (i) => 20 * Math.min(1, Math.max(0, (i - 100) / 90)))),
    );
    expect(line.changes.map(({ atMs }) => Math.round(atMs / STEP_MS / 10))).toEqual([10, 19]);
  });
  it("takes a single step for a step", () => {
    const line = sure(findSlopeChanges(noisy(7, 288, 0.8, (i) => (i < 150 ? 0 : 8))));
    expect(line.changes).toEqual([]);
    expect(line.steps.map(({ atMs }) => atMs / STEP_MS)).toEqual([149.5]);
    expect(line.steps[0]?.value).toBeGreaterThan(5);
  });
  it("tells a stop from the freeing that comes later", () => {
    const line = sure(
      findSlopeChanges(noisy(8, 288, 0.8, (i) => 0.2 * Math.min(i, 170) - (i < 240 ? 0 : 15))),
    );
    expect(line.changes).toHaveLength(1);
    expect(line.steps.map(({ atMs }) => Math.round(atMs / STEP_MS))).toEqual([240]);
  });
  it("leaves out a change that does not count", () => {
    const bent = noisy(5, 288, 0.8, (i) => 0.1 * Math.min(i, 170));
    expect(sure(findSlopeChanges(bent, { leastChangePerHour: 3 })).changes).toEqual([]);
    const steeper = noisy(5, 288, 0.5, (i) => 0.5 * i + 0.1 * Math.max(0, i - 150));
    expect(sure(findSlopeChanges(steeper)).changes).toHaveLength(1);
    expect(sure(findSlopeChanges(steeper, { leastChangeShare: 0.25 })).changes).toEqual([]);
  });
  it("says how many points are missing", () => {
    expect(findSlopeChanges(series([1, 2, 3]))).toEqual({
      kind: "insufficient",
      reason: "points",
      needed: 48,
      had: 3,
    });
    expect(isInsufficient(findSlopeChanges(series([])))).toBe(true);
  });
  it("is unmoved by a shift of level and scales with its unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -1e6, max: 1e6 }), (seed, level) => {
        const plain = sure(findSlopeChanges(noisy(seed, 96, 0.5, (i) => 0.2 * Math.max(0, i - 50))));
        const moved = sure(
          findSlopeChanges({
            timesMs: plainTimes(96),
            values: noisy(seed, 96, 0.5, (i) => 0.2 * Math.max(0, i - 50)).values.map(
              (v) => 1024 * v + level,
            ),
          }),
        );
        expect(moved.changes.map(({ atMs }) => atMs)).toEqual(plain.changes.map(({ atMs }) => atMs));
        expect(moved.slopes[0]?.perHour).toBeCloseTo(1024 * (plain.slopes[0]?.perHour ?? 0), 2);
      }),
      { numRuns: 15, seed: 3 },
    );
  });
  it("never gives what is not a number", () => {
    const values = fc.array(fc.oneof(fc.constantFrom(0, 1, 5e6), fc.integer({ min: 0, max: 2 ** 40 })), {
      minLength: 48,
      maxLength: 90,
    });
    fc.assert(
      fc.property(values, (each) => {
        const line = sure(findSlopeChanges(series(each)));
        const numbers = [
          ...line.slopes.flatMap(({ perHour, ci95 }) => [perHour, ...ci95]),
          ...line.changes.flatMap(({ atMs, ci95Ms }) => [atMs, ...ci95Ms]),
        ];
        expect(numbers.every(Number.isFinite)).toBe(true);
        for (const { atMs, ci95Ms } of line.changes) {
          expect(ci95Ms[0]).toBeLessThanOrEqual(atMs);
          expect(ci95Ms[1]).toBeGreaterThanOrEqual(atMs);
        }
      }),
      { numRuns: 60, seed: 4 },
    );
  });
  it("finds none in a constant", () => {
    expect(sure(findSlopeChanges(series(new Array<number>(100).fill(7)))).changes).toEqual([]);
  });

  /* The short form of change-points.calibration.test.ts: of 120 series 5 % are 6; two standard errors above that are 11. */
  it.each([0, 0.8])("hardly ever sees one in noise without a trend: phi %f", (phi) => {
    const rng = createRng(11);
    let found = 0;
    for (let run = 0; run < 120; run += 1) {
      const line = sure(findSlopeChanges(series(autoregressiveNoise(rng, 96, phi, 1))));
      if (line.changes.length > 0) found += 1;
    }
    expect(found).toBeLessThanOrEqual(6);
  });
});

function plainTimes(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => i * STEP_MS);
}
