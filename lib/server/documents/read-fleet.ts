import { fleetRow, fleetShown } from "#lib/charts/fleet-model.ts";
import type { FleetRow, FleetShown } from "#lib/charts/fleet-model.ts";
import { describeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import type { Context } from "#lib/server/services/context.ts";
import { listNodes } from "#lib/server/services/list-nodes.ts";

/** Most nodes that a page lists; the API pages beyond. */
const MOST_NODES = 2000;

/** The fleet as an address of its page asks for it. */
export interface FleetReading {
  readonly rows: readonly FleetRow[];
  /** Which trends the rows are judged by. */
  readonly shown: FleetShown;
  /** Nodes that there are; more than `rows` only beyond the most that are listed. */
  readonly total: number;
  readonly readAtMs: number;
}

/** Reads every node's newest state and prepares its row. */
export async function readFleet(
  ctx: Context,
  silentAfterMs: number,
  parameter: (name: string) => string | undefined,
): Promise<FleetReading> {
  const shown = fleetShown({ metric: parameter("metric"), window: parameter("window") });
  const [key, value] = [parameter("attribute"), parameter("value")];
  const attribute = key === undefined ? undefined : describeAttribute(key);
  const list = await listNodes({
    ctx,
    input: {
      ...(attribute && { attribute: attribute.key, ...(value !== undefined && { value }) }),
      sort: "leaks",
      order: "desc",
      metric: shown.metric.key,
      window: shown.window,
      page: 1,
      pageSize: MOST_NODES,
      silentAfterMs,
    },
  });
  const readAtMs = ctx.now();
  return { rows: list.nodes.map((node) => fleetRow(node, readAtMs)), shown, total: list.total, readAtMs };
}
