import { expect, it } from "vitest";
import { workingDay } from "#lib/domain/scenarios/leaky-fleet.ts";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import type { BootSegment } from "./boot-segments.ts";
import { HOUR_MS } from "./boot-segments.ts";
import { isReturnedGrowth, nextLookMs, RETURN_LEAST_MS, returnThresholdPerHour } from "./experiment.ts";
import { analyseTrend } from "./trend.ts";

/* `npm run calibrate`. Prints the table of docs/statistics.md. */
const MONTHS = 100;
const STEP_MS = 5 * 60_000;
const MIB = 1024;
const MONTH_MS = 30 * 24 * HOUR_MS;
const NOISE = { phi: 0.85, sdKib: 20 * MIB };
const START_MS = Date.UTC(2026, 0, 1);

/** What a node does in the month after its leak was stopped. */
interface After {
  /** Growth that comes back, from when on. */
  readonly returns?: { readonly kibPerHour: number; readonly fromMs: number };
  /** Range of a working day, KiB; known to the trend as the node's own. */
  readonly dailyKib?: number;
}

/** When growth is found again, ms after the leak was stopped; undefined when the month passes without. */
function reopenedAfter(
  rng: ReturnType<typeof createRng>,
  stoppedKibPerHour: number,
  lookBackMs: number,
  { returns, dailyKib = 0 }: After,
): number | undefined {
  const phase = 24 * rng.uniform();
  const noise = autoregressiveNoise(rng, MONTH_MS / STEP_MS, NOISE.phi, NOISE.sdKib);
  const values = noise.map((each, index) => {
    const ms = index * STEP_MS;
    const grown =
      returns === undefined ? 0 : (returns.kibPerHour * Math.max(0, ms - returns.fromMs)) / HOUR_MS;
    return 8 * 1024 * MIB + each + grown + dailyKib * workingDay(ms / HOUR_MS + phase);
  });
  const threshold = returnThresholdPerHour({
    slopeVerdict: "stopped",
    levelVerdict: "none",
    before: { slopePerHour: stoppedKibPerHour, ci95: [stoppedKibPerHour, stoppedKibPerHour] },
    after: { slopePerHour: 0, ci95: [0, 0] },
  });
  if (threshold === undefined) throw new Error("a stopped leak has a threshold");
  for (let at = nextLookMs(0, [], 0, true); at !== undefined; at = nextLookMs(0, [], at, true)) {
    const from = Math.max(0, at - lookBackMs);
    if (at - from < RETURN_LEAST_MS) continue;
    const picked = values.slice(Math.floor(from / STEP_MS), Math.floor(at / STEP_MS));
    const segment: BootSegment = {
      bootId: "one",
      bootedAtMs: START_MS - 10 * 24 * HOUR_MS,
      timesMs: picked.map((_, index) => START_MS + from + index * STEP_MS),
      values: picked,
    };
    const trend = analyseTrend({
      segments: [segment],
      memTotalKib: 188 * MIB * MIB,
      ...(dailyKib > 0 && { dailyRange: { range: dailyKib, own: true } }),
    });
    if (trend.kind === "trend" && isReturnedGrowth(trend, threshold, dailyKib)) return at;
  }
  return undefined;
}

it.each([
  [300, 6, 0, 0.02],
  [300, 24, 0, 0.02],
  [300, 6, 100, 0.02],
  [50, 6, 0, 0.05],
  [50, 24, 0, 0.02],
  [50, 6, 100, 0.05],
  [50, 24, 100, 0.05],
  [10, 24, 0, 0.1],
  [10, 24, 100, 0.1],
])(
  "reopens no leak of %i MiB/h that stays stopped, looking back %i h, working days of %i MiB",
  (mibPerHour, lookBackHours, dailyMib, most) => {
    const rng = createRng(31 * mibPerHour + 7 * lookBackHours + dailyMib);
    let reopened = 0;
    for (let month = 0; month < MONTHS; month += 1) {
      const found = reopenedAfter(rng, mibPerHour * MIB, lookBackHours * HOUR_MS, {
        dailyKib: dailyMib * MIB,
      });
      if (found !== undefined) reopened += 1;
    }
    console.log(`| ${mibPerHour} MiB/h | ${lookBackHours} h | ${dailyMib} MiB | ${reopened} % |`);
    expect(reopened / MONTHS).toBeLessThanOrEqual(most);
  },
);

it.each([
  [300, 6, 12],
  [50, 6, 24],
  [50, 24, 36],
])(
  "finds a leak of %i MiB/h that comes back after a week, looking back %i h, within %i h",
  (mibPerHour, lookBackHours, withinHours) => {
    const rng = createRng(17 * mibPerHour + lookBackHours);
    const fromMs = 7 * 24 * HOUR_MS;
    const hours: number[] = [];
    for (let month = 0; month < MONTHS; month += 1) {
      const found = reopenedAfter(rng, mibPerHour * MIB, lookBackHours * HOUR_MS, {
        returns: { kibPerHour: mibPerHour * MIB, fromMs },
      });
      hours.push(found === undefined ? Infinity : (found - fromMs) / HOUR_MS);
    }
    const sorted = hours.sort((a, b) => a - b);
    console.log(
      `| ${mibPerHour} MiB/h back | ${lookBackHours} h | median ${sorted[50]} h, 95 of 100 within ${sorted[94]} h |`,
    );
    expect(sorted[94]).toBeLessThanOrEqual(withinHours);
  },
);
