import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Runner } from "graphile-worker";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callWorker } from "#lib/server/data/worker-queue.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./database.ts";
import { runSchedule, type ScheduledTask, type ScheduleLog } from "./run-schedule.ts";
import { takeLead } from "./worker-lead.ts";

const dataDir = mkdtempSync(join(tmpdir(), "plumbline-worker-"));
let server: EmbeddedPostgres;
let pool: pg.Pool;
let runner: Runner | undefined;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  pool = new pg.Pool({ connectionString: server.url });
  pool.on("error", () => undefined);
});

afterEach(async () => {
  await runner?.stop();
  runner = undefined;
});

afterAll(async () => {
  await pool.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !condition(); tries += 1) await delay(20);
  expect(condition()).toBe(true);
}

function recordingLog(): ScheduleLog & { errors: string[] } {
  const errors: string[] = [];
  return {
    errors,
    debug: () => undefined,
    info: () => undefined,
    error: (_fields, message) => errors.push(message),
  };
}

const schedule = async (tasks: ScheduledTask[], log = recordingLog()): Promise<ScheduleLog> => {
  runner = await runSchedule({ pool, tasks, now: () => Date.now(), log });
  return log;
};

const never = "0 0 29 2 *";

describe("the schedule", () => {
  it("runs what was missed at once, one task at a time, as an ordinary role", async () => {
    const events: string[] = [];
    const task = (name: string): ScheduledTask => ({
      name,
      lane: "upkeep",
      cron: never,
      run: async () => {
        events.push(`${name} begins`);
        await delay(30);
        events.push(`${name} ends`);
      },
    });
    await schedule([task("first"), task("second")]);
    await until(() => events.length === 4);
    expect(events).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  it("lets a lane go on while another is busy", async () => {
    const events: string[] = [];
    let finish = () => undefined as void;
    const busy = new Promise<void>((done) => (finish = done));
    await schedule([
      { name: "long", lane: "analysis", cron: never, run: () => busy.then(() => void events.push("long")) },
      { name: "next", lane: "analysis", cron: never, run: async () => void events.push("next") },
      { name: "short", lane: "upkeep", cron: never, run: async () => void events.push("short") },
    ]);
    await until(() => events.length === 1);
    finish();
    await until(() => events.length === 3);
    expect(events).toEqual(["short", "long", "next"]);
  });

  it("does a task that is called for without waiting for its time, once more where it is at it already", async () => {
    await pool.query("drop schema if exists graphile_worker cascade");
    const called = { name: "called", lane: "import" } as const;
    await callWorker({ pool }, called);
    let runs = 0;
    let finish = () => undefined as void;
    const busy = new Promise<void>((done) => (finish = done));
    await schedule([
      {
        ...called,
        cron: never,
        run: async () => {
          runs += 1;
          if (runs === 1) await busy;
        },
      },
    ]);
    await until(() => runs === 1);
    for (let calls = 0; calls < 3; calls += 1) await callWorker({ pool }, called);
    finish();
    await until(() => runs === 2);
    await callWorker({ pool }, called);
    await until(() => runs === 3);
  });

  it("tries a failed task again and says why it failed", async () => {
    let tries = 0;
    const log = recordingLog();
    await schedule(
      [
        {
          name: "flaky",
          lane: "upkeep",
          cron: never,
          run: async () => {
            tries += 1;
            if (tries === 1) throw new Error("the disk was away");
          },
        },
      ],
      log,
    );
    await until(() => tries === 2);
    expect(log.errors.join("\n")).toContain("the disk was away");
  });

  it("releases what a killed worker had begun", async () => {
    let runs = 0;
    const tasks: ScheduledTask[] = [
      { name: "begun", lane: "upkeep", cron: never, run: async () => void (runs += 1) },
    ];
    await schedule(tasks);
    await until(() => runs === 1);
    await runner?.stop();
    runner = undefined;
    await pool.query("select graphile_worker.add_job('begun')");
    await pool.query(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'killed', attempts = 1",
    );
    await schedule(tasks);
    await until(() => runs >= 2);
  });

  it("stops after the task in hand", async () => {
    const events: string[] = [];
    await schedule([
      {
        name: "slow",
        lane: "upkeep",
        cron: never,
        run: async () => {
          events.push("begins");
          await delay(300);
          events.push("ends");
        },
      },
    ]);
    await until(() => events.length === 1);
    await runner?.stop();
    runner = undefined;
    expect(events).toEqual(["begins", "ends"]);
  });
});

describe("the lead", () => {
  const wait = { signal: new AbortController().signal, pollMs: 50 };

  it("is one process's, and passes on when its connection breaks", async () => {
    const first = await takeLead(server.url, wait);
    let waited = false;
    let second: Awaited<ReturnType<typeof takeLead>>;
    const taking = takeLead(server.url, { ...wait, onWait: () => (waited = true) }).then(
      (lead) => (second = lead),
    );
    await until(() => waited);
    expect(second).toBeUndefined();
    await pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid()",
    );
    await first?.lost;
    await taking;
    expect(second).toBeDefined();
    await second?.giveUp();
  });

  it("is not waited for once told to stop", async () => {
    const first = await takeLead(server.url, wait);
    const stop = new AbortController();
    const waiting = takeLead(server.url, { ...wait, signal: stop.signal });
    stop.abort();
    expect(await waiting).toBeUndefined();
    await first?.giveUp();
  });
});
