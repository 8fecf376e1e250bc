import type { Annotation, CreateAnnotation } from "#lib/contracts/annotation.ts";
import { AppError } from "#lib/errors.ts";
import { insertAnnotation, type AnnotationFields } from "#lib/server/data/annotations.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { resolveControls } from "./resolve-controls.ts";
import { resolveScope } from "./resolve-scope.ts";

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
  const nodeIds = await resolveScope({ ctx, scope: input.scope });
  const fields: AnnotationFields = {
    atMs: input.at,
    endsAtMs: input.endsAt ?? null,
    scope: input.scope,
    nodeIds,
    controls: input.controls,
    controlNodeIds: await resolveControls({
      ctx,
      controls: input.controls,
      treated: nodeIds,
      kind: input.kind,
    }),
    kind: input.kind,
    title: input.title,
    text: input.text ?? null,
    tags: input.tags ?? [],
  };
  checkOrder(fields);
  const nowMs = ctx.now();
  const row = await writeRecords(ctx.db, async (tables) => {
    const inserted = await insertAnnotation(tables, fields, {
      author: actorName(ctx.actor),
      madeBy: ctx.actor.kind === "token" ? "api" : "person",
      nowMs,
    });
    await appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: "annotation.create",
      subject: `annotation ${inserted.annotationId}`,
      detail: {
        kind: inserted.kind,
        title: inserted.title,
        nodes: inserted.nodeIds.length,
        controls: inserted.controlNodeIds,
      },
    });
    return inserted;
  });
  return describeAnnotation(row);
}

/** @throws AppError `unprocessable` for a stretch of time that ends before it begins. */
export function checkOrder({ atMs, endsAtMs }: Pick<AnnotationFields, "atMs" | "endsAtMs">): void {
  if (endsAtMs === null || endsAtMs > atMs) return;
  throw new AppError("unprocessable", "The mark ends before it begins.", {
    issues: [{ path: "endsAt", message: "expected a time after at" }],
  });
}
