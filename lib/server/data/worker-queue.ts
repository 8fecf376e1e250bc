import type { Database } from "./client.ts";

/** Tables of the worker's queue live in a schema of their own beside the product's. */
export const QUEUE_SCHEMA = "graphile_worker";

/** How often a task is tried before its next time. */
export const QUEUE_ATTEMPTS = 5;

/** A task that need not wait for its time: the worker's own name for it, and its lane. */
export interface CalledTask {
  readonly name: string;
  readonly lane: string;
}

export const IMPORT_TASK = { name: "run-imports", lane: "import" } as const satisfies CalledTask;

/**
 * Lets the worker do a task as soon as its lane is free; one that it has in hand is done once more after that. Nothing
 * happens where no worker has made the queue yet: it does every task when it starts.
 */
export async function callWorker(db: Pick<Database, "pool">, { name, lane }: CalledTask): Promise<void> {
  const { rows } = await db.pool.query<{ there: boolean }>(
    `select to_regproc('${QUEUE_SCHEMA}.add_job') is not null as there`,
  );
  if (rows[0]?.there !== true) return;
  await db.pool.query(
    `select from ${QUEUE_SCHEMA}.add_job($1, '{}'::json, queue_name => $2, max_attempts => $3, job_key => $1)`,
    [name, lane, QUEUE_ATTEMPTS],
  );
}
