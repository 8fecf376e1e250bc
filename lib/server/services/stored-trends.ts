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

/** What each node runs out of by its trends over one window, soonest first; nodes that run out of nothing are not there. */
export async function readTimeLeft(
  db: Pick<Database, "pool">,
  window: TrendWindow,
): Promise<Map<number, TimeLeft[]>> {
  const byNode = new Map<number, Map<string, TimeLeft>>();
  for (const { nodeId, metric, what: ended, atMs, fromMs, toMs, sinceMs } of await readExhaustions(
    db,
    window,
  )) {
    const what = ended === "memory" ? ENDS_MEMORY.get(metric) : ended;
    if (what === undefined) continue;
    const ends = byNode.get(nodeId) ?? new Map<string, TimeLeft>();
    byNode.set(nodeId, ends);
    const known = ends.get(what);
    if (known !== undefined && atMs >= known.at) continue;
    ends.set(what, { what, at: atMs, ci95: [fromMs, toMs], ...(sinceMs != null && { since: sinceMs }) });
  }
  return new Map(
    [...byNode].map(([nodeId, ends]) => [nodeId, [...ends.values()].sort((a, b) => a.at - b.at)]),
  );
}
