import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import { machineHistory } from "#lib/domain/scenarios/machine.ts";
import {
  fineFromMs,
  sampleTimes,
  simulatedFleet,
  type FleetSize,
} from "#lib/domain/scenarios/simulated-fleet.ts";
import type { SimulatedCluster } from "#lib/domain/scenarios/simulated-cluster.ts";
import { findOrCreateCluster } from "#lib/server/data/identities.ts";
import { listNodeNames } from "#lib/server/data/nodes.ts";
import { ensurePartitionsFor } from "#lib/server/data/partitions.ts";
import { rollUpStretch } from "#lib/server/data/rollups.ts";
import { forgetSnapshotsBefore } from "#lib/server/data/snapshots.ts";
import type { Context } from "./context.ts";
import { createAnnotation } from "./create-annotation.ts";
import { findFindings } from "./find-findings.ts";
import { followExperiments } from "./follow-experiments.ts";
import { refreshOutlooks } from "./refresh-outlooks.ts";
import { refreshTrends } from "./refresh-trends.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";
import { tellFrom, writeHistory } from "./write-history.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The last whole minute is over, and so is everything before it. */
const SETTLED_MS = 2 * MINUTE_MS;
const EXPERIMENTS_AT_ONCE = 20;

/**
 * Fills an empty database with the simulated fleets, ending now, and computes all that the worker would have computed
 * meanwhile, so that every page is whole at first sight.
 * @param input.onProgress is told what is being done, and how much of it is done, 0 to 1.
 */
export async function seedSimulatedFleet({
  ctx,
  input: { size, onProgress },
}: {
  ctx: Context;
  input: { size: FleetSize; onProgress: (what: string, done: number) => void };
}): Promise<{ nodes: number; snapshots: number }> {
  const nowMs = Math.floor(ctx.now() / MINUTE_MS) * MINUTE_MS;
  const { clusters, fromMs, keptFromMs } = simulatedFleet(nowMs, size);
  const days = Array.from(
    { length: Math.ceil((nowMs - keptFromMs) / DAY_MS) + 1 },
    (_, day) => keptFromMs + day * DAY_MS,
  );
  await ensurePartitionsFor(ctx.db, days);
  const nodes = clusters.reduce((sum, { machines }) => sum + machines.length, 0);
  let done = 0;
  let snapshots = 0;
  for (const { name: cluster, machines } of clusters) {
    const clusterId = await findOrCreateCluster(ctx.db, cluster, keptFromMs);
    for (const machine of machines) {
      onProgress("writing the histories", done / nodes);
      const history = machineHistory(machine, sampleTimes(fromMs, nowMs));
      const told = tellFrom({ clusterId, name: machine.name }, history, keptFromMs - 1);
      snapshots += await writeHistory(ctx.db, told, nowMs);
      done += 1;
    }
  }
  const nodeIds = (await listNodeNames(ctx.db)).map(({ nodeId }) => nodeId);
  const wholeMs = Math.floor((nowMs - SETTLED_MS) / HOUR_MS) * HOUR_MS;
  for (const [index, dayMs] of days.entries()) {
    onProgress("rolling up", index / days.length);
    const toMs = Math.min(dayMs + DAY_MS, wholeMs);
    if (dayMs < toMs) await rollUpStretch(ctx.db, { nodeIds, fromMs: dayMs, toMs });
  }
  await rollUpDirtyBuckets({ ctx, input: {} });
  await forgetSnapshotsBefore(ctx.db, { nodeIds, beforeMs: fineFromMs(nowMs) });
  await markDeeds(ctx, clusters);
  onProgress("computing trends and experiments", 0);
  await refreshOutlooks({ ctx });
  // The longest first: it brings the daily ranges that the others judge by.
  for (const window of TREND_WINDOWS.toReversed()) await refreshTrends({ ctx, input: { window } });
  for (;;) {
    const { looked } = await followExperiments({ ctx, input: { limit: EXPERIMENTS_AT_ONCE } });
    if (looked < EXPERIMENTS_AT_ONCE) break;
  }
  onProgress("naming the leaks", 0);
  await findFindings({ ctx, input: { limit: Infinity } });
  return { nodes, snapshots };
}

async function markDeeds(ctx: Context, clusters: readonly SimulatedCluster[]): Promise<void> {
  for (const { name: cluster, marks } of clusters) {
    for (const { atMs, kind, title, text, nodes } of marks) {
      const scope = { nodes: nodes.map((name) => ({ cluster, name })) };
      await createAnnotation({
        ctx,
        input: { at: atMs, kind, title, ...(text !== undefined && { text }), scope, controls: "auto" },
      });
    }
  }
}
