import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { callWorker, QUEUE_SCHEMA, type CalledTask } from "#lib/server/data/worker-queue.ts";

/** What the worker does on the minute or every few: a test that needs it now asks for it. */
const ASKED = {
  "refresh-new-nodes": { name: "refresh-new-nodes", lane: "analysis" },
  "follow-experiments": { name: "follow-experiments", lane: "analysis" },
  "find-findings": { name: "find-findings", lane: "analysis" },
} as const satisfies Record<string, CalledTask>;

/** Name of a task that can be asked for. */
export type AskedTask = keyof typeof ASKED;

/** A guard against hanging, far above what a round takes. */
const DONE_WITHIN_MS = 300_000;

/**
 * Has the worker do a task out of its turn, and waits until it is done.
 * @param databaseUrl the product's database. @throws Error when the worker has not done it within five minutes.
 */
export async function askWorker(databaseUrl: string, task: AskedTask): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await callWorker({ pool }, ASKED[task]);
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
