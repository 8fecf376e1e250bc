import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { callWorker, QUEUE_SCHEMA } from "#lib/server/data/worker-queue.ts";

/** What the worker does on the minute or every few, all of it in the lane of the analysis: a test that needs it now asks for it. */
export type AskedTask = "refresh-new-nodes" | "follow-experiments" | "find-findings";

const LANE = "analysis";

/** A guard against hanging, far above what a round takes. */
const DONE_WITHIN_MS = 300_000;

/**
 * Has the worker do a task out of its turn, and waits until it is done.
 * @param databaseUrl the product's database. @throws Error when the worker has not done it within five minutes.
 */
export async function askWorker(databaseUrl: string, task: AskedTask): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await callWorker({ pool }, { name: task, lane: LANE });
    const deadline = Date.now() + DONE_WITHIN_MS;
    while (Date.now() < deadline) {
      const { rowCount } = await pool.query(`select from ${QUEUE_SCHEMA}.jobs where task_identifier = $1`, [
        task,
      ]);
      if (rowCount === 0) return;
      await delay(250);
    }
    throw new Error(`the worker has not done ${task} within ${DONE_WITHIN_MS / 1000} s`);
  } finally {
    await pool.end();
  }
}
