import "server-only";
import { idMetric } from "#lib/charts/cgroup-model.ts";
import type { CgroupPageData } from "#lib/charts/cgroup-model.ts";
import { POINTS } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import { CGROUP_METRICS } from "#lib/charts/object-lanes.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { getSnapshotAt } from "#lib/server/services/get-snapshot-at.ts";
import { listForecasts } from "#lib/server/services/list-forecasts.ts";
import { loadNodePage } from "./load-node-page.ts";
import { part } from "./page-part.ts";
import type { PageParameters } from "./page-parameters.ts";

/** Reads the memory cgroups of a node over a window, or undefined when there is no such node. */
export function loadCgroups(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<CgroupPageData> | undefined> {
  return loadNodePage(nodeIdText, parameters, async ({ ctx, node, window, zone }) => {
    const range = { nodeId: node.nodeId, ...window };
    const [series, forecast, snapshot] = await Promise.all([
      part("series", getSeries({ ctx, input: { ...range, points: POINTS, metrics: CGROUP_METRICS } })),
      part(
        "forecast",
        listForecasts({ ctx, input: { ...range, metrics: [idMetric(node.kernelRelease)], zone } }),
      ),
      part("snapshot", getSnapshotAt({ ctx, input: { nodeId: node.nodeId, atMs: window.toMs } })),
    ]);
    return { series, forecast, snapshot };
  });
}
