import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseBootId } from "#lib/domain/procfs/boot-id.ts";
import { parseCreatedState } from "./cgroups-created.ts";
import { createServiceScraper } from "./service-scraper.ts";
import { parseStartedState } from "./started-count.ts";
import { parseCreatorState } from "./creators.ts";
import { openEventWatch } from "./event-watch.ts";
import { parseEventPositions } from "./event-positions.ts";
import type { RunConfig } from "./config.ts";
import { messageOf, type Log } from "./log.ts";
import { postBatch } from "./post-batch.ts";
import { createSampler } from "./sampler.ts";
import { createSender } from "./send.ts";
import { openSpool, replaceFile } from "./spool.ts";
import { findGrid, nextTick } from "./tick-grid.ts";
import { createVersionReader } from "./versions.ts";
import { COLLECTOR_VERSION, readSelf } from "./self.ts";

const ANSWER_WITHIN_MS = 30_000;
const LAST_PUSH_MS = 3000;
/** A request that is under way when we are stopped may be confirmed already: its answer is waited for, so long. */
const UNDER_WAY_MS = 1500;
const METRICS_MS = 30_000;
const VERSIONS_MS = 60 * 60_000;
const CREATED_FILE = "cgroups-created.json";
const CREATORS_FILE = "creators.json";
const STARTED_FILE = "containers-started.json";
const EVENTS_FILE = "events.json";

/**
 * Samples and sends until `stop` fires; then waits 1.5 s at most for an answer and sends once more, for 3 s at most. Whatever the server has not confirmed
 * stays in the spool for the next run. Rejects only when the spool cannot be opened.
 */
export async function run(config: RunConfig, log: Log, stop: AbortSignal): Promise<void> {
  const spool = openSpool({ directory: config.spoolDirectory, mostBytes: config.spoolBytes, log });
  try {
    const versions = createVersionReader(config.places.root, COLLECTOR_VERSION);
    const sender = createSender({
      spool,
      log,
      now: Date.now,
      random: Math.random,
      readToken: config.readToken,
      post: (lines, token, signal) =>
        postBatch({
          url: config.snapshotsUrl,
          token,
          lines,
          timeoutMs: ANSWER_WITHIN_MS,
          userAgent: `plumbline-collector/${COLLECTOR_VERSION}`,
          ...(signal === undefined ? {} : { signal }),
        }),
    });
    const wake = createWake();
    if (config.tokenFile !== undefined && config.readToken() === undefined) {
      log("warn", "the token file cannot be read or is empty", { file: config.tokenFile });
    }
    log("info", "collecting", {
      node: config.node,
      server: config.snapshotsUrl.origin,
      intervalMs: config.intervalMs,
      spool: config.spoolDirectory,
      waitingBytes: spool.state().bytes,
    });
    const services = createServiceScraper(config.metrics, {
      now: Date.now,
      bootId:
        parseBootId(readIfThere(path.join(config.places.proc, "sys/kernel/random/boot_id"))).value ?? "",
    });
    await Promise.all([
      sampleLoop(),
      pushLoop(),
      repeat(VERSIONS_MS, stop, () => versions.refresh(stop)),
      ...(config.metrics.length > 0 ? [repeat(METRICS_MS, stop, () => services.refresh(stop))] : []),
    ]);
    await sender.push({ signal: AbortSignal.timeout(LAST_PUSH_MS), evenIfWaiting: true });
    log("info", "stopped", { waitingBytes: spool.state().bytes });

    async function sampleLoop(): Promise<void> {
      const createdFile = path.join(config.spoolDirectory, CREATED_FILE);
      const startedFile = path.join(config.spoolDirectory, STARTED_FILE);
      const creatorsFile = path.join(config.spoolDirectory, CREATORS_FILE);
      const sampler = createSampler(
        config,
        { now: Date.now, monotonicMs: () => performance.now() },
        {
          created: parseCreatedState(readIfThere(createdFile)),
          creators: parseCreatorState(readIfThere(creatorsFile)),
          started: parseStartedState(readIfThere(startedFile)),
        },
      );
      const saved = new Map<string, string>();
      const events = openEventWatch(
        config,
        parseEventPositions(readIfThere(path.join(config.spoolDirectory, EVENTS_FILE))),
      );
      let blind = false;
      await onEachTick(config.intervalMs, stop, () => {
        const told = services.told();
        const { snapshot, sources, urgent } = sampler.sample({
          versions: versions.current(),
          self: { ...readSelf(), ...spoolFacts() },
          started: told.started,
          look: (nowMs) => {
            const happened = events.look(nowMs, told.events);
            Object.assign(happened.counts, told.counts);
            Object.assign(happened.sources, told.sources);
            // A program that begins anew may be another version of itself.
            if (happened.restarted) void versions.refresh(stop);
            return happened;
          },
        });
        if (snapshot === undefined) {
          if (!blind) {
            log("error", "no snapshot: a source without which it means nothing cannot be read", {
              sources: Object.entries(sources)
                .filter(([, { status }]) => status !== "ok")
                .map(([name, { status }]) => `${name} ${status}`)
                .join(", "),
            });
          }
          blind = true;
          return;
        }
        blind = false;
        spool.append(JSON.stringify(snapshot));
        if (urgent) wake.up();
        // Only once the snapshot is on the disk: what a crash loses is read again.
        const state = sampler.state();
        keep(createdFile, state.created);
        keep(creatorsFile, state.creators);
        keep(startedFile, state.started);
        keep(path.join(config.spoolDirectory, EVENTS_FILE), events.positions());
      });
      events.close();
      wake.up();

      function keep(file: string, state: unknown): void {
        const text = JSON.stringify(state) as string | undefined;
        if (text === undefined || text === saved.get(file)) return;
        saved.set(file, text);
        saveOrSay(file, text);
      }
    }

    async function pushLoop(): Promise<void> {
      // Samples of all nodes are taken at the same moments; pushing them at the same moment too would be a stampede.
      let waitMs = Math.random() * config.pushMs;
      const signal = laterThan(stop, UNDER_WAY_MS);
      while (!stop.aborted) {
        await wake.wait(waitMs, stop);
        const { notBeforeMs } = await sender.push({ signal });
        waitMs = Math.max(config.pushMs * 0.02, notBeforeMs > 0 ? notBeforeMs - Date.now() : config.pushMs);
      }
    }

    function spoolFacts() {
      const { bytes, droppedSnapshots } = spool.state();
      return { spooledBytes: bytes, droppedSnapshots: droppedSnapshots + sender.refusedSnapshots() };
    }

    function saveOrSay(file: string, text: string): void {
      try {
        replaceFile(file, text);
      } catch (error) {
        log("warn", "what was read so far cannot be kept over a restart", {
          file: path.basename(file),
          reason: messageOf(error),
        });
      }
    }
  } finally {
    spool.close();
  }
}

/** Calls `act` at once, since a new node should not be blank for an interval, and then on the grid of `tick-grid.ts`. */
async function onEachTick(intervalMs: number, stop: AbortSignal, act: () => void): Promise<void> {
  const clocks = () => ({ monotonicMs: performance.now(), wallMs: Date.now() });
  let grid = findGrid(clocks(), intervalMs);
  if (!stop.aborted) act();
  while (!stop.aborted) {
    const next = nextTick(grid, clocks(), intervalMs);
    grid = next.grid;
    await pause(next.waitMs, stop);
    if (!stop.aborted) act();
  }
}

async function repeat(everyMs: number, stop: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    await act();
    await pause(everyMs, stop);
  }
}

/** Fires `delayMs` after `signal`. */
function laterThan(signal: AbortSignal, delayMs: number): AbortSignal {
  const later = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => later.abort(), delayMs).unref(), { once: true });
  return later.signal;
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  try {
    await sleep(Math.max(0, ms), undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

/** A wait that something else can end early. */
function createWake(): { up: () => void; wait: (ms: number, stop: AbortSignal) => Promise<void> } {
  let early = new AbortController();
  return {
    up: () => early.abort(),
    wait: async (ms, stop) => {
      const either = AbortSignal.any([stop, early.signal]);
      await pause(ms, either);
      early = new AbortController();
    },
  };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
