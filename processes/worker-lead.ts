import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** Any number that nothing else locks in this database. */
const LEAD_KEY = 5_013_377_247;

export interface Lead {
  /** Resolves when the lead is lost: its connection broke, so another process may have it by now. */
  lost: Promise<void>;
  giveUp(): Promise<void>;
}

/**
 * Waits until this process leads: of several workers on one database one acts, the others wait here. The lead is a
 * session lock, so it ends with the connection of a process that is killed. Undefined when `signal` ended the waiting.
 * Needs a session of its own: no pgbouncer in transaction mode.
 */
export async function takeLead(
  url: string,
  { signal, pollMs = 5_000, onWait }: { signal: AbortSignal; pollMs?: number; onWait?: () => void },
): Promise<Lead | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "plumbline worker",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  const lost = new Promise<void>((done) => {
    client.once("error", () => done());
    client.once("end", () => done());
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (let tries = 0; ; tries += 1) {
      const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
        LEAD_KEY,
      ]);
      if (rows[0]?.mine === true) return { lost, giveUp: () => client.end() };
      if (tries === 0) onWait?.();
      await delay(pollMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  await client.end();
  return undefined;
}
