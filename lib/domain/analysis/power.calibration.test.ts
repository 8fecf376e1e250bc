import { expect, it } from "vitest";
import { slowLeak } from "#lib/domain/scenarios/leaky-fleet.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { analyseTrend } from "./trend.ts";

/* `npm run calibrate`. Prints the table of docs/statistics.md. */
const RUNS = 1000;

it.each([
  [20, { rising: { 24: 0.3, 36: 0.8 }, leaking48: 0.85 }],
  [10, { rising: { 24: 0.9, 36: 0.95 }, leaking48: 0.98 }],
])("finds a leak of 2 MiB/h under noise of %i MiB", (sdMib, least) => {
  const shares = [6, 12, 24, 36, 48, 72, 168].map((hours) => {
    const rng = createRng(1000 * sdMib + hours);
    let leaking = 0;
    let growing = 0;
    let otherwise = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const segments = slowLeak(rng, { hours, stepMinutes: hours > 72 ? 60 : 5 }, { mibPerHour: 2, sdMib });
      const trend = analyseTrend({ segments, memTotalKib: 188 * 1024 ** 2 });
      const verdict = trend.kind === "trend" ? trend.verdict : "insufficient";
      if (verdict === "leaking") leaking += 1;
      else if (verdict === "growing") growing += 1;
      else if (verdict === "stepped" || verdict === "levelling-off") otherwise += 1;
    }
    return { hours, leaking: leaking / RUNS, growing: growing / RUNS, otherwise: otherwise / RUNS };
  });
  for (const { hours, leaking, growing, otherwise } of shares) {
    const cells = [growing, leaking, otherwise].map((share) => `${(100 * share).toFixed(1)} %`);
    console.log(`| ${sdMib} MiB | ${hours} h | ${cells.join(" | ")} |`);
  }
  const at = (wanted: number) => shares.find(({ hours }) => hours === wanted);
  for (const hours of [24, 36] as const) {
    expect((at(hours)?.growing ?? 0) + (at(hours)?.leaking ?? 0)).toBeGreaterThan(least.rising[hours]);
  }
  expect(at(48)?.leaking).toBeGreaterThan(least.leaking48);
});
