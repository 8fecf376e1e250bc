import { describe, expect, it } from "vitest";
import { autoregressiveNoise } from "#lib/domain/scenarios/noise.ts";
import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import type { BootSegment } from "./boot-segments.ts";
import { compareWithControls } from "./controls.ts";
import { effectSentence } from "./effect-sentence.ts";
import type { Effect, EffectInput } from "./event-study.ts";
import { judgeEffect, studyEffect } from "./event-study.ts";
import { poolEffects } from "./pool-effects.ts";

const HOUR_MS = 3_600_000;
const STEP_MS = 300_000;
const MIB = 1024;
const GIB = MIB * MIB;
const AT_MS = 12 * HOUR_MS;
const METRIC = { name: "unreclaimable kernel memory", unit: "KiB" } as const;

function points(
  fromMs: number,
  toMs: number,
  level: (hoursFromMark: number) => number,
  seed = 1,
): BootSegment {
  const n = Math.round((toMs - fromMs) / STEP_MS);
  const noise = autoregressiveNoise(createRng(seed), n, 0.6, 12 * MIB);
  const timesMs = noise.map((_, i) => fromMs + i * STEP_MS);
  return {
    bootId: `${seed}`,
    timesMs,
    values: noise.map((value, i) => 8 * GIB + level(((timesMs[i] ?? 0) - AT_MS) / HOUR_MS) + value),
  };
}
const slopes =
  (before: number, after: number, step = 0) =>
  (hour: number) =>
    hour < 0 ? before * MIB * hour : (after * hour + step) * MIB;

function study(segments: BootSegment[], more: Partial<EffectInput> = {}): Effect | Insufficient {
  return studyEffect({
    segments,
    atMs: AT_MS,
    beforeMs: 6 * HOUR_MS,
    afterMs: 6 * HOUR_MS,
    neighboursMs: [],
    nowMs: 24 * HOUR_MS,
    memTotalKib: 188 * GIB,
    ...more,
  });
}
function sure(result: Effect | Insufficient): Effect {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}
const day = (before: number, after: number, step = 0, seed = 1) => [
  points(0, 24 * HOUR_MS, slopes(before, after, step), seed),
];

describe("studyEffect", () => {
  it.each([
    ["a leak that stops, memory kept", 312, 0, 0, "stopped", "none"],
    ["a leak that stops and gives memory back", 312, 0, -6 * 1024, "stopped", "freed"],
    ["a leak that halves", 312, 150, 0, "slowed", "none"],
    ["a restart that does nothing to a leak", 312, 312, 0, "unchanged", "none"],
    ["a cache filled at once while nothing grows", 0, 0, 3000, "unchanged", "added"],
    ["a leak that begins", 0, 312, 0, "started", "none"],
    ["a leak that doubles", 150, 312, 0, "faster", "none"],
  ])("reads %s", (_, before, after, step, slopeVerdict, levelVerdict) => {
    const effect = sure(study(day(before, after, step), { referenceSlopePerHour: 312 * MIB }));
    expect([effect.slopeVerdict, effect.levelVerdict]).toEqual([slopeVerdict, levelVerdict]);
    const [lower, upper] = effect.slopeChange?.ci95 ?? [NaN, NaN];
    expect(lower).toBeLessThan((after - before) * MIB);
    expect(upper).toBeGreaterThan((after - before) * MIB);
  });
  it("stops its windows at the neighbouring marks", () => {
    const effect = sure(study(day(312, 4), { neighboursMs: [AT_MS - 3 * HOUR_MS, AT_MS + 2 * HOUR_MS] }));
    expect(effect.before.fromMs).toBe(AT_MS - 3 * HOUR_MS);
    expect(effect.before.toMs).toBe(AT_MS - STEP_MS);
    expect(effect.after.fromMs).toBe(AT_MS + STEP_MS);
    expect(effect.after.toMs).toBe(AT_MS + 2 * HOUR_MS - STEP_MS);
  });
  it("stops at a reboot, and studies a mark that is one across it", () => {
    const rebootMs = AT_MS + 3 * HOUR_MS;
    const first = points(0, rebootMs, slopes(312, 4), 1);
    const second = points(rebootMs, 24 * HOUR_MS, () => -5 * GIB, 2);
    const stopped = sure(study([first, second]));
    expect(stopped.after.toMs).toBe(rebootMs - STEP_MS);
    expect(stopped.acrossReboot).toBe(false);
    expect(stopped.slopeVerdict).toBe("stopped");

    const reboot = sure(
      study([points(0, AT_MS, slopes(312, 0), 1), points(AT_MS, 24 * HOUR_MS, () => -5 * GIB, 2)]),
    );
    expect(reboot.acrossReboot).toBe(true);
    expect(reboot.after.fromMs).toBe(AT_MS + 2 * HOUR_MS);
    expect([reboot.slopeVerdict, reboot.levelVerdict]).toEqual(["stopped", "freed"]);
    expect((reboot.levelChange?.value ?? 0) / GIB).toBeCloseTo(-5, 0);
  });
  it("has enough in an hour of means of five minutes", () => {
    const hour = { afterMs: HOUR_MS };
    const effect = sure(study(day(312, 0), hour));
    expect(effect.after.n).toBe(11);
    expect(effect.slopeVerdict).toBe("stopped");
    const holed = day(312, 0).map((boot) => ({
      ...boot,
      values: boot.values.map((value, i) => ((boot.timesMs[i] ?? 0) > AT_MS + 8 * STEP_MS ? null : value)),
    }));
    const short = sure(study(holed, hour));
    expect(short.slopeVerdict).toBe("inconclusive");
    expect(
      effectSentence(short, { metric: METRIC, markTitle: "cron stopped", markTime: "04:15 UTC" }),
    ).toMatch(/: 8 points after the mark, 10 needed\.$/);
  });
  it("does not name a change that may be next to nothing", () => {
    const scale = { memTotalKib: 188 * GIB, materialPerHour: 800, grewMs: 6 * HOUR_MS };
    const around = (value: number, half: number) => ({ value, ci95: [value - half, value + half] as const });
    const verdict = (before: number, change: number, half: number) =>
      judgeEffect(
        {
          before: around(before, 50),
          after: around(before + change, half),
          change: around(change, half),
          level: around(0, 1),
        },
        scale,
      ).slopeVerdict;
    expect(verdict(2000, -900, 850)).toBe("inconclusive");
    expect(verdict(2000, -1700, 850)).toBe("slowed");
    expect(verdict(2000, 900, 850)).toBe("inconclusive");
    expect(verdict(2000, 1700, 850)).toBe("faster");
    expect(verdict(0, 900, 850)).toBe("inconclusive");
    expect(verdict(0, 1700, 850)).toBe("started");
    // What begins to shrink had no growth to slow.
    expect(verdict(0, -1700, 850)).toBe("inconclusive");
  });
  it("is too early after ten minutes and says when it will do", () => {
    const nowMs = AT_MS + 10 * 60_000;
    const effect = sure(study([points(0, nowMs, slopes(312, 4))], { nowMs }));
    expect([effect.slopeVerdict, effect.levelVerdict]).toEqual(["too-early", "inconclusive"]);
    expect(effect.enoughAtMs).toBe(AT_MS + STEP_MS + 10 * STEP_MS);
    const later = sure(
      study([points(0, AT_MS + 14 * STEP_MS, slopes(312, 4))], { nowMs: effect.enoughAtMs ?? 0 }),
    );
    expect(later.slopeVerdict).not.toBe("too-early");
  });
  it("does not promise what the next mark or a reboot has cut off", () => {
    const effect = sure(study(day(312, 4), { neighboursMs: [AT_MS + 20 * 60_000] }));
    expect(effect.slopeVerdict).toBe("inconclusive");
    expect(effect.enoughAtMs).toBeUndefined();
    expect(
      effectSentence(effect, { metric: METRIC, markTitle: "Try the new runc", markTime: "04:15 UTC" }),
    ).toBe(
      "Cannot say what changed for unreclaimable kernel memory at the mark “Try the new runc” of 04:15 UTC: too little data before the next mark or reboot.",
    );
  });
  it("cannot say without data before the mark", () => {
    expect(study([points(AT_MS - 20 * 60_000, 24 * HOUR_MS, slopes(0, 0))])).toMatchObject({
      kind: "insufficient",
      reason: "points before the mark",
      needed: 12,
      had: 4,
      before: { n: 4 },
      after: { n: 71 },
    });
    expect(isInsufficient(study([]))).toBe(true);
  });
});

describe("studyEffect on a node that is minutes old", () => {
  const MINUTE_MS = 60_000;
  /** A sample each 15 s: 5.5 min before the mark and `afterMinutes` after it, from its fourth on `gapMinutes` without data. */
  const fresh = (
    before: number,
    after: number,
    afterMinutes: number,
    gapMinutes: number,
    seed = 3,
  ): BootSegment => {
    const stepMs = 15_000;
    const fromMs = AT_MS - 5.5 * MINUTE_MS;
    const noise = autoregressiveNoise(
      createRng(seed),
      Math.round((5.5 + afterMinutes) * (MINUTE_MS / stepMs)),
      0.6,
      2 * MIB,
    );
    const level = slopes(before, after);
    const kept = noise
      .map((value, i) => ({ timeMs: fromMs + i * stepMs, value }))
      .filter(
        ({ timeMs }) => timeMs < AT_MS + 4 * MINUTE_MS || timeMs >= AT_MS + (4 + gapMinutes) * MINUTE_MS,
      );
    return {
      bootId: "fresh",
      timesMs: kept.map(({ timeMs }) => timeMs),
      values: kept.map(({ timeMs, value }) => GIB + level((timeMs - AT_MS) / HOUR_MS) + value),
    };
  };
  const soon = (before: number, after: number, afterMinutes: number, gapMinutes: number) => {
    const nowMs = AT_MS + afterMinutes * MINUTE_MS;
    return sure(study([fresh(before, after, afterMinutes, gapMinutes)], { nowMs }));
  };

  it("sees a fast leak stop within minutes, a gap in between or not", () => {
    expect(soon(5000, 0, 5.75, 0).slopeVerdict).toBe("stopped");
    expect(soon(5000, 0, 18, 5).slopeVerdict).toBe("stopped");
    expect(soon(5000, 5000, 18, 5).slopeVerdict).toBe("unchanged");
  });
  it("promises no time where what was measured before the mark is what is too little", () => {
    const effect = soon(100, 100, 18, 5);
    expect(effect.slopeVerdict).toBe("inconclusive");
    expect(effect.enoughAtMs).toBeUndefined();
  });
  it("promises one where the stretch after the mark is, and keeps it", () => {
    const nowMs = AT_MS + 75 * MINUTE_MS;
    const effect = sure(study([points(0, nowMs, slopes(60, 60))], { nowMs }));
    expect(effect.slopeVerdict).toBe("inconclusive");
    const dueMs = effect.enoughAtMs ?? NaN;
    expect(dueMs).toBeGreaterThan(nowMs);
    const then = sure(study([points(0, dueMs, slopes(60, 60))], { nowMs: dueMs }));
    expect(then.slopeVerdict).toBe("unchanged");
  });
});

describe("compareWithControls", () => {
  it("takes off what changed everywhere", () => {
    const everywhere = (before: number, after: number, seed: number) =>
      sure(study(day(before, after + 20, 0, seed)));
    const controls = [2, 3, 4].map((seed) => everywhere(5, 5, seed));
    const compared = compareWithControls([everywhere(312, 4, 1)], controls);
    expect(compared?.nodes).toBe(3);
    expect(compared?.ci95[0]).toBeLessThan(-308 * MIB);
    expect(compared?.ci95[1]).toBeGreaterThan(-308 * MIB);
    expect(compared?.ci95[1]).toBeLessThan(-250 * MIB);
    expect(compareWithControls(controls, [])).toBeUndefined();
  });
});

describe("poolEffects", () => {
  const node = (before: number, after: number, seed: number) => sure(study(day(before, after, 0, seed)));
  const scale = { memTotalKib: 188 * GIB };

  it("says of several nodes what a mark did on average, with the spread between them", () => {
    const nodes = [node(312, 4, 1), node(280, 0, 2), node(330, -3, 3), node(305, 6, 4)];
    const pooled = poolEffects(nodes, scale);
    expect(pooled).toMatchObject({ slopeVerdict: "stopped", levelVerdict: "none" });
    expect(pooled?.before.n).toBe(nodes.reduce((sum, { before }) => sum + before.n, 0));
    const [lower, upper] = pooled?.slopeChange?.ci95 ?? [0, 0];
    expect(lower).toBeLessThan(-305 * MIB);
    expect(upper).toBeGreaterThan(-305 * MIB);
    // Four slopes of 280 to 330: their mean is not known to the 2 MiB/h that each is.
    expect(upper - lower).toBeGreaterThan(40 * MIB);
  });
  it("does not call stopped what stopped on one node of three", () => {
    const pooled = poolEffects([node(300, 0, 1), node(300, 300, 2), node(300, 300, 3)], scale);
    expect(pooled?.slopeVerdict).toBe("inconclusive");
  });
  it("needs two nodes", () => {
    expect(poolEffects([node(300, 0, 1)], scale)).toBeUndefined();
    expect(poolEffects([], scale)).toBeUndefined();
  });
});

describe("studyEffect soon after a boot", () => {
  const young = (bootedAtMs: number) => [
    { ...points(AT_MS - HOUR_MS, AT_MS + HOUR_MS * 3, slopes(400, 0)), bootedAtMs },
  ];

  it("uses the first two hours when nothing else is there before the mark, and says so", () => {
    const effect = sure(study(young(AT_MS - 1.5 * HOUR_MS)));
    expect(effect).toMatchObject({ inWarmUp: true, slopeVerdict: "stopped" });
    expect(effect.before.n).toBe(12);
    expect(effectSentence(effect, { metric: METRIC, markTitle: "x stopped", markTime: "04:15 UTC" })).toMatch(
      /booted less than 2 h before/,
    );
  });

  it("leaves them out where there is enough without them", () => {
    const effect = sure(
      study([{ ...points(0, AT_MS + 3 * HOUR_MS, slopes(400, 0)), bootedAtMs: 5 * HOUR_MS }], {
        beforeMs: 12 * HOUR_MS,
      }),
    );
    expect(effect.inWarmUp).toBe(false);
    expect(effect.before.fromMs).toBe(7 * HOUR_MS);
  });
});

describe("effectSentence", () => {
  const words = { metric: METRIC, markTitle: "pull-monitor stopped", markTime: "04:15 UTC" };
  const typed = (before: [number, number, number], after: [number, number, number]): Effect => {
    const side = ([slope, lower, upper]: [number, number, number]) => ({
      fromMs: 0,
      toMs: 1,
      n: 72,
      slope: {
        slopePerHour: slope * MIB,
        ci95: [lower * MIB, upper * MIB] as const,
        standardError: ((upper - lower) * MIB) / 4,
      },
    });
    return {
      kind: "effect",
      atMs: AT_MS,
      method: "",
      before: side(before),
      after: side(after),
      slopeChange: { perHour: -308 * MIB, ci95: [-324 * MIB, -292 * MIB], standardError: 8 * MIB },
      levelChange: { value: -6.1 * GIB, ci95: [-6.2 * GIB, -6 * GIB], standardError: 0.05 * GIB },
      slopeVerdict: "stopped",
      levelVerdict: "none",
      enoughAtMs: undefined,
      acrossReboot: false,
      inWarmUp: false,
    };
  };
  const stopped = typed([312.3, 298.2, 327.1], [3.6, -5.8, 13.2]);

  it("says what grew, until when, how much after, and both verdicts", () => {
    expect(effectSentence(stopped, words)).toBe(
      "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until pull-monitor was stopped at 04:15 UTC, and 4 MiB/h (−6 to 13) after: stopped, memory not given back.",
    );
    expect(
      effectSentence({ ...stopped, levelVerdict: "freed" }, { ...words, markTitle: "Exit files removed" }),
    ).toBe(
      "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until Exit files were removed at 04:15 UTC, and 4 MiB/h (−6 to 13) after: stopped, freed 6.10 GiB at once.",
    );
  });
  it("says no effect only for unchanged and none", () => {
    const restart = { ...typed([4.1, -6.2, 13.3], [-1.2, -13.1, 11.4]), slopeVerdict: "unchanged" as const };
    const title = { ...words, markTitle: "CRI-O restarted", markTime: "06:30 UTC" };
    expect(effectSentence(restart, title)).toBe(
      "Unreclaimable kernel memory changed by 4 MiB/h (95 %: −6 to 13) until CRI-O was restarted at 06:30 UTC, and −1 MiB/h (−13 to 11) after: no effect.",
    );
    expect(effectSentence({ ...restart, levelVerdict: "inconclusive" }, title)).toContain(
      "after: slope unchanged, change of level inconclusive.",
    );
  });
  it.each([
    ["Pods recreated", "until Pods were recreated at 04:15 UTC,"],
    ["Pods recreated, node not rebooted", "until the mark “Pods recreated, node not rebooted” at 04:15 UTC,"],
    ["Node not rebooted", "until the mark “Node not rebooted” at 04:15 UTC,"],
    ["pods drained and node rebooted", "until the mark “pods drained and node rebooted” at 04:15 UTC,"],
    ["kubelet and CRI-O restarted", "until kubelet and CRI-O were restarted at 04:15 UTC,"],
  ])("makes a clause only of a title that says who was done what to: %s", (markTitle, clause) => {
    expect(effectSentence(stopped, { ...words, markTitle })).toContain(clause);
  });
  it("says of a stretch of time when it was over, and that it counts to neither side", () => {
    expect(effectSentence(stopped, { ...words, markEnd: "05:10 UTC" })).toBe(
      "Unreclaimable kernel memory grew 312 MiB/h (95 %: 298–327) until pull-monitor was stopped at 04:15 UTC, and 4 MiB/h (−6 to 13) after that was over at 05:10 UTC: stopped, memory not given back. What lies between counts to neither side.",
    );
    expect(
      effectSentence({ ...stopped, levelVerdict: "freed" }, { ...words, markEnd: "05:10 UTC" }),
    ).toContain("freed 6.10 GiB meanwhile");
  });
  it("tells what is left when nodes left alone are taken off", () => {
    const controlled = { nodes: 4, differencePerHour: -310 * MIB, ci95: [-330 * MIB, -290 * MIB] as const };
    expect(effectSentence(stopped, { ...words, controlled })).toMatch(
      /not given back\. Against 4 nodes left alone the change is −310 MiB\/h \(−330 to −290\)\.$/,
    );
    expect(
      effectSentence(stopped, {
        ...words,
        nodes: 3,
        controlled: { nodes: 1, differencePerHour: -4 * MIB, ci95: [-30 * MIB, 22 * MIB] },
      }),
    ).toMatch(
      /^Unreclaimable kernel memory on 3 nodes grew.* No difference to 1 node left alone can be told: −4 MiB\/h \(−30 to 22\)\.$/,
    );
  });
  it("says when it will know", () => {
    const nowMs = AT_MS + 10 * 60_000;
    const early = sure(study([points(0, nowMs, slopes(312, 4))], { nowMs }));
    expect(effectSentence(early, { ...words, enoughAt: "05:20 UTC" })).toBe(
      "Too early to tell what changed for unreclaimable kernel memory when pull-monitor was stopped at 04:15 UTC; enough data at 05:20 UTC.",
    );
    expect(effectSentence(early, { ...words, markTitle: "Try the new runc" })).toBe(
      "Too early to tell what changed for unreclaimable kernel memory at the mark “Try the new runc” of 04:15 UTC.",
    );
    expect(effectSentence(early, { ...words, markTitle: "Try", markEnd: "05:10 UTC" })).toContain(
      "at the mark “Try” from 04:15 UTC to 05:10 UTC.",
    );
    expect(effectSentence(early, { ...words, enoughAt: undefined, silentSince: "04:20 UTC" })).toMatch(
      /at 04:15 UTC: the collector is silent since 04:20 UTC\.$/,
    );
  });
});
