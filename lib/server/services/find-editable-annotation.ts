import { AppError } from "#lib/errors.ts";
import { findAnnotation, type AnnotationRow } from "#lib/server/data/annotations.ts";
import type { Context } from "./context.ts";
import { concernsOwn } from "./resolve-scope.ts";

/**
 * A mark that the actor may see: a token of one cluster sees those that concern a node of it. With `alsoHidden` one that was
 * taken away too.
 * @throws AppError `not_found`.
 */
export async function findVisibleAnnotation(
  ctx: Context,
  annotationId: number,
  options: { alsoHidden?: boolean } = {},
): Promise<AnnotationRow> {
  const row = await findAnnotation(ctx.db.prisma, annotationId, options);
  if (row !== undefined && (await concernsOwn(ctx, row, "some"))) return row;
  throw new AppError("not_found", `There is no annotation ${annotationId}.`);
}

/**
 * A mark that the actor may change or take away: a token of one cluster only those that concern no other.
 * @throws AppError `not_found`, or `forbidden`.
 */
export async function findEditableAnnotation(ctx: Context, annotationId: number): Promise<AnnotationRow> {
  const row = await findVisibleAnnotation(ctx, annotationId);
  if (!(await concernsOwn(ctx, row, "every"))) {
    throw new AppError("forbidden", "The annotation concerns nodes of other clusters too.");
  }
  return row;
}
