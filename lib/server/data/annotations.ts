import type { AnnotationControls, AnnotationScope } from "#lib/contracts/annotation.ts";
import { DB_NULL } from "./client.ts";
import type { Tables } from "./records.ts";
import { readMomentMs, soughtMoment } from "./sql-time.ts";

/** A stored mark; times in epoch milliseconds. `scope` as written, `nodeIds` what it meant then. */
export interface AnnotationRow {
  annotationId: number;
  atMs: number;
  endsAtMs: number | null;
  scope: unknown;
  nodeIds: number[];
  /** `"none"` or a scope as written; null for `auto`. */
  controls: unknown;
  controlNodeIds: number[];
  kind: string;
  title: string;
  text: string | null;
  tags: string[];
  author: string;
  madeBy: string;
  createdAtMs: number;
  updatedAtMs: number;
}

/** What a person may set. */
export interface AnnotationFields {
  atMs: number;
  endsAtMs: number | null;
  scope: AnnotationScope;
  nodeIds: readonly number[];
  controls: AnnotationControls;
  controlNodeIds: readonly number[];
  kind: string;
  title: string;
  text: string | null;
  tags: readonly string[];
}

const select = {
  id: true,
  at: true,
  endsAt: true,
  scope: true,
  nodeIds: true,
  controls: true,
  controlNodeIds: true,
  kind: true,
  title: true,
  text: true,
  tags: true,
  author: true,
  madeBy: true,
  createdAt: true,
  updatedAt: true,
} as const;

type Selected = Omit<AnnotationRow, "annotationId" | "atMs" | "endsAtMs" | "createdAtMs" | "updatedAtMs"> & {
  id: number;
  at: Date;
  endsAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

function toAnnotation({ id, at, endsAt, createdAt, updatedAt, ...rest }: Selected): AnnotationRow {
  return {
    annotationId: id,
    atMs: readMomentMs(at),
    endsAtMs: endsAt === null ? null : readMomentMs(endsAt),
    ...rest,
    createdAtMs: createdAt.getTime(),
    updatedAtMs: updatedAt.getTime(),
  };
}

function toColumns(fields: AnnotationFields) {
  return {
    at: new Date(fields.atMs),
    endsAt: fields.endsAtMs === null ? null : new Date(fields.endsAtMs),
    scope: fields.scope,
    nodeIds: [...fields.nodeIds],
    controls: fields.controls === "auto" ? DB_NULL : fields.controls,
    controlNodeIds: [...fields.controlNodeIds],
    kind: fields.kind,
    title: fields.title,
    text: fields.text,
    tags: [...fields.tags],
  };
}

/** Stores a mark made by a person or over the API. */
export async function insertAnnotation(
  tables: Pick<Tables, "annotation">,
  fields: AnnotationFields,
  { author, madeBy, nowMs }: { author: string; madeBy: "person" | "api"; nowMs: number },
): Promise<AnnotationRow> {
  const now = new Date(nowMs);
  const row = await tables.annotation.create({
    data: { ...toColumns(fields), author, madeBy, createdAt: now, updatedAt: now },
    select,
  });
  return toAnnotation(row);
}

/**
 * Replaces what a person may set, if the mark is still as it was at `ifUpdatedAtMs`; undefined when someone else was
 * faster.
 */
export async function replaceAnnotation(
  tables: Pick<Tables, "annotation">,
  annotationId: number,
  fields: AnnotationFields,
  { ifUpdatedAtMs, nowMs }: { ifUpdatedAtMs: number; nowMs: number },
): Promise<AnnotationRow | undefined> {
  const [row] = await tables.annotation.updateManyAndReturn({
    where: { id: annotationId, deletedAt: null, updatedAt: new Date(ifUpdatedAtMs) },
    // Two changes within a millisecond must still differ.
    data: { ...toColumns(fields), updatedAt: new Date(Math.max(nowMs, ifUpdatedAtMs + 1)) },
    select,
  });
  return row === undefined ? undefined : toAnnotation(row);
}

/** Hides a mark. It stays stored, so that one that the machine made is not made again. */
export async function hideAnnotation(
  tables: Pick<Tables, "annotation">,
  annotationId: number,
  nowMs: number,
): Promise<boolean> {
  const { count } = await tables.annotation.updateMany({
    where: { id: annotationId, deletedAt: null },
    data: { deletedAt: new Date(nowMs) },
  });
  return count > 0;
}

/** One mark that is not hidden. */
export async function findAnnotation(
  tables: Pick<Tables, "annotation">,
  annotationId: number,
): Promise<AnnotationRow | undefined> {
  const row = await tables.annotation.findFirst({ where: { id: annotationId, deletedAt: null }, select });
  return row === null ? undefined : toAnnotation(row);
}

/**
 * Marks that touch `[fromMs, toMs]`, oldest first; of too many the newest `limit`. `nodeIds` keeps those that concern
 * at least one of these nodes.
 */
export async function listAnnotations(
  tables: Pick<Tables, "annotation">,
  filter: {
    fromMs: number;
    toMs: number;
    nodeIds?: readonly number[] | undefined;
    kinds?: readonly string[] | undefined;
    limit: number;
  },
): Promise<AnnotationRow[]> {
  const from = soughtMoment(filter.fromMs);
  const rows = await tables.annotation.findMany({
    where: {
      deletedAt: null,
      at: { lte: soughtMoment(filter.toMs) },
      OR: [{ at: { gte: from } }, { endsAt: { gte: from } }],
      ...(filter.nodeIds !== undefined && { nodeIds: { hasSome: [...filter.nodeIds] } }),
      ...(filter.kinds !== undefined && { kind: { in: [...filter.kinds] } }),
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: filter.limit,
    select,
  });
  return rows.reverse().map(toAnnotation);
}

/** Some marks by id, those that are not hidden. */
export async function findAnnotations(
  tables: Pick<Tables, "annotation">,
  annotationIds: readonly number[],
): Promise<Map<number, AnnotationRow>> {
  const rows = await tables.annotation.findMany({
    where: { id: { in: [...annotationIds] }, deletedAt: null },
    select,
  });
  return new Map(rows.map((row) => [row.id, toAnnotation(row)]));
}
