import { describe, expect, it } from "vitest";
import { leakyFleet, rebootedLeak, slowLeak } from "#lib/domain/scenarios/leaky-fleet.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { confirmAcrossFleet } from "./fleet-significance.ts";
import type { RankedTrend } from "./ranking.ts";
import { compareLeaks, compareTimeLeft, drainSentence } from "./ranking.ts";
import { analyseTrend } from "./trend.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 2, 1);
const MEM_TOTAL_KIB = 188 * 1024 ** 2;
const trend = (verdict: RankedTrend["verdict"], slope: number, lower: number): RankedTrend => ({
  verdict,
  slopePerHour: slope,
  ci95: [lower, 2 * slope - lower],
});

describe("compareLeaks", () => {
  it("puts a certain small leak above a doubtful large one, and what is not judged last", () => {
    const certain = trend("leaking", 10, 9);
    const doubtful = trend("leaking", 40, 2);
    const growing = trend("growing", 100, 90);
    const flat = trend("flat", 0, -5);
    const silent: RankedTrend = { verdict: "insufficient", slopePerHour: null, ci95: null };
    expect([null, silent, flat, growing, doubtful, certain].sort(compareLeaks)).toEqual([
      certain,
      doubtful,
      growing,
      flat,
      silent,
      null,
    ]);
  });

  it("goes by the slope where lower ends are equal, and says so where nothing differs", () => {
    expect(compareLeaks(trend("leaking", 12, 9), trend("leaking", 10, 9))).toBe(-1);
    expect(compareLeaks(trend("flat", 1, 0), trend("flat", 1, 0))).toBe(0);
    expect(compareLeaks(null, null)).toBe(0);
  });
});

it("reboots first who runs out first, whoever does not run out last", () => {
  expect([undefined, 5, -2, 3].sort(compareTimeLeft)).toEqual([-2, 3, 5, undefined]);
  expect(compareTimeLeft(undefined, undefined)).toBe(0);
});

/* The short form of ranking.calibration.test.ts: 300 nodes, 45 of which leak. */
it("finds the worst leaks of a fleet and puts hardly a node that does not leak among them", () => {
  const nodes = leakyFleet(createRng(11), { hours: 24, stepMinutes: 10 }, 300);
  const judged = nodes.flatMap((node) => {
    const found = analyseTrend({ segments: node.segments, memTotalKib: MEM_TOTAL_KIB });
    return found.kind === "trend" ? [{ node, trend: found }] : [];
  });
  const confirmed = confirmAcrossFleet(judged.map(({ trend: found }) => found));
  const ranked = judged
    .map(({ node }, i) => ({ node, trend: confirmed[i] ?? null }))
    .sort((a, b) => compareLeaks(a.trend, b.trend));
  const first = ranked.slice(0, 30).map(({ node }) => node);
  const worst = nodes.toSorted((a, b) => b.leakKibPerHour - a.leakKibPerHour).slice(0, 30);
  expect(worst.filter((node) => first.includes(node)).length).toBeGreaterThanOrEqual(28);
  expect(first.filter((node) => node.leakKibPerHour === 0).length).toBeLessThanOrEqual(1);
});

it("measures a leak through the reboots that it forces", () => {
  const rng = createRng(21);
  for (const mibPerHour of [20, 100, 400]) {
    for (let run = 0; run < 5; run += 1) {
      const truth = mibPerHour * 1024;
      const segments = rebootedLeak(rng, { hours: 168, stepMinutes: 30 }, truth);
      const found = analyseTrend({ segments, memTotalKib: MEM_TOTAL_KIB });
      if (found.kind !== "trend") throw new Error(found.reason);
      expect(found.boots.length).toBeGreaterThanOrEqual(3);
      expect(found.slopePerHour / truth).toBeGreaterThan(0.8);
      expect(found.slopePerHour / truth).toBeLessThan(1.2);
      expect(found.verdict).toBe("leaking");
    }
  }
});

/* The short form of power.calibration.test.ts: 48 MiB a day on a node of 188 GiB, of which 36 h are 0.04 %. */
it("sees a leak of 2 MiB/h grow within 36 h and calls it leaking by 48 h", () => {
  const rng = createRng(31);
  const verdicts = (hours: number) =>
    Array.from({ length: 40 }, () => {
      const segments = slowLeak(rng, { hours, stepMinutes: 10 }, { mibPerHour: 2, sdMib: 20 });
      const found = analyseTrend({ segments, memTotalKib: MEM_TOTAL_KIB });
      return found.kind === "trend" ? found.verdict : found.kind;
    });
  const rising = verdicts(36).filter((verdict) => verdict === "growing" || verdict === "leaking");
  expect(rising.length).toBeGreaterThanOrEqual(30);
  expect(verdicts(48).filter((verdict) => verdict === "leaking").length).toBeGreaterThanOrEqual(32);
});

describe("drainSentence", () => {
  const node = (name: string, what: string, hours: number, to?: number) => ({
    name,
    ending: {
      what,
      atMs: NOW_MS + hours * HOUR_MS,
      ci95: [NOW_MS + 0.75 * hours * HOUR_MS, to === undefined ? undefined : NOW_MS + to * HOUR_MS] as const,
    },
  });

  const known = { reporting: [], silent: [], asked: 9, past: 0, unjudged: 0 };
  const said = (...reporting: ReturnType<typeof node>[]) => drainSentence({ ...known, reporting }, NOW_MS);

  it("names the first with its interval, then who follows", () => {
    expect(said(node("worker-3", "memory", 12, 20), node("worker-7", "memory", 50))).toBe(
      "Drain or reboot worker-3 first: memory runs out in 12 h (95 %: 9 h to 20 h). Then worker-7 (2.1 d).",
    );
  });

  it("says over which time the growth goes on that it rests on", () => {
    const ending = {
      what: "memory",
      atMs: NOW_MS + 12 * HOUR_MS,
      ci95: [NOW_MS + 9 * HOUR_MS, undefined],
    } as const;
    const sinceMs = NOW_MS - 31 * HOUR_MS;
    expect(
      drainSentence({ ...known, reporting: [{ name: "a", ending: { ...ending, sinceMs } }] }, NOW_MS),
    ).toBe(
      "Drain or reboot a first: memory runs out in 12 h (95 %: 9 h or more), by its growth of the last 1 d 7 h.",
    );
  });

  it("says an open end, what has ended already, and how many more there are", () => {
    expect(said(node("a", "inodes of /run", 12))).toBe(
      "Drain or reboot a first: inodes of /run run out in 12 h (95 %: 9 h or more).",
    );
    expect(said(node("a", "memory-cgroup ids", 0, 0))).toContain("run out now.");
    const many = Array.from({ length: 8 }, (_, index) => node(`n${index}`, "memory", 10 + index, 90));
    expect(said(...many)).toContain("n4 (14 h), and 3 more.");
  });

  it("says that there is nothing to drain, and names silent nodes as such", () => {
    expect(said()).toBe("Nothing to drain: no node runs out of anything by what grows.");
    const gone = node("galena", "memory", 50);
    expect(drainSentence({ ...known, silent: [gone] }, NOW_MS)).toBe(
      "Nothing to drain: no node that still reports runs out of anything. galena (2.1 d) is silent and was going to run out of something when last heard.",
    );
    expect(
      drainSentence({ ...known, reporting: [node("a", "memory", 9)], silent: [gone, gone] }, NOW_MS),
    ).toMatch(/^Drain or reboot a first: .* galena \(2\.1 d\), galena \(2\.1 d\) are silent/);
  });

  it("does not take what it cannot say for nothing", () => {
    expect(drainSentence({ ...known, past: 9, unjudged: 9 }, NOW_MS)).toBe(
      "Cannot say which node to drain: the window ends before the newest samples.",
    );
    expect(drainSentence({ ...known, unjudged: 9 }, NOW_MS)).toBe(
      "Cannot say which node to drain: there is too little data in the window.",
    );
    expect(drainSentence({ ...known, unjudged: 4 }, NOW_MS)).toBe(
      "Nothing to drain: no node runs out of anything by what grows. Of 4 of 9 nothing can be said.",
    );
    expect(drainSentence({ ...known, asked: 0 }, NOW_MS)).toMatch(/^Nothing to drain/);
  });
});
