import type { AnnotationFields } from "#lib/contracts/annotation.ts";
import { DB_NULL } from "./client.ts";
import type { Tables } from "./records.ts";

/** One change of a mark; `before` as `annotationFields` has it, null for a deletion. */
export interface RevisionRow {
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly before: unknown;
}

/** Appends a change to the history of a mark; belongs into the transaction of that change. */
export async function appendRevision(
  tables: Pick<Tables, "annotationRevision">,
  annotationId: number,
  revision: { atMs: number; actor: string } & (
    { action: "changed"; before: AnnotationFields } | { action: "deleted" }
  ),
): Promise<void> {
  await tables.annotationRevision.create({
    data: {
      annotationId,
      at: new Date(revision.atMs),
      actor: revision.actor,
      action: revision.action,
      before: revision.action === "changed" ? revision.before : DB_NULL,
    },
    select: { id: true },
  });
}

/** The changes of a mark, oldest first. */
export async function listRevisions(
  tables: Pick<Tables, "annotationRevision">,
  annotationId: number,
): Promise<RevisionRow[]> {
  const rows = await tables.annotationRevision.findMany({
    where: { annotationId },
    orderBy: { id: "asc" },
    select: { at: true, actor: true, action: true, before: true },
  });
  return rows.map(({ at, ...rest }) => ({ atMs: at.getTime(), ...rest }));
}
