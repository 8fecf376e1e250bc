import { correlation } from "#lib/contracts/correlation.ts";
import { creatorList } from "#lib/contracts/creators.ts";
import { annotationList, effectList } from "#lib/contracts/annotation.ts";
import { changePointList } from "#lib/contracts/change-point.ts";
import { decomposition } from "#lib/contracts/decomposition.ts";
import { experimentList } from "#lib/contracts/experiment.ts";
import { forecastList } from "#lib/contracts/forecast.ts";
import { nodeSummary } from "#lib/contracts/node.ts";
import { compositionSeries, metricSeries, slabSeries, snapshotAt } from "#lib/contracts/series.ts";
import type { SnapshotAt } from "#lib/contracts/series.ts";
import { trend } from "#lib/contracts/trend.ts";
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
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { getJson } from "./api-client.ts";
import { readPart } from "./read-part.ts";
import type { Reading } from "./use-window-data.ts";

const REACH = `${EFFECT_REACH_MS / 3_600_000}h`;

/**
 * Reads a window of a node. With `samples` trend, effects, slab and correlation are kept from `before`, because they change slowly
 * and cost the server most.
 * `driver` is whose containers growth is held against.
 * @throws AbortError when `signal` ends it; every other failure stands in its part.
 */
export async function readNode(
  node: { nodeId: number; watchedPaths: readonly string[] },
  window: TimeWindow,
  { zone, driver }: { readonly zone: string; readonly driver: string },
  reading: Reading,
  before: NodeData,
  signal: AbortSignal,
): Promise<NodeData> {
  const base = `/api/v1/nodes/${node.nodeId}`;
  const range = `from=${window.fromMs}&to=${window.toMs}`;
  const metrics = laneMetrics(node.watchedPaths)
    .map((metric) => `&metric=${encodeURIComponent(metric)}`)
    .join("");
  const all = reading === "all";
  const ofGrowth = all ? readGrowth(base, window, zoneQuery(zone), signal) : keptGrowth(before);
  const timezone = zoneQuery(zone);
  const [
    summary,
    composition,
    series,
    annotations,
    slab,
    effects,
    experiments,
    trendPart,
    snapshot,
    correlationPart,
    creators,
    growth,
  ] = await Promise.all([
    readPart(getJson(base, nodeSummary, signal)),
    readPart(getJson(`${base}/composition?${range}&points=${POINTS}`, compositionSeries, signal)),
    readPart(getJson(`${base}/series?${range}&points=${POINTS}${metrics}`, metricSeries, signal)),
    readPart(
      getJson(`/api/v1/annotations?${range}&nodeId=${node.nodeId}`, annotationList, signal).then(
        (list) => list.annotations,
      ),
    ),
    all ? readPart(getJson(`${base}/slab?${range}`, slabSeries, signal)) : before.slab,
    all
      ? readPart(
          getJson(
            `${base}/effects?${range}&before=${REACH}&after=${REACH}${timezone}`,
            effectList,
            signal,
          ).then((list) => list.effects),
        )
      : before.effects,
    all
      ? readPart(
          getJson(
            `/api/v1/experiments?nodeId=${node.nodeId}&limit=${MOST_EXPERIMENTS}`,
            experimentList,
            signal,
          ).then((list) => list.experiments),
        )
      : before.experiments,
    all ? readPart(getJson(`${base}/trend?${range}`, trend, signal)) : before.trend,
    readPart(readSnapshot(node.nodeId, window.toMs, signal)),
    all
      ? readPart(
          getJson(`${base}/correlation?${range}&driver=${encodeURIComponent(driver)}`, correlation, signal),
        )
      : before.correlation,
    all
      ? readPart(getJson(`${base}/creators?${range}&limit=${MOST_CREATORS}`, creatorList, signal))
      : before.creators,
    ofGrowth,
  ]);
  return {
    window,
    readAtMs: Date.now(),
    node: summary,
    composition,
    series,
    slab,
    annotations,
    effects,
    experiments,
    trend: trendPart,
    correlation: correlationPart,
    creators,
    snapshot,
    ...growth,
  };
}

function zoneQuery(zone: string): string {
  return `&timezone=${encodeURIComponent(zone === "UTC" ? "utc" : zone)}`;
}

type Growth = Pick<NodeData, "changePoints" | "decomposition" | "forecast">;

function keptGrowth({ changePoints, decomposition: kept, forecast }: NodeData): Promise<Growth> {
  return Promise.resolve({ changePoints, decomposition: kept, forecast });
}

/** Change points first: they say over which stretch the growth is worth taking apart. */
async function readGrowth(
  base: string,
  window: TimeWindow,
  timezone: string,
  signal: AbortSignal,
): Promise<Growth> {
  const range = `from=${window.fromMs}&to=${window.toMs}${timezone}`;
  const [forecast, [changePoints, parts]] = await Promise.all([
    readPart(getJson(`${base}/forecast?${range}`, forecastList, signal)),
    readPart(getJson(`${base}/changepoints?${range}`, changePointList, signal)).then(async (changes) => {
      const stretch = steepestStretch(dataOf(changes), window);
      const address = `${base}/decomposition?from=${stretch.fromMs}&to=${stretch.toMs}`;
      return [changes, await readPart(getJson(address, decomposition, signal))] as const;
    }),
  ]);
  return { changePoints, decomposition: parts, forecast };
}

/** Everything a node reported at or before a moment. */
export function readSnapshot(nodeId: number, atMs: number, signal: AbortSignal): Promise<SnapshotAt> {
  return getJson(`/api/v1/nodes/${nodeId}/snapshot?at=${atMs}`, snapshotAt, signal);
}
