import { randomBytes } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLanes } from "./container-lanes.ts";
import { countEntries, hasCode, setUpLab, tearDownLab, type Lab } from "./lab.ts";
import {
  CannotRun,
  countDyingCgroups,
  countMemoryCgroups,
  estimateKibPerContainer,
  readMeminfo,
} from "./machine.ts";

export interface ExitFilesOptions {
  /** Containers a second; several take turns of `turnMs` each, the last one stays. At least one. */
  readonly rates: readonly [number, ...number[]];
  readonly turnMs: number;
  /** Containers altogether. */
  readonly count: number;
  /** How long each container lives. */
  readonly liveSeconds: number;
  readonly durationMs: number | undefined;
  /** How long the leak is left standing before it is cleaned up. */
  readonly holdMs: number;
  /** Leave everything in place at the end. */
  readonly keep: boolean;
  /** No run may hold more than this. */
  readonly mostMib: number;
  readonly report: (line: string) => void;
  readonly stop: AbortSignal;
}

export interface ExitFilesResult {
  readonly started: number;
  readonly failed: number;
  readonly dyingBefore: number | undefined;
  readonly dyingAfter: number | undefined;
}

/** Memory cgroup ids are 16 bit; the machine keeps some for its own containers. */
const MOST_CGROUPS = 60_000;
const LEAVE_AVAILABLE_KIB = 512 * 1024;
const PROGRESS_MS = 5000;
const WATCHED = ["SUnreclaim", "Percpu", "VmallocUsed", "Shmem"] as const;

/**
 * Starts containers that each leave a file on a tmpfs. The page of that file belongs to the container's memory cgroup,
 * so the kernel cannot free the cgroup after its directory is gone: it stays dying, with its slab objects and per-CPU
 * counters, until the file is deleted. This is what exit files that nobody removes do to a node.
 *
 * Needs root and a memory controller; throws `CannotRun` before touching anything when that, memory or cgroup ids are
 * missing. Cleans up at the end and when `stop` fires, unless `keep`.
 */
export async function leaveExitFiles(lab: Lab, options: ExitFilesOptions): Promise<ExitFilesResult> {
  refuseIfTooMuch(lab, options);
  setUpLab(lab, Math.max(8, Math.ceil((options.count * 4) / 1024) + 4));
  const { report } = options;
  const before = { dying: countDyingCgroups(lab.hierarchy), meminfo: readMeminfo() };
  report(`${lab.cgroup} (cgroup ${lab.hierarchy.mode}), files on ${lab.exits}`);
  report(`before: ${describe(before.dying, before.meminfo, before.meminfo)}`);
  const tally = { started: 0, failed: 0 };
  let dyingAfter: number | undefined;
  try {
    await startContainers(lab, options, tally, before.meminfo);
    await sleep(500);
    dyingAfter = countDyingCgroups(lab.hierarchy);
    report(
      `after ${tally.started} containers (${countEntries(lab.exits)} files): ${describe(dyingAfter, readMeminfo(), before.meminfo)}`,
    );
    if (options.holdMs > 0 && !options.stop.aborted) {
      report(`holding for ${options.holdMs / 1000} s; Ctrl-C ends it`);
      await sleepUnlessStopped(options.holdMs, options.stop);
    }
  } finally {
    if (options.keep) {
      report("left in place; remove it with: npm run leaklab -- clean");
    } else {
      await tearDownLab(lab);
      await waitForRelease(lab, before.dying);
      report(`cleaned up: ${describe(countDyingCgroups(lab.hierarchy), readMeminfo(), before.meminfo)}`);
    }
  }
  return { ...tally, dyingBefore: before.dying, dyingAfter };
}

/** The kernel frees the cgroups some moments after their last page is gone. */
async function waitForRelease(lab: Lab, dyingBefore: number | undefined): Promise<void> {
  for (let attempt = 0; dyingBefore !== undefined && attempt < 50; attempt += 1) {
    if ((countDyingCgroups(lab.hierarchy) ?? 0) <= dyingBefore + 2) return;
    await sleep(100);
  }
}

function refuseIfTooMuch(lab: Lab, { count, mostMib }: ExitFilesOptions): void {
  const neededKib = count * estimateKibPerContainer();
  if (neededKib > mostMib * 1024) {
    const most = Math.floor((mostMib * 1024) / estimateKibPerContainer());
    throw new CannotRun(
      `${count} containers would hold about ${Math.ceil(neededKib / 1024)} MiB, more than the bound of ${mostMib} MiB; at most ${most} fit (--count), or raise --max-mib`,
    );
  }
  const availableKib = readMeminfo().get("MemAvailable");
  if (availableKib !== undefined && availableKib < neededKib + LEAVE_AVAILABLE_KIB) {
    throw new CannotRun(
      `only ${Math.floor(availableKib / 1024)} MiB are available; ${count} containers need ${Math.ceil(neededKib / 1024)} MiB and ${LEAVE_AVAILABLE_KIB / 1024} MiB stay for the machine`,
    );
  }
  const cgroups = countMemoryCgroups(lab.hierarchy);
  if (cgroups !== undefined && cgroups + count > MOST_CGROUPS) {
    throw new CannotRun(
      `${cgroups} memory cgroups exist already and the kernel has ids for 65,535; ${count} more would come too near`,
    );
  }
}

async function startContainers(
  lab: Lab,
  options: ExitFilesOptions,
  tally: { started: number; failed: number },
  before: ReadonlyMap<string, number>,
): Promise<void> {
  const lanes = openLanes({
    cgroup: lab.cgroup,
    exits: lab.exits,
    liveSeconds: options.liveSeconds,
    most: Math.min(256, Math.ceil(Math.max(...options.rates) * (options.liveSeconds + 0.2)) + 4),
  });
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  const endsAt = options.durationMs === undefined ? Infinity : startedAt + options.durationMs;
  let nextReport = startedAt + PROGRESS_MS;
  let lastMs = -Infinity;

  try {
    while (tally.started < options.count && performance.now() < endsAt && !options.stop.aborted) {
      const now = performance.now();
      if (now >= nextReport) {
        nextReport = now + PROGRESS_MS;
        if (reportProgress(lab, options, tally, before)) return;
      }
      const due = lastMs + 1000 / rateAfter(options, now - startedAt);
      if (due > now) {
        // Not in one go: the rate may change, or the time be up, before a slow one is due.
        await sleepUnlessStopped(Math.min(due - now, endsAt - now, 1000), options.stop);
        continue;
      }
      // A machine that cannot keep up is not made to catch up in one burst.
      lastMs = Math.max(due, now - 1000);
      if (lanes.hasRoom()) {
        const container = runContainer(lab, lanes.run).then((ok) => {
          if (!ok) tally.failed += 1;
          running.delete(container);
        });
        running.add(container);
        tally.started += 1;
      }
    }
  } finally {
    await Promise.all(running);
    await lanes.close();
  }
}

function rateAfter({ rates, turnMs }: ExitFilesOptions, elapsedMs: number): number {
  return rates[Math.min(rates.length - 1, Math.floor(elapsedMs / turnMs))] ?? rates[0];
}

/** Says how far the run is; true when it holds more than it may and has to end. */
function reportProgress(
  lab: Lab,
  options: ExitFilesOptions,
  tally: { started: number; failed: number },
  before: ReadonlyMap<string, number>,
): boolean {
  const now = readMeminfo();
  const failed = tally.failed > 0 ? `, ${tally.failed} failed` : "";
  options.report(
    `${tally.started} containers${failed}: ${describe(countDyingCgroups(lab.hierarchy), now, before)}`,
  );
  const grownKib = WATCHED.reduce((sum, key) => sum + (now.get(key) ?? 0) - (before.get(key) ?? 0), 0);
  if (grownKib <= options.mostMib * 1024) return false;
  options.report(
    `the machine's kernel memory grew by more than ${options.mostMib} MiB since the start: ending here`,
  );
  return true;
}

async function runContainer(lab: Lab, run: (id: string) => Promise<boolean>): Promise<boolean> {
  // Runtimes name both the cgroup and the exit file by the container's 64-digit id.
  const id = randomBytes(32).toString("hex");
  const cgroup = path.join(lab.cgroup, id);
  mkdirSync(cgroup);
  const ok = await run(id);
  for (let attempt = 0; ; attempt += 1) {
    try {
      rmdirSync(cgroup);
      return ok;
    } catch (error) {
      if (!hasCode(error, "EBUSY") || attempt >= 100) throw error;
      await sleep(10);
    }
  }
}

function describe(
  dying: number | undefined,
  now: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
): string {
  const parts = [`dying cgroups ${dying ?? "not known"}`];
  for (const key of WATCHED) {
    const kib = now.get(key);
    if (kib === undefined) continue;
    const change = kib - (before.get(key) ?? 0);
    parts.push(
      now === before ? `${key} ${kib} KiB` : `${key} ${change >= 0 ? "+" : "−"}${Math.abs(change)} KiB`,
    );
  }
  return parts.join(", ");
}

async function sleepUnlessStopped(ms: number, stop: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
