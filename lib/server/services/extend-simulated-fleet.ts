import { setImmediate as nextTurn } from "node:timers/promises";
import { machineHistory } from "#lib/domain/scenarios/machine.ts";
import { sampleTimes, simulatedFleet } from "#lib/domain/scenarios/simulated-fleet.ts";
import { SIMULATED_LABEL } from "#lib/domain/scenarios/simulated-label.ts";
import type { Database } from "#lib/server/data/client.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { tellFrom, writeHistory, type ToldHistory } from "./write-history.ts";

/** The histories of a database as this process tells them: a history knows its past only by having made it. */
const told = new WeakMap<Database["pool"], ToldHistory[]>();

/**
 * Lets simulated nodes go on reporting: stores what they would have sent since their newest snapshot. Does nothing where
 * there are none.
 * @returns how many snapshots were handed on.
 */
export async function extendSimulatedFleet({ ctx }: { ctx: Context }): Promise<{ snapshots: number }> {
  let histories = told.get(ctx.db.pool);
  if (histories === undefined) {
    histories = await pickUp(ctx.db);
    told.set(ctx.db.pool, histories);
  }
  let snapshots = 0;
  for (const history of histories) snapshots += await writeHistory(ctx.db, history, ctx.now());
  return { snapshots };
}

async function pickUp(db: Database): Promise<ToldHistory[]> {
  const histories: ToldHistory[] = [];
  for (const { clusterId, cluster, name, labels, atMs } of await listNodesNewest(db)) {
    const anchorMs = Date.parse(labels[SIMULATED_LABEL] ?? "");
    if (Number.isNaN(anchorMs)) continue;
    const { clusters, fromMs } = simulatedFleet(anchorMs, "full");
    const machine = clusters
      .find((each) => each.name === cluster)
      ?.machines.find((each) => each.name === name);
    if (machine === undefined) continue;
    histories.push(
      tellFrom({ clusterId, name }, machineHistory(machine, sampleTimes(fromMs, anchorMs)), atMs),
    );
    await nextTurn();
  }
  return histories;
}
