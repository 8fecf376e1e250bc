import "server-only";
import { chartedPlaces } from "#lib/charts/directory-model.ts";
import type { DirectoryPageData } from "#lib/charts/directory-model.ts";
import { POINTS, dataOf } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import { placeMetrics } from "#lib/charts/object-lanes.ts";
import { getDirectoryGrowth } from "#lib/server/services/get-directory-growth.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { loadNodePage } from "./load-node-page.ts";
import { part } from "./page-part.ts";
import type { PageParameters } from "./page-parameters.ts";

/** Reads watched directories and tmpfs mounts of a node over a window, or undefined when there is no such node. */
export function loadDirectories(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<DirectoryPageData> | undefined> {
  return loadNodePage(nodeIdText, parameters, async ({ ctx, node, window }) => {
    const range = { nodeId: node.nodeId, ...window };
    const growth = await part("directories", getDirectoryGrowth({ ctx, input: range }));
    const metrics = placeMetrics(chartedPlaces(dataOf(growth)));
    const series = await part("series", getSeries({ ctx, input: { ...range, points: POINTS, metrics } }));
    return { growth, series };
  });
}
