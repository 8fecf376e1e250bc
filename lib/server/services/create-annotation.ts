import type { Annotation, AnnotationFields, CreateAnnotation } from "#lib/contracts/annotation.ts";
import { AppError } from "#lib/errors.ts";
import { insertAnnotations, type AnnotationRow } from "#lib/server/data/annotations.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { planAnnotation } from "./plan-annotation.ts";
import { listVisibleNodes } from "./resolve-scope.ts";

/**
 * Marks a moment or a stretch of time on the nodes that the scope means now.
 * @throws AppError `unprocessable` when scope or controls name what does not exist, a control is treated too, or the end is not
 * after the start.
 */
export async function createAnnotation({
  ctx,
  input,
}: {
  ctx: Context;
  input: CreateAnnotation;
}): Promise<Annotation> {
  const { fields, issues } = planAnnotation(ctx, input, await listVisibleNodes(ctx));
  if (issues.length > 0) {
    const [first] = issues;
    throw new AppError(
      "unprocessable",
      `The mark cannot be made: ${first?.message ?? "it is wrong"}, at ${first?.path ?? ""}.`,
      { issues: issues.slice(0, 20) },
    );
  }
  const [row] = await storeAnnotations(ctx, [fields]);
  if (row === undefined) throw new RangeError("the mark that was stored was not returned");
  return describeAnnotation(row);
}

/** Stores planned marks, all or none, each with its audit line. */
export async function storeAnnotations(
  ctx: Context,
  marks: readonly AnnotationFields[],
): Promise<AnnotationRow[]> {
  const nowMs = ctx.now();
  const actor = actorName(ctx.actor);
  return writeRecords(ctx.db, async (tables) => {
    const inserted = await insertAnnotations(tables, marks, {
      author: actor,
      madeBy: ctx.actor.kind === "token" ? "api" : "person",
      nowMs,
    });
    await appendAudit(
      tables,
      ...inserted.map((each) => ({
        atMs: nowMs,
        actor,
        action: "annotation.create",
        subject: `annotation ${each.annotationId}`,
        detail: {
          kind: each.kind,
          title: each.title,
          nodes: each.nodeIds.length,
          controls: each.controlNodeIds,
        },
      })),
    );
    return inserted;
  });
}
