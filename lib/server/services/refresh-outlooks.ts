import {
  listNodesHeardSince,
  readContainersStarted,
  readFleetBuckets,
  writeOutlooks,
  type FleetBucket,
} from "#lib/server/data/outlooks.ts";
import type { Context } from "./context.ts";
import { groupBy } from "./group-by.ts";
import { COMPOSITION_COLUMNS, composeColumns } from "./metric-columns.ts";

const HOUR_MS = 3_600_000;
const SPARKLINE_MS = 24 * HOUR_MS;
const SPARKLINE_BUCKET_SECONDS = 1800;
/** A rate over less than this says more about the moment than about the hour. */
const RATE_NEEDS_MS = 10 * 60_000;
/** Roll-ups of so many nodes are read at once. */
const NODES_AT_ONCE = 200;

/**
 * Computes what the fleet page shows of the last day of each node: unreclaimable kernel memory in half hours, and how
 * many containers it started over the last hour. Reads roll-ups only. Harmless when run twice at once.
 * @param input.nodeIds only these.
 * @returns how many nodes were computed.
 */
export async function refreshOutlooks({
  ctx,
  input = {},
}: {
  ctx: Context;
  input?: { nodeIds?: readonly number[] };
}): Promise<{ nodes: number }> {
  const nowMs = ctx.now();
  const only = input.nodeIds && new Set(input.nodeIds);
  const nodes = (await listNodesHeardSince(ctx.db, nowMs - SPARKLINE_MS)).filter(
    ({ nodeId }) => only?.has(nodeId) ?? true,
  );
  for (let first = 0; first < nodes.length; first += NODES_AT_ONCE) {
    const some = nodes.slice(first, first + NODES_AT_ONCE);
    const nodeIds = some.map(({ nodeId }) => nodeId);
    const [buckets, started] = await Promise.all([
      readFleetBuckets(ctx.db, {
        nodeIds,
        columns: COMPOSITION_COLUMNS,
        fromMs: Math.ceil((nowMs - SPARKLINE_MS) / 1_800_000) * 1_800_000,
        toMs: nowMs,
        bucketSeconds: SPARKLINE_BUCKET_SECONDS,
      }),
      readContainersStarted(ctx.db, { nodeIds, fromMs: nowMs - HOUR_MS - 300_000, toMs: nowMs }),
    ]);
    const byNode = groupBy(buckets, ({ nodeId }) => nodeId);
    const outlooks = some.map(({ nodeId, kernelRelease }) => {
      const own = byNode.get(nodeId) ?? [];
      return {
        nodeId,
        containersPerHour: ratePerHour(started.get(nodeId)),
        sparkline: {
          timesMs: own.map(({ atMs }) => atMs),
          valuesKib: own.map(({ columns }) => unreclaimableKib(columns, kernelRelease)),
        },
      };
    });
    await writeOutlooks(ctx.db, outlooks, nowMs);
  }
  return { nodes: nodes.length };
}

function ratePerHour(containers: { started: number; seenMs: number } | undefined): number | null {
  if (!containers || containers.seenMs < RATE_NEEDS_MS) return null;
  return containers.started / (containers.seenMs / HOUR_MS);
}

function unreclaimableKib(columns: FleetBucket["columns"], kernelRelease: string): number | null {
  const composition = composeColumns((column) => columns[column], kernelRelease);
  return composition ? Math.round(composition.kernelUnreclaimableKib) : null;
}
