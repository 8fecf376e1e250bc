import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BootSegment } from "./boot-segments.ts";
import { effectSentence } from "./effect-sentence.ts";
import { studyEffect } from "./event-study.ts";
import { trendSentence } from "./trend-sentence.ts";
import { analyseTrend } from "./trend.ts";

const STEP_MS = 300_000;
const METRIC = { name: "unreclaimable kernel memory", unit: "KiB" } as const;

/** Boots as a broken or idle node might send them: constant, few levels, huge, holes, times that stand still or go back. */
const boots: fc.Arbitrary<BootSegment[]> = fc
  .array(
    fc.record({
      values: fc.array(
        fc.oneof(
          fc.constantFrom(null, 0, 1, 5_000_000),
          fc.integer({ min: 0, max: 2 ** 40 }),
          fc.constantFrom(NaN, Infinity),
        ),
        { maxLength: 60 },
      ),
      step: fc.constantFrom(0, 1, STEP_MS, 10 * STEP_MS, -STEP_MS),
      slope: fc.constantFrom(0, 1000),
    }),
    { maxLength: 4 },
  )
  .map((parts) => {
    let atMs = 0;
    return parts.map(({ values, step, slope }, k) => ({
      bootId: `${k}`,
      timesMs: values.map(() => (atMs += step)),
      values: values.map((value, i) => (value === null ? null : value + slope * i)),
    }));
  });

function analyse(segments: BootSegment[]) {
  const trend = analyseTrend({ segments, memTotalKib: 16 * 1024 ** 2 });
  const text = trendSentence(trend, METRIC);
  const effect = studyEffect({
    segments,
    atMs: 20 * STEP_MS,
    beforeMs: 100 * STEP_MS,
    afterMs: 100 * STEP_MS,
    neighboursMs: [],
    nowMs: 200 * STEP_MS,
    memTotalKib: 16 * 1024 ** 2,
  });
  const effectText =
    effect.kind === "effect"
      ? effectSentence(effect, { metric: METRIC, markTitle: "CRI-O restarted", markTime: "04:15 UTC" })
      : "";
  return { trend, text, effect, effectText };
}

describe("whatever arrives", () => {
  it("gives a verdict with finite numbers, or says what is missing", () => {
    fc.assert(
      fc.property(boots, (segments) => {
        const { trend, text, effect, effectText } = analyse(segments);
        if (trend.kind === "trend") {
          for (const number of [trend.slopePerHour, ...trend.ci95, trend.pValue, trend.phi, trend.rise]) {
            expect(Number.isFinite(number)).toBe(true);
          }
          expect(trend.ci95[0]).toBeLessThanOrEqual(trend.slopePerHour);
          expect(trend.ci95[1]).toBeGreaterThanOrEqual(trend.slopePerHour);
        }
        if (effect.kind === "effect" && effect.slopeChange !== undefined) {
          expect(Number.isFinite(effect.slopeChange.perHour)).toBe(true);
        }
        expect(text + effectText).not.toMatch(/NaN|Infinity|undefined/);
      }),
      { numRuns: 400 },
    );
  });
  it.each([
    ["constant", () => 7, "flat"],
    ["a perfect line", (i: number) => 100_000 * i, "leaking"],
    ["a perfect fall", (i: number) => 1e9 - 100_000 * i, "shrinking"],
    ["a perfect step", (i: number) => (i < 140 ? 0 : 5_000_000), "stepped"],
  ])("%s, without any noise", (_, value, verdict) => {
    const timesMs = Array.from({ length: 288 }, (__, i) => i * STEP_MS);
    const { trend } = analyse([{ bootId: "a", timesMs, values: timesMs.map((__, i) => value(i)) }]);
    expect(trend.kind === "trend" ? trend.verdict : trend.reason).toBe(verdict);
  });
});
