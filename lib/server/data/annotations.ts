import { ANNOTATION_FIELDS, type AnnotationFields } from "#lib/contracts/annotation.ts";
import { numberArray } from "./array-literal.ts";
import { DB_NULL, type Database } from "./client.ts";
import type { Tables } from "./records.ts";
import { readMomentMs, soughtMoment } from "./sql-time.ts";
import { containing } from "./text-part.ts";
import { hiding } from "./written.ts";

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
  deletedAtMs: number | null;
}

const select = {
  id: true,
  ...ANNOTATION_FIELDS,
  author: true,
  madeBy: true,
  createdAt: true,
  updatedAt: true,
  deletedAt: true,
} as const;

type Selected = Omit<
  AnnotationRow,
  "annotationId" | "atMs" | "endsAtMs" | "createdAtMs" | "updatedAtMs" | "deletedAtMs"
> & {
  id: number;
  at: Date;
  endsAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
};

function toAnnotation({ id, at, endsAt, createdAt, updatedAt, deletedAt, ...rest }: Selected): AnnotationRow {
  return {
    annotationId: id,
    atMs: readMomentMs(at),
    endsAtMs: endsAt === null ? null : readMomentMs(endsAt),
    ...rest,
    createdAtMs: createdAt.getTime(),
    updatedAtMs: updatedAt.getTime(),
    deletedAtMs: deletedAt?.getTime() ?? null,
  };
}

function toColumns(fields: AnnotationFields) {
  return {
    at: new Date(fields.at),
    endsAt: fields.endsAt === null ? null : new Date(fields.endsAt),
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

/** Stores marks made by a person or over the API, in the order given. */
export async function insertAnnotations(
  tables: Pick<Tables, "annotation">,
  marks: readonly AnnotationFields[],
  { author, madeBy, nowMs }: { author: string; madeBy: "person" | "api"; nowMs: number },
): Promise<AnnotationRow[]> {
  const now = new Date(nowMs);
  const rows = await tables.annotation.createManyAndReturn({
    data: marks.map((fields) => ({ ...toColumns(fields), author, madeBy, createdAt: now, updatedAt: now })),
    select,
  });
  return rows.map(toAnnotation).sort((a, b) => a.annotationId - b.annotationId);
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
  const { count } = await tables.annotation.updateMany(hiding(annotationId, nowMs));
  return count > 0;
}

/** One mark; a hidden one only where that is asked for. */
export async function findAnnotation(
  tables: Pick<Tables, "annotation">,
  annotationId: number,
  { alsoHidden = false }: { alsoHidden?: boolean } = {},
): Promise<AnnotationRow | undefined> {
  const row = await tables.annotation.findFirst({
    where: { id: annotationId, ...(!alsoHidden && { deletedAt: null }) },
    select,
  });
  return row === null ? undefined : toAnnotation(row);
}

/** Marks that are not hidden and begin at one of some moments, e.g. to find those that are there already. */
export async function listAnnotationsAt(
  tables: Pick<Tables, "annotation">,
  timesMs: readonly number[],
): Promise<AnnotationRow[]> {
  const rows = await tables.annotation.findMany({
    where: { deletedAt: null, at: { in: timesMs.map(soughtMoment) } },
    select,
  });
  return rows.map(toAnnotation);
}

/** One wish of a list: the tag, or instead of it the kind or a node that it stands for. */
export interface TagWish {
  readonly tag: string;
  readonly kind?: string | undefined;
  readonly nodeIds?: readonly number[] | undefined;
}

export interface AnnotationFilter {
  /** Marks that touch `[fromMs, toMs]`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Those that concern at least one of these nodes. */
  readonly nodeIds?: readonly number[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly tags?: { readonly wishes: readonly TagWish[]; readonly matchAny: boolean } | undefined;
  /** Part of a text, and the nodes whose names have it. */
  readonly search?: { readonly text: string; readonly nodeIds: readonly number[] } | undefined;
  readonly hidden?: boolean | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

function whereOf(filter: AnnotationFilter) {
  const from = soughtMoment(filter.fromMs);
  const wishes = (filter.tags?.wishes ?? []).map(({ tag, kind, nodeIds }) => ({
    OR: [
      { tags: { has: tag } },
      ...(kind === undefined ? [] : [{ kind }]),
      ...(nodeIds === undefined ? [] : [{ nodeIds: { hasSome: [...nodeIds] } }]),
    ],
  }));
  const { search } = filter;
  const part = containing(search?.text ?? "");
  return {
    deletedAt: filter.hidden === true ? { not: null } : null,
    at: { lte: soughtMoment(filter.toMs) },
    ...(filter.nodeIds !== undefined && { nodeIds: { hasSome: [...filter.nodeIds] } }),
    ...(filter.kinds !== undefined && { kind: { in: [...filter.kinds] } }),
    AND: [
      { OR: [{ at: { gte: from } }, { endsAt: { gte: from } }] },
      ...(filter.tags?.matchAny === true && wishes.length > 0 ? [{ OR: wishes }] : wishes),
      ...(search === undefined
        ? []
        : [
            {
              OR: [
                { title: part },
                { text: part },
                { author: part },
                { tags: { has: search.text } },
                { nodeIds: { hasSome: [...search.nodeIds] } },
              ],
            },
          ]),
    ],
  };
}

/** Marks of a filter, oldest first; of too many the newest `limit`, less the newest `offset`. */
export async function listAnnotations(
  tables: Pick<Tables, "annotation">,
  filter: AnnotationFilter,
): Promise<AnnotationRow[]> {
  const rows = await tables.annotation.findMany({
    where: whereOf(filter),
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: filter.limit,
    skip: filter.offset ?? 0,
    select,
  });
  return rows.reverse().map(toAnnotation);
}

/** How many marks fit a filter, whatever its `limit`. */
export function countAnnotations(
  tables: Pick<Tables, "annotation">,
  filter: AnnotationFilter,
): Promise<number> {
  return tables.annotation.count({ where: whereOf(filter) });
}

/** Tags of marks that are not hidden, the most used first; of marks that concern one of `nodeIds`. */
export async function countTags(
  db: Database,
  { nodeIds, limit }: { nodeIds: readonly number[] | undefined; limit: number },
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await db.pool.query<{ tag: string; count: number }>(
    `select t."tag", count(*)::int as count from "Annotation" a, unnest(a."tags") t("tag")
     where a."deletedAt" is null and ($1::int[] is null or a."nodeIds" && $1)
     group by t."tag" order by count(*) desc, t."tag" limit $2`,
    [nodeIds === undefined ? null : numberArray(nodeIds), limit],
  );
  return rows;
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
