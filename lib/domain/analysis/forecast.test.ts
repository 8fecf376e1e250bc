import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { forecastExhaustion, forecastFan, memoryHeadroomKib, whyNoForecast } from "./forecast.ts";
import type { Trend } from "./trend.ts";
import { analyseTrend } from "./trend.ts";
import { trendLines } from "./trend-line.ts";
import { trendSentence } from "./trend-sentence.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024;
const METRIC = { name: "unreclaimable kernel memory", unit: "KiB" } as const;
const leak: Trend = {
  kind: "trend",
  verdict: "leaking",
  slopePerHour: 312 * MIB,
  ci95: [298 * MIB, 327 * MIB],
  pValue: 1e-9,
  n: 288,
  fromMs: 0,
  toMs: 24 * HOUR_MS,
  method: "",
  phi: 0.8,
  noiseSd: 0,
  rise: 7488 * MIB,
  boots: [],
  gates: { significant: true, material: true, persistent: true, beyondDailyRange: true, beyondWarmUp: true },
};
const memory = { what: "memory", headroom: 3120 * MIB, nowMs: 24 * HOUR_MS };

describe("memoryHeadroomKib", () => {
  it("is what cannot be reclaimed taken off, down to the eviction threshold", () => {
    const held = { unreclaimableKernelKib: 300_000, anonymousKib: 200_000, shmemKib: 50_000 };
    expect(memoryHeadroomKib({ memTotalKib: 1_000_000, ...held })).toBe(450_000 - 102_400);
    expect(memoryHeadroomKib({ memTotalKib: 1_000_000, ...held, evictionThresholdKib: 0 })).toBe(450_000);
    expect(memoryHeadroomKib({ memTotalKib: 600_000, ...held })).toBe(0);
  });
});

describe("forecastExhaustion", () => {
  it("divides what is left by the slope and by both ends of its interval", () => {
    const forecast = forecastExhaustion(leak, memory);
    expect((forecast?.atMs ?? 0) / HOUR_MS).toBeCloseTo(34, 6);
    expect((forecast?.ci95[0] ?? 0) / HOUR_MS).toBeCloseTo(24 + 3120 / 327, 6);
    expect((forecast?.ci95[1] ?? 0) / HOUR_MS).toBeCloseTo(24 + 3120 / 298, 6);
  });
  it("leaves the far end open when the slope may be next to nothing", () => {
    const doubtful = { ...leak, verdict: "growing" as const, ci95: [0.0001, 327 * MIB] as const };
    expect(forecastExhaustion(doubtful, memory)?.ci95[1]).toBeUndefined();
  });
  it("is silent about what does not grow significantly", () => {
    expect(forecastExhaustion({ ...leak, verdict: "flat" }, memory)).toBeUndefined();
    expect(forecastExhaustion({ ...leak, ci95: [-1, 400] }, memory)).toBeUndefined();
    expect(
      forecastExhaustion(
        { ...leak, verdict: "growing", gates: { ...leak.gates, significant: false } },
        memory,
      ),
    ).toBeUndefined();
    expect(forecastExhaustion({ ...leak, slopePerHour: 1, ci95: [0.5, 2] }, memory)).toBeUndefined();
  });
});

describe("forecastFan", () => {
  const start = { ...memory, level: 20_000 * MIB };
  it("runs from the last reading to the limit, and its edges meet it at the ends of the interval", () => {
    const fan = forecastFan({ ...leak, noiseSd: 10 * MIB }, start);
    expect(fan?.limit).toBe(23_120 * MIB);
    const [first] = fan?.points ?? [];
    expect(first).toMatchObject({ timeMs: memory.nowMs, value: 20_000 * MIB });
    expect((first?.high ?? 0) - 20_000 * MIB).toBeCloseTo(19.6 * MIB, 6);
    const last = fan?.points.at(-1);
    expect(last?.timeMs).toBeCloseTo(fan?.end.ci95[1] ?? NaN, 0);
    expect((last?.low ?? 0) / (fan?.limit ?? 1)).toBeCloseTo(1, 9);
    // The edge above meets the limit at the earliest end: 312 h + sqrt((15 h)^2 + 19.6^2) = 3120.
    const earliestHours = ((fan?.end.ci95[0] ?? 0) - memory.nowMs) / HOUR_MS;
    expect(312 * earliestHours + Math.hypot(15 * earliestHours, 19.6)).toBeCloseTo(3120, 6);
  });
  it("is silent with the forecast, and says why", () => {
    const why = (trend: Partial<Trend>) => whyNoForecast({ ...leak, ...trend }, memory);
    expect(why({})).toBeUndefined();
    expect(why({ verdict: "flat" })).toBe("there is no significant growth in this window");
    expect(why({ verdict: "shrinking", ci95: [-9, -5] })).toBe("it is shrinking");
    expect(why({ verdict: "stepped" })).toContain("by steps");
    expect(why({ verdict: "levelling-off" })).toContain("levelling off");
    expect(why({ slopePerHour: 1, ci95: [0.5, 2] })).toContain("five years");
    expect(forecastFan({ ...leak, verdict: "flat" }, start)).toBeUndefined();
  });
  it("has no end where nothing is left, and none of it lies in the past", () => {
    const full = forecastFan({ ...leak, noiseSd: 50 * MIB }, { ...start, headroom: 0 });
    expect(full?.end.atMs).toBe(memory.nowMs);
    expect(full?.end.ci95[0]).toBe(memory.nowMs);
    expect(full?.points.every(({ value }) => Number.isFinite(value))).toBe(true);
  });
  /* The short form of forecast.calibration.test.ts: 200 leaks, where 95 % are known to within 4.6 % (three standard errors). */
  it("holds the truth about as often as it says", () => {
    const rng = createRng(2027);
    let held = 0;
    for (let run = 0; run < 200; run += 1) {
      const values = autoregressiveNoise(rng, 144, 0.5, 50 * MIB).map((noise, i) => noise + 10 * MIB * i);
      const timesMs = values.map((_, i) => i * 300_000);
      const trend = analyseTrend({
        segments: [{ bootId: "a", timesMs, values }],
        memTotalKib: 16 * MIB * MIB,
      });
      if (trend.kind !== "trend") throw new Error(trend.reason);
      const nowMs = timesMs.at(-1) ?? 0;
      const level = values.at(-1) ?? 0;
      const end = forecastExhaustion(trend, { what: "memory", headroom: 2430 * MIB - level, nowMs });
      if (end && end.ci95[0] <= 243 * 300_000 && 243 * 300_000 <= (end.ci95[1] ?? Infinity)) held += 1;
    }
    expect(held / 200).toBeGreaterThan(0.9);
  });
});

describe("trendLines", () => {
  const boot = (bootId: string, fromHour: number, level: number) => ({
    bootId,
    segment: {
      timesMs: Float64Array.from({ length: 49 }, (_, i) => (fromHour + i / 2) * HOUR_MS),
      values: Float64Array.from({ length: 49 }, (_, i) => level + 100 * (i / 2) + 5 * ((i % 3) - 1)),
    },
  });
  const slope = { slopePerHour: 100, ci95: [99, 102] as const, phi: 0 };
  it("draws one slope at the level of each boot, with a band that is narrowest in the middle", () => {
    const lines = trendLines([boot("a", 0, 1000), boot("b", 30, 50)], slope);
    expect(lines.map(({ bootId }) => bootId)).toEqual(["a", "b"]);
    const points = lines[0]?.points ?? [];
    expect(points[6]?.value).toBeCloseTo(2200, 6);
    expect((points[12]?.value ?? 0) - (points[0]?.value ?? 0)).toBeCloseTo(2400, 6);
    const widths = points.map(({ low, high }) => high - low);
    expect(Math.min(...widths)).toBe(widths[6]);
    for (const { value, low, high } of points) {
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
  });
  it("draws nothing through a single point", () => {
    const lone = { timesMs: Float64Array.of(5), values: Float64Array.of(1) };
    expect(trendLines([{ bootId: "a", segment: lone }], slope)).toEqual([]);
  });
});

describe("trendSentence", () => {
  it("says what grew how much over which time, and the verdict", () => {
    expect(trendSentence(leak, METRIC)).toBe(
      "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) over 24 h: leaking.",
    );
    expect(
      trendSentence({ ...leak, verdict: "flat", slopePerHour: 2 * MIB, ci95: [-6 * MIB, 11 * MIB] }, METRIC),
    ).toBe("Unreclaimable kernel memory changed by 2 MiB/h (95 %: −6 to 11) over 24 h: flat.");
    expect(
      trendSentence(
        { ...leak, slopePerHour: 41.2, ci95: [39.8, 42.5] },
        { name: "number of exit files", unit: "files" },
      ),
    ).toBe("Number of exit files grew 41.2 files/h (95 %: 39.8–42.5) over 24 h: leaking.");
  });
  it("does not say a bare flat of growth that is not certain enough, nor of an interval that excludes little", () => {
    const flat = { ...leak, verdict: "flat" as const, gates: { ...leak.gates, significant: false } };
    expect(trendSentence({ ...flat, slopePerHour: 310 * MIB, ci95: [140 * MIB, 320 * MIB] }, METRIC)).toBe(
      "Unreclaimable kernel memory changed by 310 MiB/h (95 %: 140–320) over 24 h: not certain enough to be called growth, so flat.",
    );
    expect(
      trendSentence({ ...flat, slopePerHour: -310 * MIB, ci95: [-320 * MIB, -140 * MIB] }, METRIC),
    ).toContain("not certain enough to be called shrinking, so flat.");
    expect(
      trendSentence(
        { ...flat, verdict: "insufficient", slopePerHour: 0, ci95: [-4012 * MIB, 2625 * MIB] },
        METRIC,
      ),
    ).toBe(
      "Cannot say whether unreclaimable kernel memory grows: it changed by 0 MiB/h (95 %: −4,000 to 3,000) over 24 h; a fall of up to 4,000 MiB/h is not excluded.",
    );
  });
  it("says what would settle a doubtful one", () => {
    const wave = {
      ...leak,
      verdict: "growing" as const,
      rise: 1500 * MIB,
      gates: { ...leak.gates, beyondDailyRange: false },
    };
    expect(trendSentence(wave, METRIC)).toBe(
      "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) over 24 h: growing. A daily rhythm could rise by 1.46 GiB as well; 48 h of data would settle it.",
    );
    expect(trendSentence({ ...wave, gates: { ...leak.gates, beyondWarmUp: false } }, METRIC)).toContain(
      "warm-up",
    );
    expect(trendSentence({ ...wave, gates: { ...leak.gates, material: false } }, METRIC)).toContain(
      "lower end",
    );
    expect(trendSentence({ ...wave, gates: { ...leak.gates, significant: false } }, METRIC)).toContain(
      "whole fleet",
    );
    expect(trendSentence({ ...leak, verdict: "stepped" }, METRIC)).toContain("not steadily: stepped.");
    expect(trendSentence({ ...leak, verdict: "levelling-off" }, METRIC)).toContain("levelling off.");
  });
  it("says what is missing", () => {
    const none = analyseTrend({ segments: [], memTotalKib: 1_000_000 });
    expect(trendSentence(none, METRIC)).toBe(
      "Cannot say whether unreclaimable kernel memory grows: 0 points, 12 needed.",
    );
  });
});
