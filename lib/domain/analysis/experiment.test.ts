import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import {
  bendUpwardsMs,
  experimentStatus,
  hasReturned,
  HORIZONS,
  isDue,
  isReturnedGrowth,
  isTelling,
  nextLookMs,
  openHorizons,
  returnThresholdPerHour,
  type Finding,
  type Horizon,
} from "./experiment.ts";
import { analyseTrend } from "./trend.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const hour = HORIZONS[0];
const names = (horizons: readonly Horizon[]) => horizons.map(({ name }) => name);

function finding(
  slopeVerdict: Finding["slopeVerdict"],
  before: number,
  [lower, after, upper]: [number, number, number],
): Finding {
  return {
    slopeVerdict,
    levelVerdict: "none",
    before: { slopePerHour: before, ci95: [before - 1, before + 1] },
    after: { slopePerHour: after, ci95: [lower, upper] },
  };
}

describe("looks", () => {
  it("are due a little after the window, and three times more for data that come late", () => {
    expect(isDue(hour, 0, HOUR, undefined)).toBe(false);
    expect(isDue(hour, 0, HOUR + 3 * MINUTE, undefined)).toBe(true);
    const checked = HOUR + 3 * MINUTE;
    expect([1.9, 2, 6.9, 24.9, 400].map((hours) => isDue(hour, 0, hours * HOUR, checked))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(isDue(hour, 0, 400 * HOUR, 25 * HOUR)).toBe(false);
  });
  it("come one after the other and end, a month later while growth may return", () => {
    const all = (watching: boolean) => {
      const looks: number[] = [];
      for (let nowMs = 0; ;) {
        const next = nextLookMs(0, HORIZONS, nowMs, watching);
        if (next === undefined) return looks;
        expect(next).toBeGreaterThan(nowMs);
        looks.push(next);
        nowMs = next;
      }
    };
    const plain = all(false);
    expect(plain[0]).toBe(HOUR + 3 * MINUTE);
    // Sixteen, of which 6 h after 1 h is 1 h after 6 h, and likewise with 24 h.
    expect(plain).toHaveLength(13);
    expect(plain.at(-1)).toBe((7 * 24 + 24) * HOUR);
    const watched = all(true);
    expect(watched.at(-1)).toBe(30 * 24 * HOUR);
    expect(watched.length).toBeGreaterThan(150);
    expect(watched.length).toBeLessThan(200);
  });
  it("leave out horizons beyond the next deed", () => {
    expect(names(openHorizons(0, undefined))).toEqual(["1h", "6h", "24h", "7d"]);
    expect(names(openHorizons(0, 2.25 * HOUR))).toEqual(["1h", "6h"]);
    expect(names(openHorizons(0, 0.5 * HOUR))).toEqual(["1h"]);
  });
});

describe("growth", () => {
  it("is back only when it is steep enough, rose farther than days do, and goes on", () => {
    const grown = (rng: ReturnType<typeof createRng>, kibPerHour: (hour: number) => number) =>
      analyseTrend({
        segments: [
          {
            bootId: "one",
            bootedAtMs: -400 * HOUR,
            timesMs: Array.from({ length: 72 }, (_, index) => index * 5 * MINUTE),
            values: autoregressiveNoise(rng, 72, 0.5, 2048).map(
              (noise, index) => 5e6 + noise + kibPerHour(index / 12),
            ),
          },
        ],
        memTotalKib: 188 * 1024 ** 2,
      });
    const steady = grown(createRng(1), (hour) => 50 * 1024 * hour);
    if (steady.kind !== "trend") throw new Error("there is data enough");
    expect(isReturnedGrowth(steady, 40 * 1024)).toBe(true);
    expect(isReturnedGrowth(steady, 60 * 1024)).toBe(false);
    // It rose by 300 MiB.
    expect(isReturnedGrowth(steady, 40 * 1024, 150 * 1024)).toBe(true);
    expect(isReturnedGrowth(steady, 40 * 1024, 250 * 1024)).toBe(false);
    const step = grown(createRng(2), (hour) => (hour > 3 ? 300 * 1024 : 0));
    if (step.kind !== "trend") throw new Error("there is data enough");
    expect(step.slopePerHour).toBeGreaterThan(40 * 1024);
    expect(isReturnedGrowth(step, 1024)).toBe(false);
  });
  it("has returned when a later slope is as steep as stopped does not allow", () => {
    const stopped = finding("stopped", 300, [-5, 2, 9]);
    expect(returnThresholdPerHour(stopped)).toBe(60);
    expect(hasReturned([stopped, finding("stopped", 300, [-2, 1, 4])])).toBe(false);
    expect(hasReturned([stopped, finding("slowed", 300, [59, 70, 81])])).toBe(false);
    expect(hasReturned([stopped, finding("slowed", 300, [61, 70, 81])])).toBe(true);
    expect(hasReturned([finding("unchanged", 300, [290, 300, 310]), stopped])).toBe(false);
  });
  it("has returned after slowing when it is past half way back", () => {
    const slowed = finding("slowed", 300, [90, 100, 110]);
    expect(returnThresholdPerHour(slowed)).toBe(200);
    expect(hasReturned([slowed, finding("unchanged", 300, [205, 260, 300])])).toBe(true);
    expect(hasReturned([slowed, finding("slowed", 300, [120, 130, 140])])).toBe(false);
  });
  it("bends where it begins again, and nowhere on a line", () => {
    const noise = autoregressiveNoise(createRng(3), 288, 0.5, 1000);
    const segments = (perHour: (h: number) => number) => [
      {
        bootId: "a",
        timesMs: noise.map((_, i) => i * 5 * MINUTE),
        values: noise.map((value, i) => value + perHour(i / 12)),
      },
    ];
    const bend = bendUpwardsMs(
      segments((h) => 50_000 * Math.max(0, h - 15)),
      [0, 24 * HOUR],
    );
    expect(Math.abs((bend ?? 0) - 15 * HOUR)).toBeLessThan(HOUR);
    expect(
      bendUpwardsMs(
        segments((h) => 50_000 * h),
        [0, 24 * HOUR],
      ),
    ).toBeUndefined();
    expect(bendUpwardsMs([], [0, HOUR])).toBeUndefined();
  });
});

it("stands where its findings put it: nothing done is a result, too little data is none", () => {
  expect(isTelling({ slopeVerdict: "unchanged", levelVerdict: "none" })).toBe(true);
  expect(isTelling({ slopeVerdict: "inconclusive", levelVerdict: "none" })).toBe(false);
  expect(isTelling({ slopeVerdict: "inconclusive", levelVerdict: "freed" })).toBe(true);
  const stands = (returned: boolean, moreToCome: boolean, telling: boolean) =>
    experimentStatus({ returned, moreToCome, telling });
  expect(stands(true, true, true)).toBe("returned");
  expect(stands(false, true, true)).toBe("following");
  expect(stands(false, false, true)).toBe("settled");
  expect(stands(false, false, false)).toBe("cannot-say");
});
