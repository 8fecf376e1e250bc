import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planBuckets } from "./bucket-plan.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const everything = { raw: 0, "5min": 0, "1h": 0 };
const now = 1000 * DAY;

const plan = (rangeMs: number, points: number, oldestMs = everything) =>
  planBuckets({ fromMs: now - rangeMs, toMs: now, points, oldestMs });

describe("planBuckets", () => {
  it.each([
    [HOUR, 600, { source: "raw", bucketSeconds: 10 }],
    [6 * HOUR, 600, { source: "raw", bucketSeconds: 45 }],
    [DAY, 600, { source: "raw", bucketSeconds: 150 }],
    [DAY, 48, { source: "1h", bucketSeconds: 3600 }],
    [2 * DAY, 600, { source: "5min", bucketSeconds: 300 }],
    [7 * DAY, 600, { source: "5min", bucketSeconds: 1200 }],
    [30 * DAY, 600, { source: "1h", bucketSeconds: 7200 }],
    [730 * DAY, 600, { source: "1h", bucketSeconds: 172_800 }],
  ])("reads %d ms in %d points", (range, points, expected) => {
    expect(plan(range, points)).toEqual(expected);
  });

  it("takes a coarser source where the finer one has lost the beginning", () => {
    const kept = { raw: now - 14 * DAY, "5min": now - 90 * DAY, "1h": now - 730 * DAY };
    const hourOf = (ago: number) =>
      planBuckets({ fromMs: now - ago, toMs: now - ago + HOUR, points: 600, oldestMs: kept });
    expect(hourOf(2 * DAY).source).toBe("raw");
    expect(hourOf(20 * DAY)).toEqual({ source: "5min", bucketSeconds: 300 });
    expect(hourOf(200 * DAY)).toEqual({ source: "1h", bucketSeconds: 3600 });
  });

  it("reads a young node from its snapshots, rolled up already or not", () => {
    const born = now - HOUR;
    expect(plan(DAY, 600, { raw: born, "5min": born, "1h": Infinity }).source).toBe("raw");
    expect(plan(DAY, 600, { raw: born, "5min": Infinity, "1h": Infinity }).source).toBe("raw");
    expect(plan(DAY, 600, { raw: Infinity, "5min": Infinity, "1h": Infinity }).source).toBe("raw");
  });

  it("never gives more buckets than asked for, and only whole steps of its source", () => {
    const steps = { raw: 1, "5min": 300, "1h": 3600 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 4000 * DAY }),
        fc.integer({ min: 0, max: DAY }),
        fc.integer({ min: 2, max: 2000 }),
        (range, shift, points) => {
          const fromMs = now + shift;
          const { source, bucketSeconds } = planBuckets({
            fromMs,
            toMs: fromMs + range,
            points,
            oldestMs: everything,
          });
          const width = bucketSeconds * 1000;
          const buckets = Math.ceil((fromMs + range) / width) - Math.floor(fromMs / width);
          expect(buckets).toBeLessThanOrEqual(points);
          expect(bucketSeconds % steps[source]).toBe(0);
        },
      ),
    );
  });
});
