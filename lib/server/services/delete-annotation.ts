import { AppError } from "#lib/errors.ts";
import { appendRevision } from "#lib/server/data/annotation-revisions.ts";
import { hideAnnotation } from "#lib/server/data/annotations.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { findEditableAnnotation } from "./find-editable-annotation.ts";

/**
 * Takes a mark away, whoever made it; its row, its history and the audit trail keep it.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function deleteAnnotation({
  ctx,
  input,
}: {
  ctx: Context;
  input: { annotationId: number };
}): Promise<void> {
  const row = await findEditableAnnotation(ctx, input.annotationId);
  const nowMs = ctx.now();
  await writeRecords(ctx.db, async (tables) => {
    if (!(await hideAnnotation(tables, row.annotationId, nowMs))) {
      throw new AppError("not_found", `There is no annotation ${row.annotationId}.`);
    }
    const actor = actorName(ctx.actor);
    await appendRevision(tables, row.annotationId, { atMs: nowMs, actor, action: "deleted" });
    await appendAudit(tables, {
      atMs: nowMs,
      actor,
      action: "annotation.delete",
      subject: `annotation ${row.annotationId}`,
      detail: { kind: row.kind, title: row.title, madeBy: row.madeBy },
    });
  });
}
