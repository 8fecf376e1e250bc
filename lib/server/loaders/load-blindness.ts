import "server-only";
import { fleetBlindness } from "#lib/charts/sources-model.ts";
import type { FleetBlindness } from "#lib/charts/sources-model.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import { describeNode } from "#lib/server/services/describe-node.ts";
import { pageContext } from "./page-context.ts";

/** Reads the newest state of every node: which of them are blind to what. */
export async function loadBlindness(): Promise<{ found: readonly FleetBlindness[]; nodes: number }> {
  const { ctx, runtime } = await pageContext();
  const nowMs = ctx.now();
  const nodes = (await listNodesNewest(ctx.db)).map((node) =>
    describeNode(node, {
      nowMs,
      silentAfterMs: runtime.silentAfterMs,
      trend: null,
      timeLeft: undefined,
      findings: undefined,
    }),
  );
  return { found: fleetBlindness(nodes, nowMs), nodes: nodes.length };
}
