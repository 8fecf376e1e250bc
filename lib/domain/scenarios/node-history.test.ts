import { describe, expect, it } from "vitest";
import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import { studyEffect } from "#lib/domain/analysis/event-study.ts";
import { analyseTrend } from "#lib/domain/analysis/trend.ts";
import type { Composition } from "#lib/domain/memory/composition.ts";
import { composeMemory } from "#lib/domain/memory/composition.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import type { NodeHistoryOptions, NodeScenario } from "./node-history.ts";
import { NODE_SCENARIOS, nodeHistory, scenarioTruth } from "./node-history.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 11, 2, 14);
const MEM_TOTAL_KIB = 188 * 1024 * 1024;

const options = (scenario: NodeScenario, hours: number): NodeHistoryOptions => ({
  scenario,
  seed: 11,
  node: "magnesia",
  startMs: START_MS,
  durationMs: hours * HOUR_MS,
  stepMs: 5 * 60_000,
});

function compose(snapshot: Snapshot): Composition {
  const composition = composeMemory({
    meminfo: (key) => snapshot.meminfo[key],
    pcpFreeKib: (snapshot.pcpFreePages ?? 0) * 4,
    vmapStack: snapshot.vmapStack,
  });
  if (composition === undefined) throw new Error("the snapshot has MemTotal and MemFree");
  return composition;
}

/** Unreclaimable kernel memory, boot by boot. */
function kernelMemory(history: Iterable<Snapshot>): BootSegment[] {
  const boots = new Map<string, { bootedAtMs: number; timesMs: number[]; values: number[] }>();
  for (const snapshot of history) {
    const boot = boots.get(snapshot.bootId) ?? {
      bootedAtMs: snapshot.at - snapshot.uptimeSeconds * 1000,
      timesMs: [],
      values: [],
    };
    boots.set(snapshot.bootId, boot);
    boot.timesMs.push(snapshot.at);
    boot.values.push(compose(snapshot).kernelUnreclaimableKib);
  }
  return [...boots].map(([bootId, boot]) => ({ bootId, ...boot }));
}

describe("nodeHistory", () => {
  it.each(NODE_SCENARIOS)("%s: valid on the wire, adds up, repeats itself", (scenario) => {
    const history = [...nodeHistory(options(scenario, 30))];
    expect(history.length).toBeGreaterThan(340);
    for (const snapshot of history) {
      const parsed = snapshotSchema.safeParse(snapshot);
      expect(parsed.error?.issues).toBeUndefined();
      const { bands, totalKib } = compose(snapshot);
      const sum = Object.values(bands).reduce<number>((total, band) => total + (band ?? 0), 0);
      expect(sum).toBe(totalKib);
      expect((bands.unacc ?? 0) / 1024 / 1024).toBeCloseTo(1.1, 1);
    }
    expect([...nodeHistory(options(scenario, 30))]).toEqual(history);
    expect([...nodeHistory({ ...options(scenario, 30), seed: 12 })]).not.toEqual(history);
  });
  it("never lowers the count of containers within a boot", () => {
    let last: Snapshot | undefined;
    for (const snapshot of nodeHistory(options("reboots", 10 * 24))) {
      if (last?.bootId === snapshot.bootId) {
        expect(snapshot.containersStarted).toBeGreaterThanOrEqual(last.containersStarted ?? 0);
      }
      last = snapshot;
    }
  });
});

describe("the analyses find what is true", () => {
  it("exit-file leak: leaking before the stop; stopped; no effect; freed", () => {
    const asked = options("exit-file-leak", 24);
    const truth = scenarioTruth(asked);
    const segments = kernelMemory(nodeHistory(asked));
    const [stop, restart, removal] = truth.marks;
    if (stop === undefined || restart === undefined || removal === undefined) throw new Error("three marks");
    const study = (mark: { atMs: number }) => {
      const effect = studyEffect({
        segments,
        atMs: mark.atMs,
        beforeMs: 12 * HOUR_MS,
        afterMs: 6 * HOUR_MS,
        neighboursMs: truth.marks.map(({ atMs }) => atMs).filter((atMs) => atMs !== mark.atMs),
        nowMs: START_MS + asked.durationMs,
        memTotalKib: MEM_TOTAL_KIB,
        referenceSlopePerHour: truth.slopeKibPerHour.before,
      });
      if (isInsufficient(effect)) throw new Error(effect.reason);
      return effect;
    };
    const stopped = study(stop);
    expect([stopped.slopeVerdict, stopped.levelVerdict]).toEqual(["stopped", "none"]);
    expect(stopped.before.slope?.ci95[0]).toBeLessThan(truth.slopeKibPerHour.before);
    expect(stopped.before.slope?.ci95[1]).toBeGreaterThan(truth.slopeKibPerHour.before);
    const restarted = study(restart);
    expect([restarted.slopeVerdict, restarted.levelVerdict]).toEqual(["unchanged", "none"]);
    const removed = study(removal);
    expect([removed.slopeVerdict, removed.levelVerdict]).toEqual(["unchanged", "freed"]);
    expect((removed.levelChange?.value ?? 0) / -truth.freedKib).toBeCloseTo(1, 1);
  });
  it.each([
    ["flat", 24, "flat"],
    ["daily-rhythm", 72, "flat"],
    // The warm-ups (tau 1 h) reach only a little beyond the two hours that are left out.
    ["reboots", 7 * 24, "flat"],
  ] as const)("%s over %i h is %s", (scenario, hours, verdict) => {
    const trend = analyseTrend({
      segments: kernelMemory(nodeHistory(options(scenario, hours))),
      memTotalKib: MEM_TOTAL_KIB,
    });
    expect(trend.kind === "trend" ? trend.verdict : trend.reason).toBe(verdict);
  });
  it("a month of reboots has boots of one to three days", () => {
    const { rebootsMs } = scenarioTruth(options("reboots", 30 * 24));
    expect(rebootsMs.length).toBeGreaterThan(8);
    const boots = new Set(
      [...nodeHistory({ ...options("reboots", 30 * 24), stepMs: HOUR_MS })].map((s) => s.bootId),
    );
    expect(boots.size).toBe(rebootsMs.length + 1);
  });
});
