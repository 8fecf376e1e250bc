import {
  annotationFields,
  type AnnotationFields,
  type AnnotationHistory,
  type AnnotationVersion,
} from "#lib/contracts/annotation.ts";
import { listRevisions } from "#lib/server/data/annotation-revisions.ts";
import { changedFields } from "./changed-fields.ts";
import type { Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { findVisibleAnnotation } from "./find-editable-annotation.ts";

/**
 * What a mark said from the first to the last, and who wrote it; also of one that was taken away.
 * @throws AppError `not_found`.
 */
export async function getAnnotationHistory({
  ctx,
  input: { annotationId },
}: {
  ctx: Context;
  input: { annotationId: number };
}): Promise<AnnotationHistory> {
  const row = await findVisibleAnnotation(ctx, annotationId, { alsoHidden: true });
  const revisions = await listRevisions(ctx.db.prisma, annotationId);
  const now = settableOf(describeAnnotation(row));
  // Each change keeps what stood before it, so that what it made is what the next one found.
  const changes = revisions.filter(({ action }) => action === "changed");
  const stood = [...changes.map(({ before }) => annotationFields.parse(before)), now];
  const versions: AnnotationVersion[] = stood.map((mark, index) => {
    const change = changes[index - 1];
    const before = stood[index - 1];
    return {
      at: change?.atMs ?? row.createdAtMs,
      by: change?.actor ?? row.author,
      action: change === undefined ? "created" : "changed",
      changed: before === undefined ? [] : changedOfMark(before, mark),
      mark,
    };
  });
  const deletion = revisions.findLast(({ action }) => action === "deleted");
  if (deletion !== undefined) {
    versions.push({ at: deletion.atMs, by: deletion.actor, action: "deleted", changed: [], mark: now });
  }
  return { annotationId, deletedAt: row.deletedAtMs, versions };
}

/** What may be set of a mark, without who wrote it and when. */
export function settableOf(mark: AnnotationFields): AnnotationFields {
  const { at, endsAt, scope, nodeIds, controls, controlNodeIds, kind, title, text, tags } = mark;
  return { at, endsAt, scope, nodeIds, controls, controlNodeIds, kind, title, text, tags };
}

/** Names of what may be set of a mark and differs. */
export function changedOfMark(before: AnnotationFields, after: AnnotationFields): string[] {
  return changedFields(Object.keys(annotationFields.shape) as (keyof AnnotationFields)[], before, after);
}
