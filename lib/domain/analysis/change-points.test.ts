import { describe, expect, it } from "vitest";
import { noisyBoot } from "#lib/domain/scenarios/trend-free.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { changePointSentence } from "./change-point-sentence.ts";
import { findChangePoints } from "./change-points.ts";
import { nearbyMarks } from "./nearby-marks.ts";

const HOUR_MS = 3_600_000;
const MATERIAL = 700;
const DAY = { hours: 24, stepMinutes: 5 };

function found(segments: Parameters<typeof findChangePoints>[0]["segments"]) {
  const result = findChangePoints({ segments, materialPerHour: MATERIAL });
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

describe("findChangePoints", () => {
  it("looks at each boot by itself and leaves its first 2 h out", () => {
    const rng = createRng(2);
    const first = noisyBoot(rng, DAY, 0.5, (hour) => 2 * Math.min(hour, 14));
    const rebootMs = 24 * HOUR_MS;
    // The second boot warms up within the hour and then rests on another level.
    const second = noisyBoot(rng, DAY, 0.5, (hour) => -200 - 100 * Math.exp(-4 * hour), {
      bootId: "b",
      startMs: rebootMs,
      bootedAtMs: rebootMs,
    });
    const { boots, method } = found([first, second]);
    expect(boots.map(({ changes }) => changes.length)).toEqual([1, 0]);
    expect((boots[0]?.changes[0]?.atMs ?? 0) / HOUR_MS).toBeCloseTo(14, 0);
    expect(boots[0]?.stretches).toHaveLength(2);
    expect(boots[1]?.stretches[0]?.fromMs).toBeGreaterThanOrEqual(rebootMs + 2 * HOUR_MS);
    expect(method).toContain("each boot by itself");
  });
  it("takes no daily wave for a row of changes once it was seen twice", () => {
    const wave = noisyBoot(
      createRng(3),
      { hours: 72, stepMinutes: 10 },
      0.8,
      (hour) => 8 * Math.sin((2 * Math.PI * hour) / 24),
    );
    const { boots, method } = found([wave]);
    expect(boots[0]?.changes).toEqual([]);
    expect(method).toContain("daily rhythm fitted");
  });
  it("still finds a stop below a daily wave", () => {
    const wave = noisyBoot(
      createRng(4),
      { hours: 72, stepMinutes: 10 },
      0.5,
      (hour) => 5 * Math.sin((2 * Math.PI * hour) / 24) + 1.5 * Math.min(hour, 40),
    );
    const [change, ...more] = found([wave]).boots[0]?.changes ?? [];
    expect(more).toEqual([]);
    expect(Math.abs((change?.atMs ?? 0) / HOUR_MS - 40)).toBeLessThan(3);
  });
  it("says what is missing", () => {
    expect(findChangePoints({ segments: [], materialPerHour: MATERIAL })).toEqual({
      kind: "insufficient",
      reason: "points",
      needed: 48,
      had: 0,
    });
    const young = noisyBoot(createRng(5), { hours: 3, stepMinutes: 5 }, 0, () => 0, { bootedAtMs: 0 });
    expect(findChangePoints({ segments: [young], materialPerHour: MATERIAL })).toEqual({
      kind: "insufficient",
      reason: "points outside the first 2 h after a boot",
      needed: 48,
      had: 12,
    });
    const gaps = { ...young, values: young.values.map((_, i) => (i % 2 ? NaN : null)) };
    expect(isInsufficient(findChangePoints({ segments: [gaps], materialPerHour: MATERIAL }))).toBe(true);
  });
});

describe("changePointSentence", () => {
  it("says what grew how much until when, and how much after", () => {
    const mib = (perHour: number, low: number, high: number) => ({
      perHour: perHour * 1024,
      ci95: [low * 1024, high * 1024] as const,
    });
    const change = {
      atMs: 0,
      ci95Ms: [0, 0] as const,
      before: mib(312, 298, 327),
      after: mib(4, -6, 13),
      change: mib(-308, -325, -291),
    };
    expect(
      changePointSentence(
        change,
        { name: "unreclaimable kernel memory", unit: "KiB" },
        { at: "04:15 UTC", from: "04:09", to: "04:21" },
      ),
    ).toBe(
      "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until 04:15 UTC (04:09 to 04:21), and 4 MiB/h (−6 to 13) after.",
    );
  });
});

describe("nearbyMarks", () => {
  const minute = 60_000;
  const change = { atMs: 600 * minute, ci95Ms: [590 * minute, 620 * minute] as const };
  const mark = (kind: string, atMinute: number, endsAtMinute?: number) => ({
    kind,
    atMs: atMinute * minute,
    endsAtMs: endsAtMinute === undefined ? null : endsAtMinute * minute,
  });
  const near = (...marks: ReturnType<typeof mark>[]) =>
    nearbyMarks(change, marks).map(({ mark: { kind }, when }) => `${kind} ${when}`);

  it("says how far before or after, nearest first", () => {
    expect(
      near(mark("intervention", 580), mark("note", 648), mark("deploy", 600), mark("incident", 550)),
    ).toEqual(["deploy at the same time", "intervention 20 min before", "note 48 min after"]);
  });
  it("looks further back for what booted, because the first 2 h of a boot are left out", () => {
    expect(near(mark("reboot", 440), mark("version-change", 440))).toEqual(["reboot 3 h before"]);
    expect(near(mark("kernel-change", 400))).toEqual([]);
  });
  it("counts a stretch from its nearer end", () => {
    expect(near(mark("collector-silent", 500, 580))).toEqual(["collector-silent 20 min before"]);
    expect(near(mark("incident", 590, 9_000_000))).toEqual(["incident 10 min before"]);
    expect(near(mark("incident", 400, 605))).toEqual(["incident 5 min after"]);
  });
  it("leaves out a stretch that only goes on then", () => {
    expect(near(mark("incident", 500, 9_000_000))).toEqual([]);
  });
});
