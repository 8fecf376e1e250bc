import "server-only";
import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { cache } from "react";
import { steepestStretch } from "#lib/charts/change-point-model.ts";
import { EFFECT_REACH_MS, MOST_EXPERIMENTS, POINTS, dataOf, laneMetrics } from "#lib/charts/node-data.ts";
import type { NodeData, Part } from "#lib/charts/node-data.ts";
import { defaultAddress, readAddress, resolveWindow } from "#lib/charts/view-address.ts";
import type { ViewAddress } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { AppError } from "#lib/errors.ts";
import { toAppError } from "#lib/server/http/problem.ts";
import { logger } from "#lib/server/log.ts";
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
import { listEffects } from "#lib/server/services/list-effects.ts";
import { listForecasts } from "#lib/server/services/list-forecasts.ts";
import { getNode } from "#lib/server/services/list-nodes.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** What the page of a node begins with. */
export interface NodePage {
  readonly node: NodeSummary;
  /** What an address without a window shows; decided here, once. */
  readonly defaults: ViewAddress;
  readonly address: ViewAddress;
  readonly data: NodeData;
}

/** A part that could not be read says why and leaves the others alone; what is not expected is logged. */
async function part<Data>(name: string, reading: Promise<Data>): Promise<Part<Data>> {
  try {
    return { ok: true, data: await reading };
  } catch (error) {
    const known = toAppError(error);
    const requestId = crypto.randomUUID();
    if (!(error instanceof AppError))
      logger("pages").error({ err: error, requestId, part: name }, "a page part failed");
    return { ok: false, message: known.message, requestId };
  }
}

/** One node as it stands, or undefined when there is none; asked once a request. */
export const loadNodeSummary = cache(async (nodeIdText: string): Promise<NodeSummary | undefined> => {
  const nodeId = /^\d{1,10}$/.test(nodeIdText) ? Number(nodeIdText) : 0;
  if (nodeId < 1 || nodeId > 2_147_483_647) return undefined;
  const { ctx, runtime } = await pageContext();
  try {
    return await getNode({ ctx, input: { nodeId, silentAfterMs: runtime.silentAfterMs } });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
});

/** Reads one node and its window, or undefined when there is no such node. */
export async function loadNode(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePage | undefined> {
  const node = await loadNodeSummary(nodeIdText);
  if (!node) return undefined;
  const { nodeId } = node;
  const { ctx, runtime } = await pageContext();
  const nowMs = ctx.now();
  const defaults = defaultAddress(node, nowMs);
  const { address } = readAddress(firstOf(parameters), nowMs, defaults);
  // The reader's own zone is not known here; days of `browser` views are read anew by the browser.
  const window = resolveWindow(address, nowMs, "UTC") ?? { fromMs: nowMs - 86_400_000, toMs: nowMs };

  const zone = address.timezone === "utc" || address.timezone === "browser" ? "UTC" : address.timezone;
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
    part("correlation", getCorrelation({ ctx, input: { ...range, metric: DEFAULT_METRIC } })),
    part("forecast", listForecasts({ ctx, input: { ...range, metrics: undefined, zone } })),
  ]);
  return {
    node,
    defaults,
    address,
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
      snapshot,
      forecast,
      ...(await ofGrowth),
    },
  };
}
