import type { Annotation, UpdateAnnotation } from "#lib/contracts/annotation.ts";
import { AppError } from "#lib/errors.ts";
import { replaceAnnotation, type AnnotationFields } from "#lib/server/data/annotations.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { checkOrder } from "./create-annotation.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { findEditableAnnotation } from "./find-editable-annotation.ts";
import { resolveScope } from "./resolve-scope.ts";

/**
 * Changes a mark that a person or a program made. A changed scope is resolved anew, an unchanged one keeps the nodes
 * that it meant then.
 * @throws AppError `not_found`, `forbidden`, `unprocessable`; `conflict` for a mark that the machine made, which is a
 * record and may only be taken away, and when someone else changed the mark meanwhile.
 */
export async function updateAnnotation({
  ctx,
  input,
}: {
  ctx: Context;
  input: { annotationId: number; changes: UpdateAnnotation };
}): Promise<Annotation> {
  const { annotationId, changes } = input;
  const before = await findEditableAnnotation(ctx, annotationId);
  if (before.madeBy === "machine") {
    throw new AppError("conflict", "A mark that the machine made can be taken away, not changed.");
  }
  const current = describeAnnotation(before);
  const fields: AnnotationFields = {
    atMs: changes.at ?? current.at,
    endsAtMs: changes.endsAt === undefined ? current.endsAt : changes.endsAt,
    scope: changes.scope ?? current.scope,
    nodeIds:
      changes.scope === undefined ? current.nodeIds : await resolveScope({ ctx, scope: changes.scope }),
    kind: changes.kind ?? current.kind,
    title: changes.title ?? current.title,
    text: changes.text === undefined ? current.text : changes.text,
    tags: changes.tags ?? current.tags,
  };
  checkOrder(fields);
  const nowMs = ctx.now();
  const row = await writeRecords(ctx.db, async (tables) => {
    const replaced = await replaceAnnotation(tables, annotationId, fields, {
      ifUpdatedAtMs: before.updatedAtMs,
      nowMs,
    });
    if (replaced === undefined) throw new AppError("conflict", "Someone else changed this mark meanwhile.");
    await appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: "annotation.update",
      subject: `annotation ${annotationId}`,
      detail: { changed: Object.keys(changes) },
    });
    return replaced;
  });
  return describeAnnotation(row);
}
