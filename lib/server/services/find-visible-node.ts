import { AppError } from "#lib/errors.ts";
import { findNode, type NodeState } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { clusterOf } from "./resolve-scope.ts";

/**
 * The newest state of a node that the actor may see.
 * @throws AppError `not_found` for one that is not there, or is of another cluster than the token.
 */
export async function findVisibleNode(ctx: Context, nodeId: number): Promise<NodeState> {
  const node = await findNode(ctx.db, nodeId);
  const clusterId = clusterOf(ctx);
  if (node === undefined || (clusterId !== undefined && node.clusterId !== clusterId)) {
    throw new AppError("not_found", `There is no node ${nodeId}.`);
  }
  return node;
}
