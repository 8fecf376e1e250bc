import { annotationList } from "#lib/contracts/annotation.ts";
import { nodeSummary } from "#lib/contracts/node.ts";
import { metricSeries } from "#lib/contracts/series.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import { POINTS } from "#lib/charts/node-data.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { NodePageData } from "#lib/charts/node-page.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { getJson } from "./api-client.ts";
import { readPart } from "./read-part.ts";

/** The window as the API takes it. */
export function rangeOf({ fromMs, toMs }: TimeWindow): string {
  return `from=${fromMs}&to=${toMs}`;
}

/** Reads what all pages of a node have, and beside it the parts of the page. @throws AbortError when `signal` ends it. */
export async function readNodePage<Own>(
  nodeId: number,
  window: TimeWindow,
  own: Promise<Own>,
  signal: AbortSignal,
): Promise<NodePageData & Own> {
  const [node, annotations, parts] = await Promise.all([
    readPart(getJson(`/api/v1/nodes/${nodeId}`, nodeSummary, signal)),
    readPart(
      getJson(`/api/v1/annotations?${rangeOf(window)}&nodeId=${nodeId}`, annotationList, signal).then(
        (list) => list.annotations,
      ),
    ),
    own,
  ]);
  return { window, readAtMs: Date.now(), node, annotations, ...parts };
}

/** Any metrics of a node over a window. */
export function readMetrics(
  nodeId: number,
  window: TimeWindow,
  metrics: readonly string[],
  signal: AbortSignal,
): Promise<Part<MetricSeries>> {
  const query = [
    rangeOf(window),
    `points=${POINTS}`,
    ...metrics.map((metric) => `metric=${encodeURIComponent(metric)}`),
  ];
  return readPart(getJson(`/api/v1/nodes/${nodeId}/series?${query.join("&")}`, metricSeries, signal));
}
