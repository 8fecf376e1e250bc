import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { DEFAULT_METRIC, parseMetric } from "#lib/domain/memory/metrics.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { NodeNewest } from "#lib/server/data/nodes.ts";
import { trendOf } from "./analyse-metric.ts";
import { readMetricWindow } from "./read-metric-window.ts";

const BEFORE_MS = 6 * 3_600_000;
const MAX_MORE = 2;
const MAX_DIRECTORIES = 4;

/**
 * The metrics that an experiment is followed by: unreclaimable kernel memory, and at most two more that were growing on the
 * first treated node in the 6 h before. Counts come first: a part of kernel memory says little that the whole does not.
 */
export async function chooseFollowedMetrics(
  db: Database,
  mark: AnnotationRow,
  treated: readonly NodeNewest[],
): Promise<string[]> {
  const node = treated.find(({ firstSeenAtMs }) => firstSeenAtMs < mark.atMs);
  if (node === undefined) return [DEFAULT_METRIC];
  const candidates = [
    ...(node.details.watch ?? []).slice(0, MAX_DIRECTORIES).map(({ path }) => `watch.${path}.files`),
    "cgroup.memory.dying",
    "cgroup.memory.count",
    "band.sunrecl",
    "band.percpu",
  ];
  const grew: string[] = [];
  for (const name of candidates) {
    const metric = parseMetric(name);
    if (metric === undefined || grew.length === MAX_MORE) continue;
    const window = await readMetricWindow(db, {
      metric,
      node,
      fromMs: mark.atMs - BEFORE_MS,
      toMs: mark.atMs,
    });
    const trend = trendOf(window);
    if (!isInsufficient(trend) && (trend.verdict === "leaking" || trend.verdict === "growing"))
      grew.push(name);
  }
  return [DEFAULT_METRIC, ...grew];
}
