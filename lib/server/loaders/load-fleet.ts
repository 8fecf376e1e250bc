import "server-only";
import { headers } from "next/headers";
import { fleetAnswer, fleetRow } from "#lib/charts/fleet-model.ts";
import type { FleetAnswer, FleetRow } from "#lib/charts/fleet-model.ts";
import { listNodes } from "#lib/server/services/list-nodes.ts";
import { pageContext } from "./page-context.ts";

/** Most nodes that the page lists; the API pages beyond. */
const MOST_NODES = 2000;

/** What the fleet page shows. */
export interface Fleet {
  readonly rows: readonly FleetRow[];
  readonly answer: FleetAnswer | undefined;
  /** Nodes that there are; more than `rows` only beyond the most that are listed. */
  readonly total: number;
  readonly readAtMs: number;
  /** This server as the reader reached it, for the command that starts a collector. */
  readonly server: string;
}

/** Reads every node's newest state and prepares its row, so that the browser receives texts and not histories. */
export async function loadFleet(): Promise<Fleet> {
  const { ctx, runtime } = await pageContext();
  const list = await listNodes({
    ctx,
    input: {
      sort: "leaks",
      order: "desc",
      page: 1,
      pageSize: MOST_NODES,
      silentAfterMs: runtime.silentAfterMs,
    },
  });
  const readAtMs = ctx.now();
  const rows = list.nodes.map((node) => fleetRow(node, readAtMs));
  const host = (await headers()).get("host") ?? "localhost";
  return { rows, answer: fleetAnswer(rows), total: list.total, readAtMs, server: `http://${host}` };
}
