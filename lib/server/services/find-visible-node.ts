import { AppError } from "#lib/errors.ts";
import { findNode, type NodeState } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { mayBeSeenBy } from "./resolve-scope.ts";

/**
 * The newest state of a node that the actor may see.
 * @throws AppError `not_found` for one that is not there, or is not for this actor.
 */
export async function findVisibleNode(ctx: Context, nodeId: number): Promise<NodeState> {
  const node = await findNode(ctx.db, nodeId);
  if (node === undefined || !mayBeSeenBy(ctx)(node)) {
    throw new AppError("not_found", `There is no node ${nodeId}.`);
  }
  return node;
}
