import { logger } from "#lib/server/log.ts";
import { settleScrapes, SETTLED_AFTER_MS } from "#lib/server/services/settle-scrapes.ts";
import type { Runtime } from "./runtime.ts";

const waiting = new WeakSet<Runtime["db"]["pool"]>();

/**
 * Makes snapshots of what remote write delivered as soon as it has settled. The worker does the same each minute; this
 * only makes it quicker, so nothing is lost with the process.
 */
export function settleSoon(runtime: Runtime): void {
  if (waiting.has(runtime.db.pool)) return;
  waiting.add(runtime.db.pool);
  setTimeout(() => {
    waiting.delete(runtime.db.pool);
    settleScrapes({ ctx: { db: runtime.db, actor: { kind: "system", name: "web" }, now: runtime.now } })
      .then(({ more, forgotten }) => {
        if (forgotten > 0) {
          logger("http").warn({ forgotten }, "remote write lacks series without which there is no snapshot");
        }
        if (more) settleSoon(runtime);
      })
      .catch((error: unknown) => {
        logger("http").warn({ err: error }, "what remote write delivered waits for the worker");
      });
  }, SETTLED_AFTER_MS + 500).unref();
}
