import { expect, it } from "vitest";
import type { FleetNode } from "#lib/domain/scenarios/leaky-fleet.ts";
import { leakyFleet } from "#lib/domain/scenarios/leaky-fleet.ts";
import type { WindowShape } from "#lib/domain/scenarios/trend-free.ts";
import { solveLeastSquares } from "#lib/domain/statistics/least-squares.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { presentPoints } from "#lib/domain/statistics/series.ts";
import { confirmAcrossFleet } from "./fleet-significance.ts";
import { compareLeaks } from "./ranking.ts";
import { analyseTrend } from "./trend.ts";

/* `npm run calibrate`. Prints the table of docs/statistics.md. */
const SEEDS = [1, 2, 3, 4, 5];
const WINDOWS: readonly (WindowShape & { name: string })[] = [
  { name: "24 h", hours: 24, stepMinutes: 5 },
  { name: "48 h", hours: 48, stepMinutes: 10 },
  { name: "7 d", hours: 168, stepMinutes: 60 },
];

/** What `deriv()` over the whole window gives: one least squares line through all points, across reboots too. */
function leastSquaresSlope({ segments }: FleetNode): number {
  const points = segments.map(presentPoints);
  const hours = Float64Array.from(points.flatMap(({ timesMs }) => [...timesMs].map((ms) => ms / 3_600_000)));
  const values = Float64Array.from(points.flatMap((each) => [...each.values]));
  const fit = solveLeastSquares([new Float64Array(hours.length).fill(1), hours], values);
  return fit?.coefficients[1] ?? -Infinity;
}

interface Score {
  readonly of20: number;
  readonly of100: number;
  readonly noLeak: number;
}

function scoreOf(order: readonly FleetNode[], fleet: readonly FleetNode[]): Score {
  const worst = fleet.toSorted((a, b) => b.leakKibPerHour - a.leakKibPerHour);
  const found = (count: number) => {
    const first = new Set(order.slice(0, count));
    return worst.slice(0, count).filter((node) => first.has(node)).length / count;
  };
  return {
    of20: found(20),
    of100: found(100),
    noLeak: order.slice(0, 100).filter((node) => node.leakKibPerHour === 0).length,
  };
}

const line = (name: string, scores: readonly Score[]) => {
  const range = (pick: (score: Score) => number, digits: number) => {
    const values = scores.map(pick);
    return `${Math.min(...values).toFixed(digits)}\u2013${Math.max(...values).toFixed(digits)}`;
  };
  console.log(
    `| ${name} | ${range((s) => s.of20, 2)} | ${range((s) => s.of100, 2)} | ${range((s) => s.noLeak, 0)} |`,
  );
};

it.each(WINDOWS)("ranks fleets of 1,000 over $name", ({ name, ...window }) => {
  const byLeak: Score[] = [];
  const byLowerEnd: Score[] = [];
  const bySlope: Score[] = [];
  let called = 0;
  let wrong = 0;
  for (const seed of SEEDS) {
    const fleet = leakyFleet(createRng(seed), window, 1000);
    const judged = fleet.flatMap((node) => {
      const trend = analyseTrend({ segments: node.segments, memTotalKib: 188 * 1024 ** 2 });
      return trend.kind === "trend" ? [{ node, trend }] : [];
    });
    expect(judged).toHaveLength(1000);
    const confirmed = confirmAcrossFleet(judged.map(({ trend }) => trend));
    const nodes = judged.map(({ node }, i) => {
      const trend = confirmed[i];
      if (trend === undefined) throw new Error("a trend was lost");
      return { node, trend };
    });
    called += nodes.filter(({ trend }) => trend.verdict === "leaking").length;
    wrong += nodes.filter(
      ({ node, trend }) => trend.verdict === "leaking" && node.leakKibPerHour === 0,
    ).length;
    const ordered = (compare: (a: (typeof nodes)[number], b: (typeof nodes)[number]) => number) =>
      scoreOf(
        nodes.toSorted(compare).map(({ node }) => node),
        fleet,
      );
    byLeak.push(ordered((a, b) => compareLeaks(a.trend, b.trend)));
    byLowerEnd.push(ordered((a, b) => b.trend.ci95[0] - a.trend.ci95[0]));
    const slopes = new Map(fleet.map((node) => [node, leastSquaresSlope(node)]));
    bySlope.push(ordered((a, b) => (slopes.get(b.node) ?? 0) - (slopes.get(a.node) ?? 0)));
  }
  line(`${name}, verdict, then lower end`, byLeak);
  line(`${name}, lower end alone`, byLowerEnd);
  line(`${name}, least squares slope (topk of deriv)`, bySlope);
  console.log(`${name}: ${called} called leaking, ${wrong} of them wrongly`);
  for (const { of20, of100, noLeak } of byLeak) {
    expect(of20).toBeGreaterThanOrEqual(0.95);
    expect(of100).toBeGreaterThanOrEqual(0.95);
    expect(noLeak).toBeLessThanOrEqual(2);
  }
  expect(wrong / called).toBeLessThanOrEqual(0.01);
});
