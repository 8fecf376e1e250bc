import "server-only";
import { DEFAULT_DRIVER, DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { steepestStretch } from "#lib/charts/change-point-model.ts";
import {
  EFFECT_REACH_MS,
  MOST_CREATORS,
  MOST_EXPERIMENTS,
  POINTS,
  dataOf,
  laneMetrics,
} from "#lib/charts/node-data.ts";
import type { NodeData } from "#lib/charts/node-data.ts";
import type { ViewAddress } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { getComposition } from "#lib/server/services/get-composition.ts";
import { getCorrelation } from "#lib/server/services/get-correlation.ts";
import { getDecomposition } from "#lib/server/services/get-decomposition.ts";
import { getSeries } from "#lib/server/services/get-series.ts";
import { getSlabSeries } from "#lib/server/services/get-slab-series.ts";
import { getSnapshotAt } from "#lib/server/services/get-snapshot-at.ts";
import { getTrend } from "#lib/server/services/get-trend.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { listChangePoints } from "#lib/server/services/list-change-points.ts";
import { listExperiments } from "#lib/server/services/list-experiments.ts";
import { listCreators } from "#lib/server/services/list-creators.ts";
import { listEffects } from "#lib/server/services/list-effects.ts";
import { listForecasts } from "#lib/server/services/list-forecasts.ts";
import { loadNodeWindow } from "./load-node-window.ts";
import { part } from "./page-part.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** What the page of a node begins with. */
export interface NodePage {
  readonly node: NodeSummary;
  /** What an address without a window shows; decided here, once. */
  readonly defaults: ViewAddress;
  readonly address: ViewAddress;
  /** Whose containers growth is held against. */
  readonly driver: string;
  readonly data: NodeData;
}

/** Reads one node and its window, or undefined when there is no such node. */
export async function loadNode(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePage | undefined> {
  const opened = await loadNodeWindow(nodeIdText, parameters);
  if (!opened) return undefined;
  const { node, defaults, address, window, zone, nowMs, ctx, runtime } = opened;
  const driver = firstOf(parameters)("driver") ?? DEFAULT_DRIVER;
  const { nodeId } = node;
  const range = { nodeId, ...window };
  const ofGrowth = part(
    "change points",
    listChangePoints({ ctx, input: { ...range, metric: DEFAULT_METRIC, zone } }),
  ).then(async (changePoints) => {
    const stretch = steepestStretch(dataOf(changePoints), window);
    const decomposition = await part(
      "decomposition",
      getDecomposition({ ctx, input: { nodeId, ...stretch } }),
    );
    return { changePoints, decomposition };
  });
  const [
    composition,
    series,
    slab,
    annotations,
    effects,
    experiments,
    trend,
    snapshot,
    correlation,
    creators,
    forecast,
  ] = await Promise.all([
    part("composition", getComposition({ ctx, input: { ...range, points: POINTS } })),
    part(
      "series",
      getSeries({
        ctx,
        input: { ...range, points: POINTS, metrics: laneMetrics(node.watch.map((each) => each.path)) },
      }),
    ),
    part("slab", getSlabSeries({ ctx, input: { ...range, points: 120, limit: 20 } })),
    part(
      "annotations",
      listAnnotations({ ctx, input: range }).then((list) => list.annotations),
    ),
    part(
      "effects",
      listEffects({
        ctx,
        input: {
          ...range,
          metric: DEFAULT_METRIC,
          beforeMs: EFFECT_REACH_MS,
          afterMs: EFFECT_REACH_MS,
          zone,
          silentAfterMs: runtime.silentAfterMs,
        },
      }).then((list) => list.effects),
    ),
    part(
      "experiments",
      listExperiments({ ctx, input: { nodeId, limit: MOST_EXPERIMENTS, offset: 0 } }).then(
        (list) => list.experiments,
      ),
    ),
    part("trend", getTrend({ ctx, input: { ...range, metric: DEFAULT_METRIC } })),
    part("snapshot", getSnapshotAt({ ctx, input: { nodeId, atMs: window.toMs } })),
    part("correlation", getCorrelation({ ctx, input: { ...range, metric: DEFAULT_METRIC, driver } })),
    part("creators", listCreators({ ctx, input: { ...range, limit: MOST_CREATORS } })),
    part("forecast", listForecasts({ ctx, input: { ...range, metrics: undefined, zone } })),
  ]);
  return {
    node,
    defaults,
    address,
    driver,
    data: {
      window,
      readAtMs: nowMs,
      node: { ok: true, data: node },
      composition,
      series,
      slab,
      annotations,
      effects,
      experiments,
      trend,
      correlation,
      creators,
      snapshot,
      forecast,
      ...(await ofGrowth),
    },
  };
}
