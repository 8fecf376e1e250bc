import { AppError } from "#lib/errors.ts";
import { findInvestigation, type InvestigationRow } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { concernsOwn } from "./resolve-scope.ts";

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
  if (row !== undefined && (await concernsOwn(ctx, row, "some"))) return row;
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
  if (!(await concernsOwn(ctx, row, "every")))
    throw new AppError("forbidden", "The investigation concerns nodes of other clusters too.");
  return row;
}
