import "server-only";
import { chartedCaches, readSlabAddress, slabMetrics } from "#lib/charts/slab-model.ts";
import type { SlabPageData } from "#lib/charts/slab-model.ts";
import { POINTS, dataOf } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { getSlabGrowth } from "#lib/server/services/get-slab-growth.ts";
import { getSnapshotAt } from "#lib/server/services/get-snapshot-at.ts";
import { loadNodePage } from "./load-node-page.ts";
import { part } from "./page-part.ts";
import { allOf, type PageParameters } from "./page-parameters.ts";

/** Reads the slab caches of a node over a window, or undefined when there is no such node. */
export function loadSlab(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<SlabPageData> | undefined> {
  return loadNodePage(nodeIdText, parameters, async ({ ctx, node, window }) => {
    const range = { nodeId: node.nodeId, ...window };
    const [growth, snapshot] = await Promise.all([
      part("slab growth", getSlabGrowth({ ctx, input: range })),
      part("snapshot", getSnapshotAt({ ctx, input: { nodeId: node.nodeId, atMs: window.toMs } })),
    ]);
    const caches = chartedCaches(readSlabAddress(allOf(parameters)).caches, dataOf(growth));
    const metrics = slabMetrics(caches);
    const series = await part("series", getSeries({ ctx, input: { ...range, points: POINTS, metrics } }));
    return { growth, series, snapshot };
  });
}
