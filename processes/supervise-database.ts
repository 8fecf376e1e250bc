import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedPostgres } from "./database.ts";
import { backoffMs } from "./supervise.ts";

export interface SupervisedDatabase {
  /** Address for the product's role; a restart keeps it unless the port was taken meanwhile. */
  url(): string;
  stop(graceMs: number): Promise<void>;
}

const backoff = { firstMs: 250, longestMs: 30_000 };

/**
 * Starts the embedded database and starts it again whenever it dies.
 * @throws EmbeddedPostgresError when the first start fails; later failures are said and tried again.
 */
export async function superviseDatabase(options: {
  dataDir: string;
  log: (line: string) => void;
  onNewUrl: () => void;
  /** Calls off a start that still waits. */
  signal: AbortSignal;
}): Promise<SupervisedDatabase> {
  const { dataDir, log } = options;
  const stopping = new AbortController();
  options.signal.addEventListener("abort", () => stopping.abort());
  const start = () => startEmbeddedPostgres({ dataDir, log, signal: stopping.signal });
  let server = await start();

  const startAgain = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      try {
        const before = server.url;
        server = await start();
        log(`serves again on port ${server.port}`);
        if (server.url !== before) options.onNewUrl();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const waitMs = backoffMs(failures, backoff);
        log(
          `did not start: ${error instanceof Error ? error.message : String(error)}; next try in ${waitMs / 1000} s`,
        );
        await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };

  const loop = async (): Promise<void> => {
    for (;;) {
      const { code, signal } = await server.exited;
      if (stopping.signal.aborted) return;
      log(`ended (${signal ?? `exit code ${code}`}), starting again`);
      await startAgain();
      if (stopping.signal.aborted) {
        await server.stop();
        return;
      }
    }
  };
  const ended = loop();

  return {
    url: () => server.url,
    async stop(graceMs) {
      stopping.abort();
      await server.stop(graceMs);
      await ended;
    },
  };
}
