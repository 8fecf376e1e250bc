import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { presentPoints, thinByBucketMedians } from "#lib/domain/statistics/series.ts";
import type { BootSegment } from "./boot-segments.ts";
import { confirmAcrossFleet } from "./fleet-significance.ts";
import { forecastExhaustion, whyNoForecast } from "./forecast.ts";
import { materialSlopeKibPerHour } from "../memory/materiality.ts";
import type { Trend } from "./trend.ts";
import type { KnownDailyRange } from "./daily-range.ts";
import { trendSentence } from "./trend-sentence.ts";
import { analyseTrend } from "./trend.ts";

const HOUR_MS = 3_600_000;
const STEP_MS = 300_000;
const MIB = 1024;
const SD_KIB = 50 * MIB;
const MEM_TOTAL_KIB = 188 * MIB * MIB;
const LEAK_KIB_PER_HOUR = 312 * MIB;

/** A boot of 5-minute points: AR(1) 0.8 noise of 50 MiB around `level(hours since its first point)`. */
function boot(
  hours: number,
  level: (hour: number) => number,
  {
    seed = 1,
    startMs = 0,
    bootId = "a",
    bootedAtMs,
  }: Partial<BootSegment> & { seed?: number; startMs?: number } = {},
): BootSegment {
  const n = Math.round((hours * HOUR_MS) / STEP_MS);
  const noise = autoregressiveNoise(createRng(seed), n, 0.8, SD_KIB);
  return {
    bootId,
    bootedAtMs,
    timesMs: noise.map((_, i) => startMs + i * STEP_MS),
    values: noise.map((value, i) => 5_000_000 + level((i * STEP_MS) / HOUR_MS) + value),
  };
}

const analyse = (segments: BootSegment[], more: { dailyRange?: KnownDailyRange; headroom?: number } = {}) =>
  analyseTrend({ segments, memTotalKib: MEM_TOTAL_KIB, ...more });
function sure(result: Trend | Insufficient): Trend {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

describe("materialSlopeKibPerHour", () => {
  it("is 16 MiB a day, or 0.01 % of a large memory", () => {
    expect(materialSlopeKibPerHour(1_000_000)).toBeCloseTo(682.67, 2);
    expect(materialSlopeKibPerHour(400 * MIB * MIB) * 24).toBeCloseTo(0.0001 * 400 * MIB * MIB, 6);
  });
});

describe("analyseTrend", () => {
  it("calls steady growth over a day leaking, and its interval holds the truth", () => {
    const trend = sure(analyse([boot(24, (hour) => LEAK_KIB_PER_HOUR * hour)]));
    expect(trend.verdict).toBe("leaking");
    expect(trend.ci95[0]).toBeLessThan(LEAK_KIB_PER_HOUR);
    expect(trend.ci95[1]).toBeGreaterThan(LEAK_KIB_PER_HOUR);
    expect(trend.ci95[1] - trend.ci95[0]).toBeLessThan(0.1 * LEAK_KIB_PER_HOUR);
    expect(trend.phi).toBeGreaterThan(0.65);
    expect(trend.phi).toBeLessThan(0.95);
    expect(trend.rise / trend.slopePerHour).toBeCloseTo(23.92, 1);
    expect(trend.gates).toEqual({
      significant: true,
      material: true,
      persistent: true,
      beyondDailyRange: true,
      beyondWarmUp: true,
    });
  });
  it.each([
    ["flat", () => 0, "flat"],
    ["falling", (hour: number) => -100 * MIB * hour, "shrinking"],
    ["one step up", (hour: number) => (hour > 11 ? 400 * MIB : 0), "stepped"],
    ["a rise that settles", (hour: number) => 2000 * MIB * (1 - Math.exp(-hour / 5)), "levelling-off"],
    ["a daily wave", (hour: number) => 600 * MIB * Math.sin((2 * Math.PI * hour) / 24), "insufficient"],
    ["one step down", (hour: number) => (hour > 11 ? -400 * MIB : 0), "stepped"],
    ["a small step down", (hour: number) => (hour > 5 ? -150 * MIB : 0), "stepped"],
  ])("calls %s what it is", (_, level, verdict) => {
    expect(sure(analyse([boot(24, level)])).verdict).toBe(verdict);
  });
  it("sees a leak beneath a daily wave once there are two days, and not the wave alone", () => {
    const wave = (hour: number) => 600 * MIB * Math.sin((2 * Math.PI * hour) / 24);
    const leaking = sure(analyse([boot(72, (hour) => wave(hour) + 30 * MIB * hour)]));
    expect(leaking.verdict).toBe("leaking");
    expect(leaking.method).toContain("daily rhythm fitted");
    expect(leaking.ci95[0]).toBeLessThan(30 * MIB);
    expect(leaking.ci95[1]).toBeGreaterThan(30 * MIB);
    expect(sure(analyse([boot(72, wave)])).verdict).toBe("flat");
  });
  it("does not call a part of a day leaking before it beats three daily ranges or ends the node", () => {
    const half = [boot(10, (hour) => LEAK_KIB_PER_HOUR * hour)];
    expect(sure(analyse(half)).verdict).toBe("growing");
    expect(sure(analyse(half)).gates.beyondDailyRange).toBe(false);
    const own = (range: number) => ({ dailyRange: { range, own: true } });
    expect(sure(analyse(half, own(500 * MIB))).verdict).toBe("leaking");
    expect(sure(analyse(half, own(2000 * MIB))).verdict).toBe("growing");
    // What a quiet peer runs through says nothing of this node's own wave.
    expect(sure(analyse(half, { dailyRange: { range: 500 * MIB, own: false } })).verdict).toBe("growing");
    expect(sure(analyse(half, { headroom: 12 * LEAK_KIB_PER_HOUR })).verdict).toBe("leaking");
  });
  it("pools boots without taking a difference across the reboot", () => {
    const first = boot(20, (hour) => LEAK_KIB_PER_HOUR * hour, { bootId: "a", seed: 2 });
    const bootedAtMs = 20 * HOUR_MS;
    const second = boot(20, (hour) => LEAK_KIB_PER_HOUR * hour, {
      bootId: "b",
      seed: 3,
      startMs: bootedAtMs,
      bootedAtMs,
    });
    const trend = sure(analyse([first, second]));
    expect(trend.verdict).toBe("leaking");
    expect(trend.slopePerHour / LEAK_KIB_PER_HOUR).toBeCloseTo(1, 1);
    expect(trend.boots.map(({ bootId, leftOut }) => [bootId, leftOut])).toEqual([
      ["a", 0],
      ["b", 24],
    ]);
    for (const each of trend.boots) expect((each.slopePerHour ?? 0) / LEAK_KIB_PER_HOUR).toBeCloseTo(1, 1);
    expect(trend.boots[1]?.fromMs).toBe(bootedAtMs + 2 * HOUR_MS);
  });
  it("does not read higher levels after each reboot as growth", () => {
    const boots = [0, 1, 2, 3].map((k) =>
      boot(12, () => k * 1000 * MIB, { bootId: `${k}`, seed: 10 + k, startMs: k * 12 * HOUR_MS }),
    );
    expect(sure(analyse(boots)).verdict).toBe("flat");
  });
  it("says what is missing", () => {
    expect(analyse([boot(0.5, () => 0)])).toEqual({
      kind: "insufficient",
      reason: "points",
      needed: 12,
      had: 6,
    });
    expect(analyse([boot(1.5, () => 0, { bootedAtMs: 0 })])).toEqual({
      kind: "insufficient",
      reason: "points outside the first 2 h after a boot",
      needed: 12,
      had: 0,
    });
    const dense = boot(24, () => 0);
    const quick = {
      ...dense,
      timesMs: dense.timesMs.slice(0, 60).map((_, i) => i * 15_000),
      values: dense.values.slice(0, 60),
    };
    expect(analyse([quick])).toMatchObject({ reason: "minutes of data", needed: 30, had: 14.75 });
    expect(analyse([])).toMatchObject({ kind: "insufficient", had: 0 });
    expect(analyse([boot(STEP_MS / HOUR_MS, () => 0)])).toMatchObject({ reason: "points", had: 1 });
  });
  it("does not call a rise stepped because boots have few points each", () => {
    const days = [0, 1, 2].map((k) => {
      const whole = boot(190, (hour) => LEAK_KIB_PER_HOUR * hour, {
        ...{ bootId: `${k}`, seed: 60 + k, startMs: k * 200 * HOUR_MS },
      });
      const [middle] = thinByBucketMedians([presentPoints(whole)], 8);
      return { ...whole, timesMs: [...(middle?.timesMs ?? [])], values: [...(middle?.values ?? [])] };
    });
    expect(days.every(({ timesMs }) => timesMs.length < 10)).toBe(true);
    expect(sure(analyse(days)).verdict).toBe("growing");
  });
  it("leaves absent values absent", () => {
    const full = boot(24, (hour) => LEAK_KIB_PER_HOUR * hour);
    const holed = {
      ...full,
      values: full.values.map((value, i) => (i % 3 === 0 || (i > 100 && i < 150) ? null : value)),
    };
    const trend = sure(analyse([holed]));
    expect(trend.n).toBe(holed.values.filter((value) => value !== null).length);
    expect(trend.verdict).toBe("leaking");
    expect(trend.slopePerHour / LEAK_KIB_PER_HOUR).toBeCloseTo(1, 1);
  });
});

describe("what goes on after growth changed", () => {
  const ahead = (trend: Trend) => {
    const start = { what: "memory", headroom: 1_000_000_000, nowMs: trend.toMs };
    return { end: forecastExhaustion(trend, start), silence: whyNoForecast(trend, start) };
  };
  const boots = (level: (hour: number) => number, hours: readonly number[]) => {
    let startMs = 0;
    return hours.map((own, index) => {
      const bootedAtMs = startMs;
      startMs += own * HOUR_MS;
      return boot(own, index === hours.length - 1 ? level : (hour) => LEAK_KIB_PER_HOUR * hour, {
        ...{ bootId: `${index}`, seed: 40 + index, startMs: bootedAtMs, bootedAtMs },
      });
    });
  };
  it("foresees no end where the leak was stopped within the newest boot, however long the window", () => {
    const stopped = (hour: number) => LEAK_KIB_PER_HOUR * Math.min(hour, 60);
    const trend = sure(analyse(boots(stopped, [80, 160, 92])));
    expect(trend).toMatchObject({ verdict: "levelling-off", newest: { because: "change" } });
    expect(Math.abs((trend.newest?.sinceMs ?? 0) - 300 * HOUR_MS)).toBeLessThan(2 * HOUR_MS);
    const { end, silence } = ahead(trend);
    expect(end).toBeUndefined();
    expect(silence).toMatch(
      /^there is no significant growth in the last 1 d \d h, since its growth changed$/,
    );
    expect(trendSentence(trend, { name: "slab", unit: "KiB" })).toMatch(
      /levelling off\. In the last 1 d \d h, since its growth changed: .* MiB\/h \(−.* to .*\)\.$/,
    );
  });
  it("foresees none where the newest boot does not leak, and none from an older boot alone", () => {
    const cured = sure(analyse(boots(() => 0, [100, 150, 80])));
    expect(cured).toMatchObject({ verdict: "levelling-off", newest: { because: "boot" } });
    expect(ahead(cured).silence).toContain("in the last 3.3 d, since the node booted");
    const young = sure(analyse(boots(() => 0, [100, 150, 1])));
    expect(ahead(young)).toEqual({
      end: undefined,
      silence: expect.stringMatching(
        /^there is too little data in the last .*, since the node booted$/,
      ) as string,
    });
  });
  it("foresees the end by the slope since it changed, also where the window as a whole says nothing", () => {
    const slowed = (hour: number) => LEAK_KIB_PER_HOUR * (Math.min(hour, 60) + 0.3 * Math.max(0, hour - 60));
    const trend = sure(analyse(boots(slowed, [80, 160, 130])));
    const { end } = ahead(trend);
    const hours = ((end?.atMs ?? 0) - trend.toMs) / HOUR_MS;
    expect(hours / (1_000_000_000 / (0.3 * LEAK_KIB_PER_HOUR))).toBeCloseTo(1, 1);
    expect(Math.abs((end?.sinceMs ?? 0) - 300 * HOUR_MS)).toBeLessThan(2 * HOUR_MS);
  });
  it("goes on from after memory was freed at once", () => {
    for (const gib of [5, 9]) {
      const freed = (hour: number) => LEAK_KIB_PER_HOUR * hour - (hour > 40 ? gib * 1024 * MIB : 0);
      const trend = sure(analyse([boot(100, freed)]));
      expect(trend.newest?.because).toBe("step");
      expect((trend.newest?.sinceMs ?? 0) / HOUR_MS).toBeCloseTo(40, 0);
      expect(ahead(trend).end).toBeDefined();
    }
  });
  it("goes on through a step that is little beside the growth", () => {
    const jumped = (hour: number) => LEAK_KIB_PER_HOUR * hour + (hour > 90 ? 400 * MIB : 0);
    const trend = sure(analyse([boot(100, jumped)]));
    expect([trend.verdict, trend.newest]).toEqual(["leaking", undefined]);
  });
  it("calls what grows since it changed growing where one line through all says little", () => {
    const hastened = (hour: number) => (400 * Math.min(hour, 90) + 800 * Math.max(0, hour - 90)) * MIB;
    const trend = sure(analyse([boot(168, hastened)]));
    expect(trend.verdict).toBe("growing");
    expect(trendSentence(trend, { name: "slab", unit: "KiB" })).toMatch(
      /^Slab changed by .* over 7 d, which is not one line: growing\. In the last 3\.\d d, since its growth changed: 800\.\d MiB\/h/,
    );
    const { end } = ahead(trend);
    expect(1_000_000_000 / (800 * MIB) / (((end?.atMs ?? 0) - trend.toMs) / HOUR_MS)).toBeCloseTo(1, 1);
  });
  it("calls nothing flat of which next to nothing is excluded", () => {
    const turned = (hour: number) => 300 * MIB * (hour < 84 ? hour : 168 - hour);
    const trend = sure(analyse([boot(168, turned)]));
    expect(trend.verdict).toBe("insufficient");
    expect(trendSentence(trend, { name: "slab", unit: "KiB" })).toMatch(
      /^Cannot say whether slab grows: it changed by .* over 7 d; .* is not excluded\. In the last 3\.\d d, since its growth changed: −\d+\.\d MiB\/h/,
    );
    expect(ahead(trend).silence).toContain("it is shrinking in the last 3.5 d");
  });
  it("says nothing more of growth that the fleet explains", () => {
    const leak = sure(analyse(boots((hour) => LEAK_KIB_PER_HOUR * hour, [60, 60])));
    expect(ahead(leak).end).toBeDefined();
    const [doubted] = confirmAcrossFleet([{ ...leak, pValue: 0.5 }]);
    expect(doubted && ahead(doubted).end).toBeUndefined();
  });
});

describe("confirmAcrossFleet", () => {
  it("keeps a certain leak and doubts one that the number of nodes explains", () => {
    const leak = sure(analyse([boot(24, (hour) => LEAK_KIB_PER_HOUR * hour)]));
    const flat = sure(analyse([boot(24, () => 0)]));
    const doubtful = { ...leak, pValue: 0.008 };
    const verdicts = confirmAcrossFleet([leak, doubtful, ...new Array<Trend>(50).fill(flat)]).map(
      ({ verdict }) => verdict,
    );
    expect(verdicts.slice(0, 3)).toEqual(["leaking", "growing", "flat"]);
  });
});
