import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { HOUR_MS } from "./boot-segments.ts";
import { commonStretch, compareMetric, type ComparedNode, type ComparedSides } from "./compare.ts";

const STEP_MS = 300_000;
const settled = { warmUpMs: 2 * HOUR_MS };

function node(
  nodeId: number,
  values: readonly (number | null)[],
  {
    originMs = 0,
    atMs = originMs,
    bootedAtMs,
  }: { originMs?: number; atMs?: number; bootedAtMs?: number } = {},
): ComparedNode {
  const timesMs = values.map((_, i) => atMs + i * STEP_MS);
  return { nodeId, originMs, boots: [{ bootId: `boot ${nodeId}`, bootedAtMs, timesMs, values }] };
}

function line(level: number, perHour: number, count = 60, wobble = 0): number[] {
  return Array.from({ length: count }, (_, i) => level + (perHour * i) / 12 + wobble * Math.sin(i * 2.4));
}

function compared(sides: ComparedSides, options: { fromMs?: number } = {}) {
  const stretch = commonStretch(sides, { ...settled, ...options });
  if (isInsufficient(stretch)) throw new Error(stretch.reason);
  const difference = compareMetric(sides, stretch, settled);
  if (isInsufficient(difference)) throw new Error(difference.reason);
  return { ...difference, stretch };
}

/*
 * Reference values: Python 3.11, NumPy 1.24.2, SciPy 1.10.1, statsmodels 0.13.5. Each side by iterated
 * sm.GLS(y, [1, hours - centre], sigma=phi**|i-j|) with phi as in autocorrelation.ts, then
 *   v = sa**2 + sb**2; df = v**2 / (sa**4/da + sb**4/db); d -+ stats.t.ppf(0.975, df) * v**0.5
 * on the series below (a Lehmer generator, so that both programs make the same numbers).
 */
function reference(phi: number, seed: number, level: number, perHour: number): number[] {
  let x = seed;
  let u = 0;
  return Array.from({ length: 60 }, (_, i) => {
    x = (16_807 * x) % 2_147_483_647;
    u = phi * u + x / 2_147_483_647 - 0.5;
    return level + (perHour * i) / 12 + 1000 * u;
  });
}

describe("one node against one", () => {
  const sides = {
    a: [node(1, reference(0.6, 7, 500_000, 20_000))],
    b: [node(2, reference(0.3, 11, 600_000, 26_000))],
  };
  it("is generalised least squares on each side and Welch's t between them", () => {
    const { level, slopePerHour, design } = compared(sides);
    expect(design).toBe("nodes");
    expect(level.value).toBeCloseTo(114_704.95865673886, 1);
    expect(level.ci95[0]).toBeCloseTo(114_523.23361561428, 1);
    expect(level.ci95[1]).toBeCloseTo(114_886.68369786344, 1);
    expect(level.degreesOfFreedom).toBeCloseTo(26.344923558016614, 3);
    expect(level.a.value).toBeCloseTo(549_198.1589038373, 1);
    expect(slopePerHour.value).toBeCloseTo(6118.702368910388, 2);
    expect(slopePerHour.ci95[0]).toBeCloseTo(5997.201044130077, 1);
    expect(slopePerHour.ci95[1]).toBeCloseTo(6240.203693690699, 1);
    expect(slopePerHour.b.value).toBeCloseTo(26_077.75741943175, 2);
  });
  it("turns its sign when the sides are exchanged", () => {
    const [forth, back] = [compared(sides), compared({ a: sides.b, b: sides.a })];
    expect(back.slopePerHour.value).toBeCloseTo(-forth.slopePerHour.value, 6);
    expect(back.level.ci95[0]).toBeCloseTo(-forth.level.ci95[1], 4);
  });
  it.each([0, 8e-11, -1e-3])("finds no difference between constants that drift by %j KiB/h", (drift) => {
    const constant = (nodeId: number, perHour: number) => node(nodeId, line(75_836, perHour));
    const { level, slopePerHour } = compared({ a: [constant(1, 0)], b: [constant(2, drift)] });
    expect([slopePerHour.value, ...slopePerHour.ci95]).toEqual([0, 0, 0]);
    expect([level.value, ...level.ci95]).toEqual([0, 0, 0]);
  });
  it("finds a difference of one KiB between constants", () => {
    const { level } = compared({ a: [node(1, line(75_836, 0))], b: [node(2, line(75_837, 0))] });
    expect(level.value).toBeCloseTo(1, 6);
  });
  it("compares the same moments of the relative clock, whatever the calendar says", () => {
    const dayMs = 24 * HOUR_MS;
    const today = node(1, line(1000, 120, 60, 1), { originMs: dayMs });
    const { level, slopePerHour, design } = compared({ a: [node(1, line(1000, 120, 60, 1))], b: [today] });
    expect(design).toBe("nodes");
    expect(level.value).toBeCloseTo(0, 6);
    expect(slopePerHour.value).toBeCloseTo(0, 6);
  });
  it("takes the level in the middle of what both share, so that a longer side is not higher for it", () => {
    const { level, stretch } = compared({
      a: [node(1, line(1000, 120, 40, 1))],
      b: [node(2, line(1000, 120, 200, 1))],
    });
    expect(stretch.toMs).toBe(39 * STEP_MS);
    expect(Math.abs(level.value)).toBeLessThan(2);
  });
  it("looks only at what lies from a moment on, where it is told to", () => {
    const bent = [...line(0, 0, 60), ...line(0, 600, 60)];
    const { slopePerHour, stretch } = compared(
      {
        a: [node(1, line(0, 0, 120, 1), { originMs: 60 * STEP_MS, atMs: 0 })],
        b: [node(2, bent, { originMs: 60 * STEP_MS, atMs: 0 })],
      },
      { fromMs: 0 },
    );
    expect(stretch).toEqual({ fromMs: 0, toMs: 59 * STEP_MS });
    expect(slopePerHour.b.value).toBeCloseTo(600, 6);
  });
});

describe("reboots", () => {
  it("never count as a change", () => {
    const grown = line(5000, 240, 60, 1);
    const twice: ComparedNode = {
      nodeId: 2,
      originMs: 0,
      boots: [
        { bootId: "first", timesMs: grown.map((_, i) => i * STEP_MS), values: grown },
        {
          bootId: "second",
          bootedAtMs: 60 * STEP_MS,
          timesMs: grown.map((_, i) => (60 + i) * STEP_MS),
          values: line(100, 240, 60, 1),
        },
      ],
    };
    const { slopePerHour } = compared({ a: [node(1, line(0, 240, 120, 1))], b: [twice] });
    expect(Math.abs(slopePerHour.value)).toBeLessThan(1);
  });
  it("leaves the first two hours of a boot out, unless it is told to keep them", () => {
    const warm = [...line(0, 12_000, 24), ...line(24_000, 12, 60)];
    const sides = {
      a: [node(1, warm, { bootedAtMs: 0 })],
      b: [node(2, warm, { bootedAtMs: 0 })],
    };
    expect(commonStretch(sides, settled)).toEqual({ fromMs: 2 * HOUR_MS, toMs: 83 * STEP_MS });
    expect(commonStretch(sides, { warmUpMs: 0 })).toEqual({ fromMs: 0, toMs: 83 * STEP_MS });
  });
});

describe("cohorts", () => {
  const many = (slopes: readonly number[], first: number) =>
    slopes.map((slope, i) => node(first + i, line(1000 * i, slope)));
  it("are compared by Welch's t of one value a node, as statsmodels does", () => {
    const { slopePerHour, design } = compared({
      a: many([100, 140, 90, 120], 1),
      b: many([300, 360, 310], 11),
    });
    expect(design).toBe("cohorts");
    expect(slopePerHour.ci95[0]).toBeCloseTo(146.33808454993655, 5);
    expect(slopePerHour.ci95[1]).toBeCloseTo(275.3285821167301, 5);
    expect(slopePerHour.degreesOfFreedom).toBeCloseTo(3.3939723194281046, 5);
    expect(slopePerHour.a.nodes).toBe(4);
    expect(slopePerHour.a.ci95[0]).toBeCloseTo(77.21692141068688, 5);
  });
  it("of the same nodes are compared node by node", () => {
    const { slopePerHour, design } = compared({
      a: many([100, 500, 900], 1),
      b: many([112, 530, 921], 1),
    });
    expect(design).toBe("pairs");
    expect(slopePerHour.value).toBeCloseTo(21, 6);
    expect(slopePerHour.ci95[0]).toBeCloseTo(-1.3572394065937736, 5);
  });
  it("lend their spread to a side of one node", () => {
    const { slopePerHour, design } = compared({ a: many([100, 140, 90, 120], 1), b: many([310], 11) });
    expect(design).toBe("shared-spread");
    expect(slopePerHour.value).toBeCloseTo(310 - 112.5, 5);
    // stats.t.ppf(0.975, 3) * 22.17355782608345 * (1 + 1/4) ** 0.5
    expect(slopePerHour.ci95[1] - slopePerHour.value).toBeCloseTo(78.896, 2);
  });
  it("name the nodes that say too little, and go on without them", () => {
    const late = node(3, line(0, 100, 10), { atMs: 50 * STEP_MS });
    const early = node(4, line(0, 100, 24));
    const { leftOut, slopePerHour } = compared({
      a: [...many([100, 140], 1), { ...late, originMs: 0 }, early],
      b: many([300, 360, 310], 11),
    });
    expect(leftOut.map(({ nodeId, side }) => [nodeId, side])).toEqual([
      [3, "a"],
      [4, "a"],
    ]);
    expect(leftOut[1]?.why.reason).toBe("percent of the common stretch with samples");
    expect(slopePerHour.a.nodes).toBe(2);
  });
});

describe("what cannot be said", () => {
  const whole = node(1, line(0, 100));
  it("is said of sides that share no stretch of the clock", () => {
    const later = node(2, line(0, 100), { atMs: 100 * STEP_MS });
    expect(commonStretch({ a: [whole], b: [later] }, settled)).toMatchObject({
      kind: "insufficient",
      had: 0,
    });
    expect(commonStretch({ a: [whole], b: [] }, settled)).toMatchObject({ kind: "insufficient", had: 0 });
  });
  it("is said of a metric that one side does not report: absent is not zero", () => {
    const absent = node(2, whole.boots[0]?.values.map(() => null) ?? []);
    const found = compareMetric({ a: [whole], b: [absent] }, { fromMs: 0, toMs: 59 * STEP_MS }, settled);
    expect(found).toMatchObject({ kind: "insufficient", side: "b", needed: 24, had: 0 });
  });
  it("is said of a few points", () => {
    const few = { a: [node(1, line(0, 100, 12))], b: [node(2, line(0, 100, 12))] };
    const found = compareMetric(few, { fromMs: 0, toMs: 11 * STEP_MS }, settled);
    expect(found).toMatchObject({ side: "a", needed: 24, had: 12 });
  });
});

/* The short form of compare.calibration.test.ts: 300 runs, where 95 % are known to within 3.8 % (three standard errors). */
it.each([0, 0.8])("intervals cover the truth about as often as they say: phi %f", (phi) => {
  const rng = createRng(76);
  const runs = 300;
  const made = (id: number, level: number, perHour: number) =>
    node(
      id,
      autoregressiveNoise(rng, 144, phi, 100).map((e, i) => level + (perHour * i) / 12 + e),
    );
  let levels = 0;
  let slopes = 0;
  for (let run = 0; run < runs; run += 1) {
    const { level, slopePerHour } = compared({ a: [made(1, 0, 10)], b: [made(2, 300, 40)] });
    // Both lines are read in the middle of 143 steps.
    const truth = 300 + (30 * 143) / 24;
    if (level.ci95[0] <= truth && truth <= level.ci95[1]) levels += 1;
    if (slopePerHour.ci95[0] <= 30 && 30 <= slopePerHour.ci95[1]) slopes += 1;
  }
  for (const covered of [levels / runs, slopes / runs]) {
    expect(covered).toBeGreaterThan(0.912);
    expect(covered).toBeLessThan(0.988);
  }
});
