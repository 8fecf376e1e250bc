import "server-only";
import { readBefore } from "#lib/charts/holders-model.ts";
import type { ObjectPageData } from "#lib/charts/holders-model.ts";
import { POINTS } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import { OBJECT_METRICS } from "#lib/charts/object-lanes.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { getSnapshotAt } from "#lib/server/services/get-snapshot-at.ts";
import { loadNodePage } from "./load-node-page.ts";
import { part } from "./page-part.ts";
import type { PageParameters } from "./page-parameters.ts";

/** Reads what the kernel of a node counts of its own objects, or undefined when there is no such node. */
export function loadObjects(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<ObjectPageData> | undefined> {
  return loadNodePage(nodeIdText, parameters, async ({ ctx, node, window }) => {
    const { nodeId } = node;
    const [series, snapshot, before] = await Promise.all([
      part(
        "series",
        getSeries({ ctx, input: { nodeId, ...window, points: POINTS, metrics: OBJECT_METRICS } }),
      ),
      part("snapshot", getSnapshotAt({ ctx, input: { nodeId, atMs: window.toMs } })),
      part("snapshot", getSnapshotAt({ ctx, input: { nodeId, atMs: window.fromMs } })),
    ]);
    const read = (atMs: number) => part("snapshot", getSnapshotAt({ ctx, input: { nodeId, atMs } }));
    return { series, snapshot, before: await readBefore(window, { series, snapshot, before }, read) };
  });
}
