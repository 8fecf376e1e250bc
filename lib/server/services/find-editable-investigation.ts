import { AppError } from "#lib/errors.ts";
import { findInvestigation, type InvestigationRow } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { clusterOf, listVisibleNodes } from "./resolve-scope.ts";

/**
 * An investigation that the actor may see: a token of one cluster sees those that concern a node of it. With `alsoHidden` one
 * that was taken away too.
 * @throws AppError `not_found`.
 */
export async function findVisibleInvestigation(
  ctx: Context,
  investigationId: number,
  options: { alsoHidden?: boolean } = {},
): Promise<InvestigationRow> {
  const row = await findInvestigation(ctx.db.prisma, investigationId, options);
  if (row !== undefined) {
    if (clusterOf(ctx) === undefined) return row;
    const own = await ownNodeIds(ctx);
    if (row.nodeIds.some((nodeId) => own.has(nodeId))) return row;
  }
  throw new AppError("not_found", `There is no investigation ${investigationId}.`);
}

/**
 * An investigation that the actor may write to: a token of one cluster only one that concerns no other.
 * @throws AppError `not_found`, or `forbidden`.
 */
export async function findEditableInvestigation(
  ctx: Context,
  investigationId: number,
): Promise<InvestigationRow> {
  const row = await findVisibleInvestigation(ctx, investigationId);
  if (clusterOf(ctx) !== undefined) {
    const own = await ownNodeIds(ctx);
    if (!row.nodeIds.every((nodeId) => own.has(nodeId)))
      throw new AppError("forbidden", "The investigation concerns nodes of other clusters too.");
  }
  return row;
}

async function ownNodeIds(ctx: Context): Promise<Set<number>> {
  return new Set((await listVisibleNodes(ctx)).map(({ nodeId }) => nodeId));
}
