import { Logger, makeWorkerUtils, parseCronItems, run, type Runner, type WorkerUtils } from "graphile-worker";
import type pg from "pg";
import { QUEUE_ATTEMPTS, QUEUE_SCHEMA as schema } from "#lib/server/data/worker-queue.ts";

/**
 * Upkeep is what must not wait: roll-ups, partitions, marks. Analysis takes as long as the fleet is large, and gives way
 * often enough for both to share one thread. An import waits for another server most of the time, and for hours.
 */
const LANES = ["upkeep", "analysis", "import"] as const;

/** A piece of recurring work. */
export interface ScheduledTask {
  name: string;
  /** Tasks of one lane run one after the other, those of different lanes side by side. */
  lane: (typeof LANES)[number];
  /** When, in UTC, as crontab writes it. */
  cron: string;
  run(now: () => number): Promise<void>;
}

export interface ScheduleLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Runs the tasks at their times, one at a time in each lane, on a queue in the database. A task that fails is tried again with
 * growing waits; one that is still queued when its next time comes is not queued twice. Call it as the lead only
 * (worker-lead.ts): jobs that a killed lead had begun are released at once, for no other process can be at them.
 */
export async function runSchedule(options: {
  pool: pg.Pool;
  tasks: readonly ScheduledTask[];
  now: () => number;
  log: ScheduleLog;
}): Promise<Runner> {
  const { pool, tasks, now, log } = options;
  const logger = quietLogger(log);
  const utils = await makeWorkerUtils({ pgPool: pool, schema, logger });
  try {
    await utils.migrate();
    await releaseJobsOfDeadWorkers(pool, utils);
    // What was missed while nothing ran is done at once instead of at its next time.
    for (const { name, lane } of tasks) {
      await utils.addJob(name, {}, { jobKey: name, queueName: lane, maxAttempts: QUEUE_ATTEMPTS });
    }
  } finally {
    await utils.release();
  }
  return run({
    pgPool: pool,
    schema,
    logger,
    concurrency: LANES.length,
    pollInterval: 2_000,
    noHandleSignals: true,
    taskList: Object.fromEntries(
      tasks.map((task) => [
        task.name,
        async () => {
          const startedAtMs = now();
          await task.run(now);
          log.debug({ task: task.name, ms: now() - startedAtMs }, "done");
        },
      ]),
    ),
    parsedCronItems: parseCronItems(
      tasks.map(({ name, cron, lane }) => ({
        task: name,
        match: cron,
        identifier: name,
        options: {
          backfillPeriod: 0,
          jobKey: name,
          jobKeyMode: "preserve_run_at",
          queueName: lane,
          maxAttempts: QUEUE_ATTEMPTS,
        },
      })),
    ),
  });
}

async function releaseJobsOfDeadWorkers(pool: pg.Pool, utils: WorkerUtils): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct locked_by as id from ${schema}.jobs where locked_by is not null`,
  );
  if (rows.length > 0) await utils.forceUnlockWorkers(rows.map(({ id }) => id));
}

/** The queue's own lines at our levels: what it does each second is of no interest, its errors are. */
function quietLogger(log: ScheduleLog): Logger {
  return new Logger(() => (scale, message, meta) => {
    const level: string = scale;
    if (level === "error") log.error(meta ?? {}, message);
    else if (level === "warning") log.info(meta ?? {}, message);
  });
}
