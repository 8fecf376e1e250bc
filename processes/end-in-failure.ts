import type { logger } from "#lib/server/log.ts";

/**
 * Ends this process with code 1 after one line that says why. Not at level fatal: pino then empties its stream
 * synchronously, and sonic-boom tries a pipe that nobody reads any more (the supervisor was killed) again without end.
 */
export function endInFailure(log: ReturnType<typeof logger>, error: unknown, what: string): never {
  log.error({ err: error }, what);
  process.exit(1);
}
