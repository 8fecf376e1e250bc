import { annotation, type Annotation } from "#lib/contracts/annotation.ts";
import type { AnnotationRow } from "#lib/server/data/annotations.ts";

const { scope, controls, kind, madeBy } = annotation.shape;

/** A stored mark as the contract has it. @throws ZodError for a row that no version of this server wrote. */
export function describeAnnotation(row: AnnotationRow): Annotation {
  return {
    annotationId: row.annotationId,
    at: row.atMs,
    endsAt: row.endsAtMs,
    scope: scope.parse(row.scope),
    nodeIds: row.nodeIds,
    controls: controls.parse(row.controls ?? "auto"),
    controlNodeIds: row.controlNodeIds,
    kind: kind.parse(row.kind),
    title: row.title,
    text: row.text,
    tags: row.tags,
    author: row.author,
    madeBy: madeBy.parse(row.madeBy),
    createdAt: row.createdAtMs,
    updatedAt: row.updatedAtMs,
    deletedAt: row.deletedAtMs,
  };
}
