import { expect, it } from "vitest";
import type { WindowShape } from "#lib/domain/scenarios/trend-free.ts";
import { steadyLeak, TREND_FREE_KINDS } from "#lib/domain/scenarios/trend-free.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { Rng } from "#lib/domain/statistics/rng.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import type { BootSegment } from "./boot-segments.ts";
import { confirmAcrossFleet } from "./fleet-significance.ts";
import { analyseTrend } from "./trend.ts";

/* `npm run calibrate`. Prints the tables of docs/statistics.md. */
const RUNS = 1000;
const MEM_TOTAL_KIB = 16 * 1024 ** 2;
const WINDOWS: readonly (WindowShape & { name: string })[] = [
  { name: "24 h", hours: 24, stepMinutes: 5 },
  { name: "48 h", hours: 48, stepMinutes: 10 },
  { name: "7 d", hours: 168, stepMinutes: 20 },
];

function shareLeaking(draw: (rng: Rng) => BootSegment[], seed: number): number {
  const rng = createRng(seed);
  let leaking = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const trend = analyseTrend({ segments: draw(rng), memTotalKib: MEM_TOTAL_KIB });
    if (!isInsufficient(trend) && trend.verdict === "leaking") leaking += 1;
  }
  return leaking / RUNS;
}
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

it.each(TREND_FREE_KINDS)("$name is called leaking at most as often as it may", ({ name, limit, draw }) => {
  const shares = WINDOWS.map((window, i) => shareLeaking((rng) => draw(rng, window), 1000 * i + name.length));
  console.log(`| ${name} | ${shares.map(percent).join(" | ")} |`);
  for (const share of shares) expect(share).toBeLessThanOrEqual(limit);
});

it.each([
  [6, 0.75],
  [10, 0.97],
  [30, 0.99],
])("a steady leak of %i sd is found", (sd, least) => {
  const shares = WINDOWS.map((window, i) => shareLeaking((rng) => steadyLeak(rng, window, sd), 77 + i));
  console.log(`| real leak, rise of ${sd} sd | ${shares.map(percent).join(" | ")} |`);
  for (const share of shares) expect(share).toBeGreaterThanOrEqual(least);
});

it("keeps the false discoveries of a mixed fleet of 1,000 at 1 %", () => {
  const rng = createRng(42);
  const window = WINDOWS[0] as WindowShape;
  let called = 0;
  let wrong = 0;
  let leaks = 0;
  for (let fleet = 0; fleet < 5; fleet += 1) {
    const nodes = Array.from({ length: 1000 }, (_, i) => {
      const leaky = i % 20 === 0;
      const kind = TREND_FREE_KINDS[i % (TREND_FREE_KINDS.length - 1)] as (typeof TREND_FREE_KINDS)[number];
      const segments = leaky ? steadyLeak(rng, window, 6 + 30 * rng.uniform()) : kind.draw(rng, window);
      return { leaky, trend: analyseTrend({ segments, memTotalKib: MEM_TOTAL_KIB }) };
    }).flatMap(({ leaky, trend }) => (isInsufficient(trend) ? [] : [{ leaky, trend }]));
    leaks += nodes.filter(({ leaky }) => leaky).length;
    confirmAcrossFleet(nodes.map(({ trend }) => trend)).forEach(({ verdict }, i) => {
      if (verdict !== "leaking") return;
      called += 1;
      if (nodes[i]?.leaky === false) wrong += 1;
    });
  }
  console.log(`mixed fleet: ${called} called leaking of ${leaks} that leak, ${wrong} of them wrongly`);
  expect(wrong / called).toBeLessThanOrEqual(0.01);
  expect(called - wrong).toBeGreaterThan(0.85 * leaks);
});
