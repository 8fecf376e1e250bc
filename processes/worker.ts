import { setTimeout as delay } from "node:timers/promises";
import { config, requireDatabaseUrl } from "#lib/server/config.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { logger } from "#lib/server/log.ts";
import { endInFailure } from "./end-in-failure.ts";
import { runSchedule } from "./run-schedule.ts";
import { takeLead } from "./worker-lead.ts";
import { workerTasks } from "./worker-tasks.ts";

const log = logger("worker");

/** A task that takes longer is cut: its job is released by the next lead, and every task can be done again. */
const stopWithinMs = 12_000;

async function main(): Promise<void> {
  const upSinceMs = Date.now();
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  const lead = await takeLead(requireDatabaseUrl(), {
    signal: stop.signal,
    onWait: () => log.info("another worker leads; waiting"),
  });
  if (lead === undefined) return;
  const db = openDatabase({ url: requireDatabaseUrl(), poolSize: 4 });
  const runner = await runSchedule({
    pool: db.pool,
    tasks: workerTasks(db, config(), upSinceMs),
    now: () => Date.now(),
    log,
  });
  log.info("leads");
  const toldToStop = new Promise<"told">((done) => {
    if (stop.signal.aborted) done("told");
    stop.signal.addEventListener("abort", () => done("told"));
  });
  const why = await Promise.race([toldToStop, lead.lost.then(() => "lost" as const)]);
  if (why === "lost") {
    // Another may lead by now: leave at once, what is in hand is released by the next lead.
    throw new Error("the connection that holds the lead broke");
  }
  // With the database gone, as when the whole tree is killed, the queue would wait for it without end.
  await Promise.race([runner.stop(), lead.lost, delay(stopWithinMs, undefined, { ref: false })]);
  await lead.giveUp();
  await Promise.race([closeDatabase(db), delay(1_000, undefined, { ref: false })]);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  endInFailure(log, error, "the worker cannot run");
}
