import type { NodeList, NodeListQuery, NodeSummary } from "#lib/contracts/node.ts";
import { trend as trendSchema, type TimeLeft, type Trend } from "#lib/contracts/trend.ts";
import { attributeOf } from "#lib/domain/analysis/node-attributes.ts";
import { compareLeaks } from "#lib/domain/analysis/ranking.ts";
import { memcgIdsHeld } from "#lib/domain/memory/memcg-ids.ts";
import { readNodeTrendAnswers } from "#lib/server/data/node-trends.ts";
import { listNodesNewest, type NodeNewest } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { describeNode } from "./describe-node.ts";
import { describeSources } from "./describe-sources.ts";
import { readFindingBriefs } from "./list-findings.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { composeColumns } from "./metric-columns.ts";
import { requireAttribute, wrongAttribute } from "./require-attribute.ts";
import { mayBeSeenBy } from "./resolve-scope.ts";
import { DEFAULT_RANKING, readTimeLeft, requireStoredMetric } from "./stored-trends.ts";

/**
 * The fleet as it stands: newest state, trend, time left and sparkline of each node, from stored rows alone. Filtered, sorted,
 * and cut to one page; nodes that lack what is sorted by come last in either order.
 * @throws AppError `invalid` for a metric whose trends are not kept, or an attribute that no node can have.
 */
export async function listNodes({
  ctx,
  input,
}: {
  ctx: Context;
  input: NodeListQuery & { silentAfterMs: number };
}): Promise<NodeList> {
  const { page, pageSize, silentAfterMs, sort } = input;
  const order = input.order ?? (sort === "timeLeft" ? "asc" : "desc");
  const metric = requireStoredMetric(input.metric ?? DEFAULT_RANKING.metric);
  const shown = { metric: metric.key, window: input.window ?? DEFAULT_RANKING.window };
  if (input.attribute !== undefined) requireAttribute(input.attribute);
  else if (input.value !== undefined) throw wrongAttribute("a value needs the attribute that it is of");
  const isVisible = mayBeSeenBy(ctx);
  const [all, trends, ends, briefs] = await Promise.all([
    listNodesNewest(ctx.db),
    readTrends(ctx, shown),
    readTimeLeft(ctx.db, shown.window),
    readFindingBriefs(ctx),
  ]);
  const nodes = all.filter((node) => isVisible(node) && matches(node, input));
  const sorted = sortNodes(nodes, { sort, order }, { trends, ends });
  const nowMs = ctx.now();
  return {
    nodes: sorted.slice((page - 1) * pageSize, page * pageSize).map((node) =>
      describeNode(node, {
        nowMs,
        silentAfterMs,
        trend: trends.get(node.nodeId),
        timeLeft: ends.get(node.nodeId),
        findings: briefs.get(node.nodeId),
      }),
    ),
    total: nodes.length,
    page,
    pageSize,
    sorted: { by: sort, order, ...shown, text: sortedText(sort, order, metric.label, shown.window) },
  };
}

/**
 * One node as the fleet page lists it, with its sources.
 * @throws AppError `not_found`.
 */
export async function getNode({
  ctx,
  input,
}: {
  ctx: Context;
  input: { nodeId: number; silentAfterMs: number };
}): Promise<NodeSummary> {
  const node = await findVisibleNode(ctx, input.nodeId);
  const [trends, ends, briefs] = await Promise.all([
    readTrends(ctx, { ...DEFAULT_RANKING, nodeId: node.nodeId }),
    readTimeLeft(ctx.db, DEFAULT_RANKING.window),
    readFindingBriefs(ctx, [node.nodeId]),
  ]);
  return {
    ...describeNode(node, {
      nowMs: ctx.now(),
      silentAfterMs: input.silentAfterMs,
      trend: trends.get(node.nodeId),
      timeLeft: ends.get(node.nodeId),
      findings: briefs.get(node.nodeId),
    }),
    sources: describeSources(node.sources),
  };
}

/** Stored trends by node, but those that another version of the program left in another form. */
async function readTrends(
  { db }: Pick<Context, "db">,
  request: Parameters<typeof readNodeTrendAnswers>[1],
): Promise<Map<number, Trend>> {
  const trends = new Map<number, Trend>();
  for (const [nodeId, answer] of await readNodeTrendAnswers(db, request)) {
    const { data } = trendSchema.safeParse(answer);
    if (data !== undefined) trends.set(nodeId, data);
  }
  return trends;
}

function sortedText(
  sort: NodeListQuery["sort"],
  order: "asc" | "desc",
  label: string,
  window: string,
): string {
  const trends = `the trends of ${label} over ${window}`;
  switch (sort) {
    case "timeLeft":
      return `Sorted by the time left until memory, memory-cgroup ids or inodes run out, by trends over ${window}, ${order === "asc" ? "soonest" : "latest"} first.`;
    case "leaks":
      return `Sorted by verdict and then by the lower end of the 95 % interval of ${trends}, ${order === "desc" ? "leaking first" : "leaking last"}.`;
    case "growth":
      return `Sorted by the lower end of the 95 % interval of ${trends}, ${order === "desc" ? "largest" : "smallest"} first.`;
    default:
      return `Sorted by ${sort}, ${order === "asc" ? "smallest" : "largest"} first, beside ${trends}.`;
  }
}

function matches(node: NodeNewest, query: NodeListQuery): boolean {
  const { cluster, name, kernel, search, attribute, value } = query;
  if (cluster !== undefined && node.cluster !== cluster) return false;
  if (name !== undefined && node.name !== name) return false;
  if (kernel !== undefined && node.kernelRelease !== kernel) return false;
  if (attribute !== undefined && attributeOf(node, attribute) !== value) return false;
  if (search === undefined || search === "") return true;
  const wanted = search.toLowerCase();
  return [node.name, node.cluster, node.kernelRelease, ...Object.values(node.labels)].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

interface Standings {
  trends: ReadonlyMap<number, Trend>;
  ends: ReadonlyMap<number, readonly TimeLeft[]>;
}

function sortNodes(
  nodes: readonly NodeNewest[],
  { sort, order }: { sort: NodeListQuery["sort"]; order: "asc" | "desc" },
  standings: Standings,
): NodeNewest[] {
  const sign = order === "asc" ? 1 : -1;
  if (sort === "leaks") {
    const { trends } = standings;
    const [known, unknown] = [true, false].map((has) =>
      nodes.filter(({ nodeId }) => trends.has(nodeId) === has),
    );
    const trendOf = ({ nodeId }: NodeNewest) => trends.get(nodeId) ?? null;
    known?.sort((a, b) => -sign * compareLeaks(trendOf(a), trendOf(b)) || compareNames(a, b));
    return [...(known ?? []), ...(unknown ?? []).sort(compareNames)];
  }
  if (sort === "name") return [...nodes].sort((a, b) => sign * compareNames(a, b));
  const keyed = nodes.map((node) => ({ node, key: sortKey(node, sort, standings) }));
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return Number(a.key === undefined) - Number(b.key === undefined) || compareNames(a.node, b.node);
    }
    return sign * (a.key - b.key) || compareNames(a.node, b.node);
  });
  return keyed.map(({ node }) => node);
}

function compareNames(a: NodeNewest, b: NodeNewest): number {
  if (a.cluster !== b.cluster) return a.cluster < b.cluster ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.nodeId - b.nodeId;
}

function sortKey(
  node: NodeNewest,
  sort: Exclude<NodeListQuery["sort"], "name" | "leaks">,
  standings: Standings,
): number | undefined {
  const { counters } = node;
  switch (sort) {
    case "growth":
      // A certain small leak stands above a doubtful large one.
      return standings.trends.get(node.nodeId)?.ci95?.[0];
    case "timeLeft":
      return standings.ends.get(node.nodeId)?.[0]?.at;
    case "kernelUnreclaimable":
      return composeColumns((column) => counters[column], node.kernelRelease)?.kernelUnreclaimableKib;
    case "containersPerHour":
      return node.outlook?.containersPerHour ?? undefined;
    case "cgroups":
      return (
        memcgIdsHeld(node.kernelRelease, {
          count: counters.cgroupMemoryCount,
          live: counters.cgroupLive,
          dying: counters.cgroupDying,
        }) ?? counters.cgroupMemoryCount
      );
    case "lastSeen":
      return node.atMs;
  }
}
