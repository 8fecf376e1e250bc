import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { decompositionSentence } from "./decomposition-sentence.ts";
import { decomposeGrowth } from "./decomposition.ts";

const STEP_MS = 300_000;
const N = 288;

/** Parts that rise by so many KiB per hour with noise of their own, over `boots` boots of a day. */
function growing(rates: Readonly<Record<string, number>>, { boots = 1, seed = 1, sd = 2000 } = {}) {
  const rng = createRng(seed);
  const parts = Array.from({ length: boots }, (_, boot) =>
    Object.entries(rates).map(([key, rate], k) => ({
      key,
      values: autoregressiveNoise(rng, N, 0.3 * k, sd).map(
        (noise, i) => 1e6 * (boot + 1) + noise + (rate * i) / 12,
      ),
    })),
  );
  const segments = parts.map((each, boot) => ({
    bootId: `${boot}`,
    timesMs: Array.from({ length: N }, (_, i) => (boot * N + i) * STEP_MS),
    values: Array.from({ length: N }, (_, i) => each.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)),
  }));
  return { segments, parts };
}
function done(input: Parameters<typeof decomposeGrowth>[0]) {
  const result = decomposeGrowth(input);
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

describe("decomposeGrowth", () => {
  it.each([1, 3])("gives slopes that sum to that of the whole, and what is true: %i boots", (boots) => {
    const result = done(growing({ slab: 7000, percpu: 3000, tables: -500 }, { boots }));
    expect(result.parts.map(({ key }) => key)).toEqual(["slab", "percpu", "tables"]);
    const sum = result.parts.reduce((total, { slopePerHour }) => total + slopePerHour, 0);
    expect(sum / result.slopePerHour).toBeCloseTo(1, 9);
    expect(result.parts.reduce((total, { share }) => total + (share ?? NaN), 0)).toBeCloseTo(1, 9);
    const truth = { slab: 7000 / 9500, percpu: 3000 / 9500, tables: -500 / 9500 } as const;
    for (const { key, shareCi95 } of result.parts) {
      const share = truth[key as keyof typeof truth];
      expect(shareCi95?.[0]).toBeLessThan(share);
      expect(shareCi95?.[1]).toBeGreaterThan(share);
    }
    expect(result.parts.at(-1)?.share).toBeLessThan(0);
  });
  it("gives no share of a whole that does not grow", () => {
    const { significant, parts } = done(growing({ slab: 0, percpu: 0 }, { seed: 4 }));
    expect(significant).toBe(false);
    expect(parts.map(({ share, shareCi95 }) => [share, shareCi95])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const shrinking = done(growing({ slab: -5000, percpu: 0 }));
    expect(shrinking.significant).toBe(false);
    expect(shrinking.pValue).toBeLessThan(0.01);
  });
  it("says that what rose and stopped has shares over a stretch", () => {
    const words = {
      metric: { name: "slab", unit: "KiB" },
      nameOf: (key: string) => key,
      innerKey: "",
      materialPerHour: 700,
    } as const;
    const still = done(growing({ slab: 0, percpu: 0 }, { seed: 4 }));
    expect(decompositionSentence(still, undefined, words)).toMatch(/so there are no shares of it\.$/);
    const wide = { ...still, ci95: [-100_000, 400_000] as const };
    expect(decompositionSentence(wide, undefined, words)).toMatch(
      /no shares of it\. A range in which its growth did not change would have them\.$/,
    );
  });
  it("uses only points at which all parts are known", () => {
    const { segments, parts } = growing({ slab: 7000, percpu: 3000 });
    const holes = parts.map((each) =>
      each.map((part) => ({
        ...part,
        values: part.values.map((value, i) => (part.key === "percpu" && i < 100 ? null : value)),
      })),
    );
    expect(done({ segments, parts: holes }).n).toBe(N - 100);
  });
  it("says what is missing, whatever is", () => {
    expect(decomposeGrowth({ segments: [], parts: [] })).toEqual({
      kind: "insufficient",
      reason: "points",
      needed: 12,
      had: 0,
    });
    const one = growing({ slab: 1, percpu: 1 });
    const cut = {
      segments: one.segments.map((each) => ({
        ...each,
        timesMs: each.timesMs.slice(0, 1),
        values: each.values.slice(0, 1),
      })),
      parts: one.parts.map((each) => each.map((part) => ({ ...part, values: part.values.slice(0, 1) }))),
    };
    expect(decomposeGrowth(cut)).toMatchObject({ reason: "points", had: 1 });
    const { segments, parts } = growing({ slab: 1, percpu: 1 });
    const unknown = parts.map((each) =>
      each.map((part) => ({ ...part, values: part.values.map(() => NaN) })),
    );
    expect(decomposeGrowth({ segments, parts: unknown })).toMatchObject({ had: 0 });
    const young = segments.map((boot) => ({ ...boot, bootedAtMs: boot.timesMs.at(-1) ?? 0 }));
    expect(decomposeGrowth({ segments: young, parts })).toMatchObject({
      reason: "points outside the first 2 h after a boot",
    });
  });
  it("gives a constant part of what grows no share, and no whole that rounding makes grow a share", () => {
    const timesMs = Array.from({ length: 200 }, (_, i) => i * STEP_MS);
    const held = timesMs.map(() => 75_836.1);
    const grown = timesMs.map((_, i) => 20_000 + 7.3 * i + Math.sin(i * 2.4));
    const sum = held.map((each, i) => each + (grown[i] ?? NaN));
    const { parts } = done({
      segments: [{ bootId: "a", timesMs, values: sum }],
      parts: [
        [
          { key: "vmalloc", values: held },
          { key: "slab", values: grown },
        ],
      ],
    });
    expect(parts[1]).toEqual({ key: "vmalloc", slopePerHour: 0, ci95: [0, 0], share: 0, shareCi95: [0, 0] });
    expect(parts[0]?.share).toBeCloseTo(1, 9);
    const drift = timesMs.map((_, i) => 75_836 + 1e-9 * i);
    const still = done({
      segments: [{ bootId: "a", timesMs, values: drift }],
      parts: [[{ key: "slab", values: drift }]],
    });
    expect(still.significant).toBe(false);
    expect(still.parts[0]?.share).toBeUndefined();
  });
  it("is exact on constants", () => {
    const timesMs = Array.from({ length: 40 }, (_, i) => i * STEP_MS);
    const flat = timesMs.map(() => 5);
    const result = done({
      segments: [{ bootId: "a", timesMs, values: flat }],
      parts: [[{ key: "slab", values: flat }]],
    });
    expect(result.slopePerHour).toBeCloseTo(0, 9);
    expect(result.significant).toBe(false);
  });
});
