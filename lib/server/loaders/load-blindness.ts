import "server-only";
import { fleetBlindness } from "#lib/charts/sources-model.ts";
import type { FleetBlindness } from "#lib/charts/sources-model.ts";
import { findNodes, listNodesNewest } from "#lib/server/data/nodes.ts";
import { describeSources } from "#lib/server/services/describe-sources.ts";
import { pageContext } from "./page-context.ts";

/** Reads the newest state of every node: which of them are blind to what. */
export async function loadBlindness(): Promise<{ found: readonly FleetBlindness[]; nodes: number }> {
  const { ctx } = await pageContext();
  const nodes = await listNodesNewest(ctx.db);
  const blind = nodes.flatMap(({ nodeId, details }) =>
    details.blindSources === undefined || details.blindSources.length === 0 ? [] : [nodeId],
  );
  const found = fleetBlindness(
    (await findNodes(ctx.db, blind)).map(({ details, sources, ...node }) => ({
      ...node,
      sources: describeSources(sources),
      blindSources: [...(details.blindSources ?? [])],
    })),
    ctx.now(),
  );
  return { found, nodes: nodes.length };
}
