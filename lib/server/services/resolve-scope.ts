import type { AnnotationScope } from "#lib/contracts/annotation.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { countOfCluster, listNodeNames, type NodeName } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";

/** The cluster that an actor is confined to; undefined for all. */
function clusterOf({ actor }: Pick<Context, "actor">): number | undefined {
  return actor.kind === "token" ? actor.clusterId : undefined;
}

/** Whether there may be nodes that an actor must not see. */
export function isConfined(ctx: Pick<Context, "actor">): boolean {
  return ctx.actor.kind === "share" || clusterOf(ctx) !== undefined;
}

/** Whether an actor may see a node. */
export function mayBeSeenBy({
  actor,
}: Pick<Context, "actor">): (node: { nodeId: number; clusterId: number }) => boolean {
  if (actor.kind === "share") return ({ nodeId }) => actor.nodeIds.has(nodeId);
  const clusterId = clusterOf({ actor });
  return (node) => clusterId === undefined || node.clusterId === clusterId;
}

/** Names and labels of the nodes that the actor may see, by id. */
export async function listVisibleNodes(ctx: Context): Promise<NodeName[]> {
  const nodes = await listNodeNames(ctx.db);
  return nodes.filter(mayBeSeenBy(ctx)).sort((a, b) => a.nodeId - b.nodeId);
}

/** Ids of the nodes that the actor is confined to; undefined for all. */
export async function ownNodeIds(ctx: Context): Promise<number[] | undefined> {
  return isConfined(ctx) ? (await listVisibleNodes(ctx)).map(({ nodeId }) => nodeId) : undefined;
}

/** Whether the actor may see some, or every one, of the nodes that something concerns; true for who may see all. */
export async function concernsOwn(
  ctx: Context,
  { nodeIds }: { readonly nodeIds: readonly number[] },
  how: "some" | "every",
): Promise<boolean> {
  const clusterId = clusterOf(ctx);
  if (clusterId === undefined) return true;
  const own = await countOfCluster(ctx.db, nodeIds, clusterId);
  return how === "some" ? own > 0 : own === new Set(nodeIds).size;
}

/**
 * A scope as its author means it, also for a reader who sees more: of a token of one cluster it is about that cluster.
 * `visible` are the nodes that the actor may see.
 */
export function scopeAsMeant<Scope extends AnnotationScope>(
  ctx: Pick<Context, "actor">,
  scope: Scope,
  visible: readonly NodeName[],
): Scope {
  const [own] = visible;
  const isOpen = scope.nodes === undefined && scope.cluster === undefined;
  return clusterOf(ctx) === undefined || own === undefined || !isOpen
    ? scope
    : { ...scope, cluster: own.cluster };
}

/**
 * The nodes that a scope means now, by id ascending, out of those that the actor may see: `visible` where they are read already.
 * @throws AppError `unprocessable` that names each node, label or cluster that does not exist.
 */
export async function resolveScope({
  ctx,
  scope,
  visible,
}: {
  ctx: Context;
  scope: AnnotationScope;
  visible?: readonly NodeName[] | undefined;
}): Promise<number[]> {
  const result = matchScope(scope, visible ?? (await listVisibleNodes(ctx)));
  if (result.issues.length > 0) {
    throw new AppError("unprocessable", "The scope names what does not exist.", {
      issues: result.issues.slice(0, 20),
    });
  }
  return result.nodeIds;
}

/** As `resolveScope`, on nodes already read; `path` is where the scope stands in the request. Pure. */
export function matchScope(
  scope: AnnotationScope,
  visible: readonly NodeName[],
  path = "scope",
): { nodeIds: number[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const named = scope.nodes === undefined ? undefined : new Set<number>();
  const byName = new Map(visible.map((node) => [JSON.stringify([node.cluster, node.name]), node.nodeId]));
  const ids = new Set(visible.map(({ nodeId }) => nodeId));
  scope.nodes?.forEach((each, index) => {
    const nodeId =
      typeof each === "number"
        ? ids.has(each)
          ? each
          : undefined
        : byName.get(JSON.stringify([each.cluster, each.name]));
    if (nodeId === undefined)
      issues.push({ path: `${path}.nodes.${index}`, message: "there is no such node" });
    else named?.add(nodeId);
  });
  if (scope.cluster !== undefined && !visible.some(({ cluster }) => cluster === scope.cluster)) {
    issues.push({ path: `${path}.cluster`, message: "there is no such cluster with nodes" });
  }
  const labels = Object.entries(scope.labels ?? {});
  const hasLabels = (node: NodeName) => labels.every(([key, value]) => node.labels[key] === value);
  if (labels.length > 0 && !visible.some(hasLabels)) {
    issues.push({ path: `${path}.labels`, message: "no node has these labels" });
  }
  const nodeIds = visible
    .filter((node) => named?.has(node.nodeId) ?? true)
    .filter((node) => scope.cluster === undefined || node.cluster === scope.cluster)
    .filter(hasLabels)
    .map(({ nodeId }) => nodeId);
  if (issues.length === 0 && nodeIds.length === 0 && Object.keys(scope).length > 0) {
    issues.push({ path, message: "no node fits all parts of it" });
  }
  return { nodeIds, issues };
}
