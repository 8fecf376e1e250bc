import type { TimeLeft } from "#lib/contracts/trend.ts";
import { HEADLINE_METRICS, type TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import { DEFAULT_METRIC, type Metric } from "#lib/domain/memory/metrics.ts";
import { AppError } from "#lib/errors.ts";
import type { Database } from "#lib/server/data/client.ts";
import { readExhaustions } from "#lib/server/data/node-trends.ts";
import { requireMetric } from "./get-series.ts";

/** What the fleet is ranked by unless asked otherwise. */
export const DEFAULT_RANKING = { metric: DEFAULT_METRIC, window: "24h" } as const;

const KEPT: ReadonlySet<string> = new Set(HEADLINE_METRICS);

/**
 * A metric whose trends are kept for every node.
 * @throws AppError `invalid` for one that no node can have, or whose trends are only made on demand.
 */
export function requireStoredMetric(name: string): Metric {
  const metric = requireMetric(name);
  const { source } = metric;
  if (KEPT.has(metric.key) || (source.family === "tmpfs" && source.measure === "inodes")) return metric;
  const message = `expected ${HEADLINE_METRICS.join(", ")} or tmpfs.<mount>.inodes`;
  throw new AppError("invalid", `Trends of ${metric.key} are not kept for the whole fleet: ${message}.`, {
    issues: [{ path: "metric", message }],
  });
}

/**
 * Metrics whose growth says when memory runs out, and what that end is called. The bands within the kernel's total are not
 * among them: one may grow while another shrinks by as much. Where shmem brings the end it says so, for the kernel's memory
 * beside it may be flat.
 */
const ENDS_MEMORY: ReadonlyMap<string, string> = new Map([
  [DEFAULT_METRIC, "memory"],
  ["band.shmem", "memory (shmem)"],
]);

/** Metrics whose trends say what a node runs out of, besides the inodes of its fullest mounts. */
export const ENDING_METRICS: readonly string[] = [
  ...ENDS_MEMORY.keys(),
  "cgroup.memory.count",
  "cgroup.memory.live",
];

/** An end that a trend of one metric of one node leads to. */
export interface MetricEnd {
  readonly nodeId: number;
  readonly metric: string;
  readonly end: TimeLeft;
}

/** What each node runs out of, soonest first, each thing once; nodes that run out of nothing are not there. Pure. */
export function timeLeftOf(ends: Iterable<MetricEnd>): Map<number, TimeLeft[]> {
  const byNode = new Map<number, Map<string, TimeLeft>>();
  for (const { nodeId, metric, end } of ends) {
    const what = end.what === "memory" ? ENDS_MEMORY.get(metric) : end.what;
    if (what === undefined) continue;
    const own = byNode.get(nodeId) ?? new Map<string, TimeLeft>();
    byNode.set(nodeId, own);
    const known = own.get(what);
    if (known === undefined || end.at < known.at) own.set(what, { ...end, what });
  }
  return new Map([...byNode].map(([nodeId, own]) => [nodeId, [...own.values()].sort((a, b) => a.at - b.at)]));
}

/** What each node runs out of by its stored trends over one window. */
export async function readTimeLeft(
  db: Pick<Database, "pool">,
  window: TrendWindow,
): Promise<Map<number, TimeLeft[]>> {
  const ends = await readExhaustions(db, window);
  return timeLeftOf(
    ends.map(({ nodeId, metric, what, atMs, fromMs, toMs, sinceMs }) => ({
      nodeId,
      metric,
      end: { what, at: atMs, ci95: [fromMs, toMs], ...(sinceMs != null && { since: sinceMs }) },
    })),
  );
}
