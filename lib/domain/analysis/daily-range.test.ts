import { describe, expect, it } from "vitest";
import { createRng } from "#lib/domain/statistics/rng.ts";
import type { BootSegment } from "./boot-segments.ts";
import { dailyRange, knownDailyRanges } from "./daily-range.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 2, 2);

function hourly(
  hours: number,
  level: (hour: number) => number,
  { fromHour = 0, bootId = "a", noise = 0, seed = 1, bootedAtMs = -1e12 } = {},
): BootSegment {
  const rng = createRng(seed);
  const at = Array.from({ length: hours }, (_, index) => fromHour + index + 0.5);
  return {
    bootId,
    bootedAtMs,
    timesMs: at.map((hour) => START_MS + hour * HOUR_MS),
    values: at.map((hour) => 1e6 + level(hour) + noise * rng.normal()),
  };
}

const wave = (size: number) => (hour: number) => (size / 2) * Math.sin((2 * Math.PI * hour) / 24);

describe("dailyRange", () => {
  it("is the range of the wave, whatever the slope under it", () => {
    const flat = dailyRange([hourly(7 * 24, wave(1000))], 0);
    expect(flat.days).toBe(7);
    expect(flat.range).toBeCloseTo(1000, -1.5);
    const rising = dailyRange([hourly(7 * 24, (hour) => wave(1000)(hour) + 500 * hour)], 500);
    expect(rising.range).toBeCloseTo(flat.range ?? 0, 6);
  });

  it("keeps a narrow peak that comes each day", () => {
    const backup = (hour: number) => (Math.floor(hour) % 24 === 3 ? 800 : 0);
    expect(dailyRange([hourly(7 * 24, backup)], 0).range).toBeCloseTo(800, 6);
  });

  it("does not take what happened once for a rhythm", () => {
    const deployment = (hour: number) => (hour > 3 * 24 + 14 ? 4000 : 0);
    const { range } = dailyRange([hourly(7 * 24, (hour) => wave(100)(hour) + deployment(hour))], 0);
    expect(range).toBeLessThan(120);
  });

  it("is small beside the noise when there is no rhythm", () => {
    const ranges = Array.from(
      { length: 50 },
      (_, seed) => dailyRange([hourly(7 * 24, () => 0, { noise: 100, seed: seed + 1 })], 0).range ?? NaN,
    );
    const mean = ranges.reduce((sum, range) => sum + range / ranges.length, 0);
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThan(250);
  });

  it("wants three days, each within a boot and past its first hours", () => {
    expect(dailyRange([], 0)).toEqual({ days: 0, range: undefined });
    expect(dailyRange([hourly(60, wave(1000))], 0)).toEqual({ days: 2, range: undefined });
    const rebooted = [
      hourly(60, wave(1000)),
      hourly(3 * 24, (hour) => 9000 + wave(1000)(hour), {
        fromHour: 60,
        bootId: "b",
        bootedAtMs: START_MS + 60 * HOUR_MS,
      }),
    ];
    const { days, range } = dailyRange(rebooted, 0);
    expect(days).toBe(4);
    expect(range).toBeGreaterThan(900);
    expect(range).toBeLessThan(1300);
  });

  it("leaves absent values out", () => {
    const whole = hourly(7 * 24, wave(1000));
    const values = whole.values.map((value, index) => (index % 5 === 0 ? null : value));
    const { range } = dailyRange([{ ...whole, values }], 0);
    expect(range).toBeGreaterThan(950);
    expect(range).toBeLessThan(1050);
  });
});

describe("knownDailyRanges", () => {
  it("is a node's own, else the largest of its kind, else not known", () => {
    expect(
      knownDailyRanges([
        { group: "a", range: 5 },
        { group: "a", range: undefined },
        { group: "a", range: 40 },
        { group: "b", range: undefined },
      ]),
    ).toEqual([5, 40, 40, undefined]);
    expect(knownDailyRanges([])).toEqual([]);
  });
});
