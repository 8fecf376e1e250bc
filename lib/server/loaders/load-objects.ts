import "server-only";
import { POINTS } from "#lib/charts/node-data.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { OBJECT_METRICS } from "#lib/charts/object-lanes.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { loadNodePage } from "./load-node-page.ts";
import { part } from "./page-part.ts";
import type { PageParameters } from "./page-parameters.ts";

/** Reads what the kernel of a node counts of its own objects, or undefined when there is no such node. */
export function loadObjects(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<NodePageData & { readonly series: Part<MetricSeries> }> | undefined> {
  return loadNodePage(nodeIdText, parameters, async ({ ctx, node, window }) => ({
    series: await part(
      "series",
      getSeries({
        ctx,
        input: { nodeId: node.nodeId, ...window, points: POINTS, metrics: OBJECT_METRICS },
      }),
    ),
  }));
}
