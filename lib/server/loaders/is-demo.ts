import "server-only";
import { config } from "#lib/server/config.ts";

/** Whether this server shows simulated fleets and nothing else. */
export function isDemo(): boolean {
  return config().demo !== undefined;
}
