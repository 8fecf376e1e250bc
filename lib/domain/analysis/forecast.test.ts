import { describe, expect, it } from "vitest";
import { forecastExhaustion, memoryHeadroomKib } from "./forecast.ts";
import type { Trend } from "./trend.ts";
import { analyseTrend } from "./trend.ts";
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
