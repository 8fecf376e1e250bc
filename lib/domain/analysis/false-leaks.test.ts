import { expect, it } from "vitest";
import { TREND_FREE_KINDS } from "#lib/domain/scenarios/trend-free.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { analyseTrend } from "./trend.ts";

/*
 * The short form of false-leaks.calibration.test.ts: 30 histories of each kind that is no leak, random walks apart. Of the 660
 * at most 1 % may be called leaking; on this seed one is.
 */
it("calls hardly any history without a leak leaking", () => {
  const rng = createRng(7);
  const wrong: string[] = [];
  for (const { name, draw } of TREND_FREE_KINDS.filter(({ limit }) => limit <= 0.01)) {
    for (let run = 0; run < 30; run += 1) {
      const trend = analyseTrend({
        segments: draw(rng, { hours: 24, stepMinutes: 10 }),
        memTotalKib: 16 * 1024 ** 2,
      });
      if (trend.kind === "trend" && trend.verdict === "leaking") wrong.push(name);
    }
  }
  expect(wrong.length, wrong.join(", ")).toBeLessThanOrEqual(6);
});
