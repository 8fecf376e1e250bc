import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findGaps, presentPoints, sliceSegment, thinByBucketMedians, usualStepMs } from "./series.ts";

describe("presentPoints and sliceSegment", () => {
  it("drop what is absent and never make it zero", () => {
    const points = presentPoints({ timesMs: [0, 1, 2, 3], values: [5, null, NaN, 7] });
    expect([...points.timesMs]).toEqual([0, 3]);
    expect([...points.values]).toEqual([5, 7]);
  });
  it("takes the start and leaves the end", () => {
    const segment = { timesMs: Float64Array.of(0, 1, 2, 3), values: Float64Array.of(9, 8, 7, 6) };
    expect([...sliceSegment(segment, 1, 3).values]).toEqual([8, 7]);
    expect(sliceSegment(segment, 4, 9).timesMs).toHaveLength(0);
  });
});

describe("findGaps", () => {
  it("finds what is longer than the usual step", () => {
    expect(findGaps({ timesMs: [0, 1, 2, 9], values: [1, 1, 1, 1], unit: "KiB" })).toEqual([
      { fromMs: 2, toMs: 9 },
    ]);
    expect(findGaps({ timesMs: [0, 1, 2, 3, 4, 5], values: [1, 1, null, null, 1, 1], unit: "KiB" })).toEqual([
      { fromMs: 1, toMs: 4 },
    ]);
    expect(findGaps({ timesMs: [3], values: [1], unit: "KiB" })).toEqual([]);
  });
});

describe("thinByBucketMedians", () => {
  it("keeps a straight line straight, segments apart and the number of points in bounds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 400 }), fc.integer({ min: 50, max: 400 }), (a, b) => {
        const segments = [a, b].map((n, s) => {
          const timesMs = Float64Array.from({ length: n }, (_, i) => s * 1e9 + i * 15_000);
          return { timesMs, values: timesMs.map((timeMs) => timeMs / 1000) };
        });
        const thinned = thinByBucketMedians(segments, 60);
        expect(thinned.reduce((sum, { values }) => sum + values.length, 0)).toBeLessThanOrEqual(62);
        for (const { timesMs, values } of thinned) {
          values.forEach((value, i) => expect(value).toBeCloseTo((timesMs[i] as number) / 1000, 6));
        }
      }),
      { numRuns: 20 },
    );
  });
  it("returns short series as they are", () => {
    const segments = [{ timesMs: Float64Array.of(0, 1), values: Float64Array.of(1, 2) }];
    expect(thinByBucketMedians(segments, 2)).toBe(segments);
    expect(usualStepMs([])).toBeUndefined();
  });
});
