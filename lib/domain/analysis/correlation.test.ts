import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeMemory } from "#lib/domain/memory/composition.ts";
import { containerBoot, containerChurn, type ChurnOptions } from "#lib/domain/scenarios/container-churn.ts";
import type { NodeScenario } from "#lib/domain/scenarios/node-history.ts";
import { nodeHistory, scenarioTruth } from "#lib/domain/scenarios/node-history.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import {
  correlateWithContainers,
  type ContainerBoot,
  type ContainerCorrelation,
  type CorrelationInput,
} from "./correlation.ts";
import { correlationSentence } from "./correlation-sentence.ts";

const HOUR_MS = 3_600_000;
const STEP_MS = 300_000;
const MIB = 1024;
const MEM_TOTAL_KIB = 16 * MIB * MIB;
const METRIC = { name: "unreclaimable kernel memory", unit: "KiB" } as const;

const relate = (boots: readonly ContainerBoot[], more: Partial<CorrelationInput> = {}) =>
  correlateWithContainers({ boots, memTotalKib: MEM_TOTAL_KIB, ...more });

function sure(result: ContainerCorrelation | Insufficient): ContainerCorrelation {
  if (isInsufficient(result)) throw new Error(result.reason);
  return result;
}

const CHURN: ChurnOptions = {
  hours: 24,
  stepMinutes: 5,
  containersPerHour: 600,
  rate: "jobs",
  lifeMinutes: [1, 360],
  liveKib: [100, 1000],
  leftBehindKib: 0,
  backgroundKibPerHour: 0,
  noise: { kind: "ar1", phi: 0.8, sdKib: 20 * MIB },
};
const drawn = (seed: number, options: Partial<ChurnOptions> = {}) =>
  containerBoot(containerChurn(createRng(seed), { ...CHURN, ...options }));

/** Boots of a scenario: unreclaimable kernel memory, containers started, containers alive. */
function scenarioBoots(scenario: NodeScenario, hours: number, untilMs = Infinity): ContainerBoot[] {
  const boots = new Map<
    string,
    { bootedAtMs: number; timesMs: number[]; values: number[]; created: number[]; live: number[] }
  >();
  const options = {
    scenario,
    seed: 5,
    node: "magnesia",
    startMs: 0,
    durationMs: hours * HOUR_MS,
    stepMs: STEP_MS,
  };
  for (const snapshot of nodeHistory(options)) {
    if (snapshot.at >= untilMs) break;
    const composition = composeMemory({
      meminfo: (key) => snapshot.meminfo[key],
      pcpFreeKib: (snapshot.pcpFreePages ?? 0) * 4,
      vmapStack: snapshot.vmapStack,
    });
    const boot = boots.get(snapshot.bootId) ?? {
      bootedAtMs: snapshot.at - snapshot.uptimeSeconds * 1000,
      timesMs: [],
      values: [],
      created: [],
      live: [],
    };
    boots.set(snapshot.bootId, boot);
    boot.timesMs.push(snapshot.at);
    boot.values.push(composition?.kernelUnreclaimableKib ?? NaN);
    boot.created.push(snapshot.containersStarted ?? NaN);
    boot.live.push(snapshot.containersLive ?? NaN);
  }
  return [...boots].map(([bootId, boot]) => ({ bootId, ...boot }));
}

describe("the scenarios", () => {
  const truth = scenarioTruth({
    scenario: "exit-file-leak",
    seed: 5,
    node: "m",
    startMs: 0,
    durationMs: 24 * HOUR_MS,
  });
  const removalMs = truth.marks[2]?.atMs ?? 0;

  it("finds the 74.9 KiB that each container leaves behind once the job was stopped", () => {
    const result = sure(
      relate(scenarioBoots("exit-file-leak", 24, removalMs), { memTotalKib: 188 * MIB * MIB }),
    );
    expect(result.verdict).toBe("leaves-behind");
    expect(result.perContainer?.ci95[0]).toBeLessThan(truth.kibPerContainer);
    expect(result.perContainer?.ci95[1]).toBeGreaterThan(truth.kibPerContainer);
    expect(result.pearson?.coefficient).toBeGreaterThan(0.9);
    expect(result.spearman?.coefficient).toBeGreaterThan(0.5);
    expect(result.windowMs).toBe(HOUR_MS);
    expect(correlationSentence(result, METRIC)).toMatch(
      /^Growth of unreclaimable kernel memory goes with container creation: 7\d(\.\d)? KiB \(95 %: \d.*\) left behind per container/,
    );
  });
  it("is not misled by files that were removed at once: both sides have a level of their own", () => {
    // In the longer window the job runs most of the time, and what is usual is its rate.
    for (const hours of [24, 36, 47]) {
      const result = sure(relate(scenarioBoots("exit-file-leak", hours), { memTotalKib: 188 * MIB * MIB }));
      expect(result.verdict).toBe("leaves-behind");
      expect(result.method).toContain("2 stretches pooled");
      expect(result.perContainer?.ci95[0]).toBeLessThan(truth.kibPerContainer);
      expect(result.perContainer?.ci95[1]).toBeGreaterThan(truth.kibPerContainer);
      expect(result.perContainer?.ci95[0]).toBeGreaterThan(0.7 * truth.kibPerContainer);
    }
  });
  it("cannot separate while the job runs all the time, and names the experiment", () => {
    const result = sure(relate(scenarioBoots("exit-file-leak", 24, truth.stopMs)));
    expect([result.verdict, result.obstacle]).toEqual(["cannot-separate", "steady-rate"]);
    expect(result.perContainer).toBeUndefined();
    expect(result.line).toEqual([]);
    expect(correlationSentence(result, METRIC)).toContain(
      "stop the job that starts containers on one node for an hour and mark it",
    );
  });
  it("pools boots, leaves out 2 h of each, and finds nothing on a quiet node", () => {
    const boots = scenarioBoots("reboots", 7 * 24);
    const result = sure(relate(boots, { memTotalKib: 188 * MIB * MIB }));
    expect(["unrelated", "in-use", "cannot-separate"]).toContain(result.verdict);
    for (const { timeMs } of result.points) {
      const boot = boots.findLast(({ timesMs }) => (timesMs[0] ?? 0) <= timeMs);
      expect(timeMs).toBeGreaterThan((boot?.bootedAtMs ?? 0) + 2 * HOUR_MS);
    }
    expect(result.withRhythm).toBe(true);
  });
});

describe("what a node does", () => {
  it("in use: nothing is left behind while containers cost 100 to 1,000 KiB each", () => {
    const result = sure(relate([drawn(1)]));
    expect(result.verdict).toBe("in-use");
    expect(result.perContainer?.ci95[0]).toBeLessThan(0);
    expect(result.perLiveContainer?.ci95[0]).toBeLessThan(550);
    expect(result.perLiveContainer?.ci95[1]).toBeGreaterThan(550);
    expect(correlationSentence(result, METRIC)).toMatch(
      /goes with containers alive: \d+ KiB .* each\. Nothing is seen/,
    );
  });
  it("live unknown: the same node cannot be told from one that leaks", () => {
    const boot = drawn(1);
    for (const live of [
      boot.live.map(() => null),
      boot.live.map((count, i) => (i % 3 === 0 ? null : count)),
    ]) {
      const result = sure(relate([{ ...boot, live }]));
      expect([result.verdict, result.obstacle]).toEqual(["cannot-separate", "live-unknown"]);
      expect([result.perContainer, result.perLiveContainer, result.backgroundPerHour]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(result.points.length).toBeGreaterThan(20);
      expect(correlationSentence(result, METRIC)).toContain(
        "Cannot separate what is left behind from what is in use",
      );
    }
  });
  it("says nothing of what never moved", () => {
    const boot = drawn(3);
    const still = { ...boot, values: boot.values.map(() => 4096) };
    expect(correlationSentence(relate([still]), METRIC)).toBe(
      "Cannot say what unreclaimable kernel memory has to do with containers: 1 different value in this window, 2 needed.",
    );
  });
  it("lets nobody hold less than nothing", () => {
    const found = sure(relate([drawn(7, { leftBehindKib: 200 })]));
    const turned = { ...found, perLiveContainer: { value: -40, ci95: [-60, -20] as const } };
    expect(correlationSentence(turned, METRIC)).toContain("−40 KiB (95 %: −60 to −20) with each one alive");
    expect(correlationSentence(found, METRIC)).toContain("held by each one alive");
  });
  it("unrelated: two that trend have no relation", () => {
    const result = sure(relate([drawn(3, { liveKib: [0, 0], backgroundKibPerHour: 300 * MIB })]));
    expect(result.verdict).toBe("unrelated");
    expect(result.backgroundPerHour?.ci95[0]).toBeGreaterThan(200 * MIB);
    expect(Math.abs(result.pearson?.coefficient ?? 1)).toBeLessThan(0.5);
    expect(correlationSentence(result, METRIC)).toContain("does not go with containers");
  });
  it("wide interval: under much noise it holds both nothing and all of the growth", () => {
    const noise = { kind: "walk", stepSdKib: 60 * MIB } as const;
    const verdicts = Array.from({ length: 20 }, (_, seed) =>
      sure(relate([drawn(seed, { noise, leftBehindKib: 400 })])),
    );
    const wide = verdicts.find(({ obstacle }) => obstacle === "wide-interval");
    expect(wide?.perContainer).toBeDefined();
    expect(wide && correlationSentence(wide, METRIC)).toContain("holds both nothing and all of the growth");
  });
  it("collinear: nothing ever ends, so that count and number alive are one", () => {
    const boot = drawn(4);
    const result = sure(relate([{ ...boot, live: boot.created.map((count) => (count ?? 0) - 100) }]));
    expect([result.verdict, result.obstacle]).toEqual(["cannot-separate", "collinear"]);
  });
  it("does without the number alive where it never changes", () => {
    const boot = drawn(5, { leftBehindKib: 200, liveKib: [0, 0] });
    const result = sure(relate([{ ...boot, live: boot.live.map(() => 3) }]));
    expect(result.verdict).toBe("leaves-behind");
    expect(result.perLiveContainer).toBeUndefined();
  });
  it("takes a count that falls within a boot for one that began anew", () => {
    const boot = drawn(6, { leftBehindKib: 200 });
    const whole = sure(relate([boot]));
    const reset = sure(
      relate([
        {
          ...boot,
          created: boot.created.map((count, i) => (count ?? 0) - (i >= 150 ? (boot.created[150] ?? 0) : 0)),
        },
      ]),
    );
    expect(reset.verdict).toBe("leaves-behind");
    expect(reset.containersPerHour / whole.containersPerHour).toBeCloseTo(1, 1);
    expect(reset.method).toContain("2 stretches pooled");
  });
  it("does not move with the unit of the window, and takes a width that is asked for", () => {
    const boot = drawn(7, { leftBehindKib: 100 });
    const chosen = sure(relate([boot]));
    const asked = sure(relate([boot], { windowMs: 2 * HOUR_MS }));
    expect(asked.windowMs).toBe(2 * HOUR_MS);
    expect(asked.points.length).toBeLessThan(chosen.points.length);
    expect(asked.perContainer).toEqual(chosen.perContainer);
    expect(chosen.line).toHaveLength(17);
    const slope =
      ((chosen.line[16]?.slopePerHour ?? 0) - (chosen.line[0]?.slopePerHour ?? 0)) /
      ((chosen.line[16]?.containersPerHour ?? 0) - (chosen.line[0]?.containersPerHour ?? 0));
    expect(slope).toBeCloseTo(chosen.perContainer?.value ?? 0, 6);
  });
  it("joins long series to means and says the same", () => {
    const result = sure(relate([drawn(18, { stepMinutes: 1, leftBehindKib: 100 })]));
    expect(result.n).toBeLessThanOrEqual(600);
    expect(result.perContainer?.ci95[0]).toBeLessThan(100);
    expect(result.perContainer?.ci95[1]).toBeGreaterThan(100);
  });
  it.each([
    ["no boot", [], "points"],
    [
      "no count",
      [{ ...drawn(9), created: drawn(9).created.map(() => null) }],
      "points with a count of containers started",
    ],
    [
      "nothing started",
      [{ ...drawn(9), created: drawn(9).created.map(() => 5) }],
      "containers started in this window",
    ],
    [
      "a young boot",
      [{ ...drawn(9), bootedAtMs: 23 * HOUR_MS }],
      "points outside the first 2 h after a boot",
    ],
  ])("cannot say: %s", (_, boots, reason) => {
    const result = relate(boots);
    expect(result).toMatchObject({ kind: "insufficient", reason });
    expect(correlationSentence(result, METRIC)).toMatch(
      /^Cannot say what unreclaimable kernel memory has to do/,
    );
  });
  it("counts a point that stands alone, as the trend does", () => {
    const { timesMs, values, created, live, ...whole } = drawn(9);
    const last = <T>(each: readonly T[]) => each.slice(-1);
    const lone = { timesMs: last(timesMs), values: last(values), created: last(created), live: last(live) };
    expect(relate([{ ...whole, ...lone }])).toMatchObject({ kind: "insufficient", had: 1 });
  });
});

/* The short form of correlation.calibration.test.ts: 100 runs of 10-minute points, where 95 % are known to within 6.5 % (three standard errors). */
describe("an interval covers about as often as it says", () => {
  it.each([
    ["nothing left behind, AR(1) 0.8", 0, CHURN.noise],
    ["nothing left behind, random walk", 0, { kind: "walk", stepSdKib: 4 * MIB }],
    ["74.9 KiB left behind", 74.9, CHURN.noise],
  ] as const)(
    "%s",
    (_, leftBehindKib, noise) => {
      const runs = 100;
      let covers = 0;
      let left = 0;
      for (let run = 0; run < runs; run += 1) {
        const liveKib = run % 2 === 0 ? ([400, 400] as const) : CHURN.liveKib;
        const result = sure(relate([drawn(1000 + run, { stepMinutes: 10, leftBehindKib, noise, liveKib })]));
        const [low, high] = result.perContainer?.ci95 ?? [NaN, NaN];
        if (low <= leftBehindKib && leftBehindKib <= high) covers += 1;
        if (result.verdict === "leaves-behind") left += 1;
      }
      expect(covers / runs).toBeGreaterThanOrEqual(0.88);
      if (leftBehindKib === 0) expect(left / runs).toBeLessThanOrEqual(0.07);
      else expect(left / runs).toBeGreaterThanOrEqual(0.9);
    },
    30_000,
  );
});

describe("whatever arrives", () => {
  const value = fc.oneof(
    fc.constantFrom(null, 0, 1, 5_000_000, NaN, Infinity, -Infinity, 1e300, -1e300, 5e-324),
    fc.integer({ min: 0, max: 2 ** 40 }),
  );
  const boots = fc
    .array(
      fc.record({
        points: fc.array(fc.tuple(value, value, value), { maxLength: 80 }),
        step: fc.constantFrom(0, 1, STEP_MS, 10 * STEP_MS, -STEP_MS, 1e15),
        slope: fc.constantFrom(0, 1000),
        count: fc.constantFrom("as drawn", "rising", "constant", "absent"),
      }),
      { maxLength: 4 },
    )
    .map((parts): ContainerBoot[] => {
      let atMs = 0;
      return parts.map(({ points, step, slope, count }, k) => ({
        bootId: `${k}`,
        timesMs: points.map(() => (atMs += step)),
        values: points.map(([each], i) => (each === null ? null : each + slope * i)),
        created: points.map(([, each], i) =>
          count === "as drawn"
            ? each
            : count === "absent"
              ? null
              : count === "rising"
                ? i * (1 + (i % 3)) * 10
                : 7,
        ),
        live: points.map(([, , each], i) => (count === "rising" ? (i * 7) % 5 : each)),
      }));
    });

  it("gives a verdict with finite numbers, or says what is missing", () => {
    fc.assert(
      fc.property(boots, fc.constantFrom(undefined, 0, -1, NaN, HOUR_MS, 1e300), (drawnBoots, windowMs) => {
        const result = relate(drawnBoots, { windowMs });
        expect(correlationSentence(result, METRIC)).not.toMatch(/NaN|Infinity|undefined/);
        if (isInsufficient(result)) return;
        for (const estimate of [result.perContainer, result.perLiveContainer, result.backgroundPerHour]) {
          if (estimate === undefined) continue;
          expect([estimate.value, ...estimate.ci95].every(Number.isFinite)).toBe(true);
          expect(estimate.ci95[0]).toBeLessThanOrEqual(estimate.value);
          expect(estimate.ci95[1]).toBeGreaterThanOrEqual(estimate.value);
        }
        const drawnNumbers = [
          ...result.points.flatMap(({ timeMs, containersPerHour, slopePerHour }) => [
            timeMs,
            containersPerHour,
            slopePerHour,
          ]),
          ...result.line.flatMap(({ containersPerHour, slopePerHour, ci95 }) => [
            containersPerHour,
            slopePerHour,
            ...ci95,
          ]),
        ];
        expect(drawnNumbers.every(Number.isFinite)).toBe(true);
        if (result.verdict === "leaves-behind") expect(result.perContainer).toBeDefined();
        if (result.verdict === "in-use") expect(result.perLiveContainer).toBeDefined();
      }),
      { numRuns: 300 },
    );
  }, 30_000);
  it("an exact relation without any noise is found", () => {
    const boot = drawn(12);
    const values = boot.created.map((count, i) => 60 * (count ?? 0) + 300 * (boot.live[i] ?? 0) + 1e6);
    const result = sure(relate([{ ...boot, values }]));
    expect(result.verdict).toBe("leaves-behind");
    expect(result.perContainer?.value).toBeCloseTo(60, 3);
    expect(result.perLiveContainer?.value).toBeCloseTo(300, 1);
  });
});
