import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { AppError } from "#lib/errors.ts";
import type { Database } from "./client.ts";

/** Deadlock and serialisation failure: nothing was written, and the same statements may well succeed now. */
const REPEATABLE = new Set(["40P01", "40001"]);
const ATTEMPTS = 5;

/** SQLSTATE or system error code of whatever was thrown; undefined when it carries none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What a caller is told when the database is away. */
export function databaseAway(cause: unknown): AppError {
  return new AppError("unavailable", "The database is away; the same request may succeed later.", {
    retryAfterSeconds: 5,
    cause,
  });
}

/** Runs `work` again after a deadlock, or another code named in `alsoOn`, a few times with growing pauses. */
export async function withRetry<T>(work: () => Promise<T>, alsoOn: readonly string[] = []): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error);
      const repeatable = code !== undefined && (REPEATABLE.has(code) || alsoOn.includes(code));
      if (!repeatable || attempt === ATTEMPTS) throw error;
      await sleep(10 * 3 ** attempt);
    }
  }
}

/**
 * Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. Repeated as
 * a whole after a deadlock, so it must change nothing outside the database before it returns.
 */
export async function inTransaction<T>(
  db: Pick<Database, "pool">,
  work: (client: pg.PoolClient) => Promise<T>,
  options: { alsoRetryOn?: readonly string[] } = {},
): Promise<T> {
  return withRetry(async () => {
    const client = await db.pool.connect();
    let broken = false;
    try {
      await client.query("begin");
      const result = await work(client);
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }, options.alsoRetryOn);
}
