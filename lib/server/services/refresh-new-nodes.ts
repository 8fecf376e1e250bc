import { listNodesNewest } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { refreshOutlooks } from "./refresh-outlooks.ts";
import { refreshTrends } from "./refresh-trends.ts";

/** Nodes that have been silent for longer have nothing to say of the last day. */
const HEARD_WITHIN_MS = 24 * 3_600_000;

/**
 * Judges the fleet at once when a node reports that was never judged, so that a first node does not wait for the next
 * regular round. The whole fleet, because leaks are confirmed over all of it. Harmless when run twice at once.
 * @returns how many nodes were new.
 */
export async function refreshNewNodes({ ctx }: { ctx: Context }): Promise<{ nodes: number }> {
  const sinceMs = ctx.now() - HEARD_WITHIN_MS;
  const fresh = (await listNodesNewest(ctx.db)).filter(
    ({ atMs, outlook }) => outlook === null && atMs > sinceMs,
  );
  if (fresh.length > 0) {
    await refreshOutlooks({ ctx });
    await refreshTrends({ ctx });
  }
  return { nodes: fresh.length };
}
