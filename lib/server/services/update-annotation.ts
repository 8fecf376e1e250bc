import type { Annotation, AnnotationFields, UpdateAnnotation } from "#lib/contracts/annotation.ts";
import { AppError } from "#lib/errors.ts";
import { appendRevision } from "#lib/server/data/annotation-revisions.ts";
import { replaceAnnotation, type AnnotationRow } from "#lib/server/data/annotations.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { restartExperiment } from "#lib/server/data/experiments.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { findEditableAnnotation } from "./find-editable-annotation.ts";
import { changedOfMark, settableOf } from "./get-annotation-history.ts";
import { orderIssue } from "./plan-annotation.ts";
import { resolveControls } from "./resolve-controls.ts";
import { listVisibleNodes, resolveScope, scopeAsMeant } from "./resolve-scope.ts";

/**
 * Changes a mark that a person or a program made. A changed scope is resolved anew, an unchanged one keeps the nodes
 * that it meant then. What was found out about a deed is set aside when its time, nodes or controls change. What the mark said
 * before goes to its history; a change that changes nothing leaves no trace.
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
  const stored = await findEditableAnnotation(ctx, annotationId);
  if (stored.madeBy === "machine") {
    throw new AppError("conflict", "A mark that the machine made can be taken away, not changed.");
  }
  const current = describeAnnotation(stored);
  const controls = changes.controls ?? current.controls;
  const kind = changes.kind ?? current.kind;
  const visible = changes.scope && (await listVisibleNodes(ctx));
  const scope = changes.scope && visible && scopeAsMeant(ctx, changes.scope, visible);
  const nodeIds = scope === undefined ? current.nodeIds : await resolveScope({ ctx, scope, visible });
  const fields: AnnotationFields = {
    at: changes.at ?? current.at,
    endsAt: changes.endsAt === undefined ? current.endsAt : changes.endsAt,
    scope: scope ?? current.scope,
    nodeIds,
    controls,
    controlNodeIds:
      changes.scope === undefined && changes.controls === undefined && changes.kind === undefined
        ? current.controlNodeIds
        : await resolveControls({ ctx, controls, treated: nodeIds, kind }),
    kind,
    title: changes.title ?? current.title,
    text: changes.text === undefined ? current.text : changes.text,
    tags: changes.tags ?? current.tags,
  };
  const order = orderIssue(fields);
  if (order !== undefined) {
    throw new AppError("unprocessable", "The mark ends before it begins.", { issues: [order] });
  }
  const before = settableOf(current);
  const changed = changedOfMark(before, fields);
  if (changed.length === 0) return current;
  const nowMs = ctx.now();
  const actor = actorName(ctx.actor);
  const row = await writeRecords(ctx.db, async (tables) => {
    const replaced = await replaceAnnotation(tables, annotationId, fields, {
      ifUpdatedAtMs: stored.updatedAtMs,
      nowMs,
    });
    if (replaced === undefined) throw new AppError("conflict", "Someone else changed this mark meanwhile.");
    if (isAnotherDeed(stored, replaced)) await restartExperiment(tables, annotationId, nowMs);
    await appendRevision(tables, annotationId, { atMs: nowMs, actor, action: "changed", before });
    await appendAudit(tables, {
      atMs: nowMs,
      actor,
      action: "annotation.update",
      subject: `annotation ${annotationId}`,
      detail: { changed },
    });
    return replaced;
  });
  return describeAnnotation(row);
}

/** Whether what is followed is no longer what was: another time, other nodes, other controls, or another kind of mark. */
function isAnotherDeed(before: AnnotationRow, after: AnnotationRow): boolean {
  const deed = ({ atMs, endsAtMs, nodeIds, controls, controlNodeIds, kind }: AnnotationRow) =>
    JSON.stringify([atMs, endsAtMs, nodeIds, controls, controlNodeIds, kind]);
  return deed(before) !== deed(after);
}
