import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { SNAPSHOT_SCHEMA_VERSION } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { noiseSource } from "./noise.ts";
import { PCP_FREE_PAGES, randomBootId, simulatedMeminfo } from "./simulated-meminfo.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024;
const GIB = 1024 * 1024;

/**
 * - `flat`: a quiet node.
 * - `exit-file-leak`: a job starts 4,260 containers an hour, each leaves 74.9 KiB behind; it is stopped, the runtime is
 *   restarted without effect, and removing the exit files gives the slab part back.
 * - `daily-rhythm`: memory and container rate swing by the hour of the day, nothing leaks.
 * - `reboots`: a quiet node that reboots every one to three days, with a warm-up each time.
 */
export type NodeScenario = "flat" | "exit-file-leak" | "daily-rhythm" | "reboots";

export const NODE_SCENARIOS: readonly NodeScenario[] = ["flat", "exit-file-leak", "daily-rhythm", "reboots"];

export interface NodeHistoryOptions {
  readonly scenario: NodeScenario;
  /** The same seed and options give the same history, byte for byte. */
  readonly seed: number;
  readonly node: string;
  /** First sample, epoch ms. */
  readonly startMs: number;
  /** At least 24 h for `exit-file-leak`, whose interventions lie in the last 10 h. */
  readonly durationMs: number;
  /** Time between samples, default 15 s. */
  readonly stepMs?: number;
  /** Default 188 GiB. */
  readonly memTotalKib?: number;
}

/** Something that was done to the node, as an annotation would say it. */
export interface ScenarioMark {
  readonly atMs: number;
  readonly title: string;
}

/** What is really so, to compare an analysis with. */
export interface ScenarioTruth {
  readonly marks: readonly ScenarioMark[];
  /** KiB of unreclaimable kernel memory that each container leaves behind. */
  readonly kibPerContainer: number;
  /** Containers started an hour, on average, before and from `stopMs` on. */
  readonly containersPerHour: { readonly before: number; readonly after: number };
  /** Slope of unreclaimable kernel memory, KiB/h, before and from `stopMs` on. */
  readonly slopeKibPerHour: { readonly before: number; readonly after: number };
  /** When the leak was stopped; `undefined` where there is none. */
  readonly stopMs: number | undefined;
  /** Given back when the exit files were removed, KiB. */
  readonly freedKib: number;
  /** Starts of boots within the history, after the first. */
  readonly rebootsMs: readonly number[];
}

const LEAK = { containersPerHour: 4260, slabKib: 30.5, percpuKib: 44.4, leakedBeforeStart: 100_000 } as const;
const QUIET_CONTAINERS_PER_HOUR = 41;
/** How long a boot had been running when the history begins: past any warm-up. */
const AGE_AT_START_MS = 3 * DAY_MS;
/** A reboot leaves no samples for so long. */
const REBOOT_MS = 4 * 60_000;

/** What is true of the history that {@link nodeHistory} makes from the same options. */
export function scenarioTruth(options: NodeHistoryOptions): ScenarioTruth {
  const endMs = options.startMs + options.durationMs;
  const leaks = options.scenario === "exit-file-leak";
  const stopMs = leaks ? endMs - 9.75 * HOUR_MS : undefined;
  const kibPerContainer = leaks ? LEAK.slabKib + LEAK.percpuKib : 0;
  const before = leaks ? LEAK.containersPerHour : QUIET_CONTAINERS_PER_HOUR;
  const containersHeld =
    LEAK.leakedBeforeStart +
    (((stopMs ?? 0) - options.startMs) / HOUR_MS) * LEAK.containersPerHour +
    5.75 * QUIET_CONTAINERS_PER_HOUR;
  return {
    marks:
      stopMs === undefined
        ? []
        : [
            { atMs: stopMs, title: "pull-monitor stopped" },
            { atMs: endMs - 7.5 * HOUR_MS, title: "CRI-O restarted" },
            { atMs: endMs - 4 * HOUR_MS, title: "exit files removed" },
          ],
    kibPerContainer,
    containersPerHour: { before, after: QUIET_CONTAINERS_PER_HOUR },
    slopeKibPerHour: { before: before * kibPerContainer, after: QUIET_CONTAINERS_PER_HOUR * kibPerContainer },
    stopMs,
    freedKib: leaks ? containersHeld * LEAK.slabKib : 0,
    rebootsMs: options.scenario === "reboots" ? rebootTimes(options) : [],
  };
}

/** One to three days apart, from a generator of their own, so that truth and history agree. */
function rebootTimes({ seed, startMs, durationMs }: NodeHistoryOptions): number[] {
  const rng = createRng(seed ^ 0x7eb007);
  const times: number[] = [];
  let atMs = startMs;
  for (;;) {
    atMs += Math.round((0.6 + 2.4 * rng.uniform()) * DAY_MS);
    if (atMs >= startMs + durationMs - 4 * HOUR_MS) return times;
    times.push(atMs);
  }
}

/**
 * The snapshots of one node, one after the other, in the wire format: 24 h to 30 d of counters with a known truth. Bands
 * add up to MemTotal with 1.1 GiB unaccounted. Made lazily: a month of 15-second samples is never in memory at once.
 */
export function* nodeHistory(options: NodeHistoryOptions): Generator<Snapshot, void, undefined> {
  const { scenario, seed, node, startMs, durationMs, stepMs = 15_000, memTotalKib = 188 * GIB } = options;
  const truth = scenarioTruth(options);
  const rng = createRng(seed);
  const noise = {
    slab: noiseSource(rng, 20 * MIB, 0.8, stepMs),
    percpu: noiseSource(rng, 4 * MIB, 0.8, stepMs),
    anon: noiseSource(rng, 0.004 * memTotalKib, 0.95, stepMs),
    file: noiseSource(rng, 0.01 * memTotalKib, 0.98, stepMs),
    reclaimable: noiseSource(rng, 30 * MIB, 0.95, stepMs),
    live: noiseSource(rng, 3, 0.9, stepMs),
    unaccounted: noiseSource(rng, 4 * MIB, 0.3, stepMs),
  };
  const removedMs = truth.marks[2]?.atMs ?? Infinity;
  const reboots = [...truth.rebootsMs];
  let bootedAtMs = startMs - AGE_AT_START_MS;
  let bootId = randomBootId(rng);
  let started = Math.round((AGE_AT_START_MS / HOUR_MS) * QUIET_CONTAINERS_PER_HOUR);
  let leftBehind = scenario === "exit-file-leak" ? LEAK.leakedBeforeStart : 0;
  if (leftBehind > 0) started += leftBehind;
  let files = leftBehind;
  let byJob = 0;

  for (let atMs = startMs; atMs < startMs + durationMs; atMs += stepMs) {
    const rebootMs = reboots[0];
    if (rebootMs !== undefined && atMs >= rebootMs) {
      if (atMs < rebootMs + REBOOT_MS) continue;
      reboots.shift();
      bootedAtMs = rebootMs;
      bootId = randomBootId(rng);
      started = 0;
      byJob = 0;
    }
    const wave =
      scenario === "daily-rhythm" ? Math.sin((2 * Math.PI * ((atMs % DAY_MS) - 9 * HOUR_MS)) / DAY_MS) : 0;
    const stopped = truth.stopMs === undefined || atMs >= truth.stopMs;
    const perHour = truth.containersPerHour[stopped ? "after" : "before"] * (1 + 0.8 * wave);
    const created = rng.poisson((perHour * stepMs) / HOUR_MS);
    started += created;
    byJob += created * Math.max(0, 1 - QUIET_CONTAINERS_PER_HOUR / perHour);
    if (scenario === "exit-file-leak") {
      leftBehind += created;
      files = atMs >= removedMs && atMs - stepMs < removedMs ? 0 : files + created;
    }
    const warm = 1 - 0.6 * Math.exp(-(atMs - bootedAtMs) / HOUR_MS);
    const live = Math.max(1, Math.round(44 + 12 * wave + noise.live()));
    const unreclaimable = 900 * MIB * warm + 300 * MIB * wave + LEAK.slabKib * files + noise.slab();
    const percpu =
      240 * MIB + (scenario === "exit-file-leak" ? LEAK.percpuKib * leftBehind : 0) + noise.percpu();
    yield {
      schemaVersion: SNAPSHOT_SCHEMA_VERSION,
      node,
      at: atMs,
      bootId,
      uptimeSeconds: (atMs - bootedAtMs) / 1000,
      kernelRelease: "4.18.0-305.el8.x86_64",
      cpus: 32,
      pageSizeBytes: 4096,
      vmapStack: true,
      meminfo: simulatedMeminfo({
        memTotalKib,
        unreclaimable,
        percpu,
        anon: 0.2 * memTotalKib * warm + 0.05 * memTotalKib * wave + noise.anon(),
        file: 0.3 * memTotalKib * warm + noise.file(),
        reclaimable: 600 * MIB * warm + noise.reclaimable(),
        exitFilesKib: 4 * files,
        live,
        unaccounted: 1.1 * GIB + noise.unaccounted(),
      }),
      pcpFreePages: PCP_FREE_PAGES,
      cgroups: { mode: "v2", live: live * 2 + 90, dying: files, memoryCount: live * 2 + 90 + files },
      containersStarted: started,
      containersLive: live,
      creators: creatorsOf(started, byJob),
      watch: [{ path: "/run/crio/exits", files }],
    };
  }
}

/** Beyond what a quiet node starts it is the one job; every sixth container comes and goes unseen. */
function creatorsOf(started: number, byJob: number): Snapshot["creators"] {
  const others = started - byJob;
  const seenOf = (count: number) => Math.floor((5 / 6) * count);
  const byCreator = [
    { name: "ci/pull-monitor-*", created: seenOf(byJob) },
    { name: "default/web-*", created: seenOf(0.7 * others) },
    { name: "system.slice/crio-*.scope", created: seenOf(0.3 * others) },
  ];
  return {
    seen: byCreator.reduce((sum, { created }) => sum + created, 0),
    made: started,
    creators: byCreator.toSorted((a, b) => b.created - a.created),
  };
}
