import { MAX_ANNOTATIONS, type Annotation, type AnnotationKind } from "#lib/contracts/annotation.ts";
import {
  countAnnotations,
  countTags,
  listAnnotations as readAnnotations,
  type AnnotationFilter,
} from "#lib/server/data/annotations.ts";
import type { Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { narrowList } from "./narrow-list.ts";
import { ownNodeIds } from "./resolve-scope.ts";

/** What of the marks is asked for; what is left out narrows nothing. */
export interface ListAnnotationsInput {
  fromMs: number;
  toMs: number;
  nodeId?: number | undefined;
  /** Any of them. */
  kinds?: readonly AnnotationKind[] | undefined;
  /** All of them. */
  tags?: readonly string[] | undefined;
  search?: string | undefined;
  /** Those that were taken away instead. */
  deleted?: boolean | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Marks that touch a window, oldest first; of one node, or of all that the actor may see. */
export async function listAnnotations({
  ctx,
  input,
}: {
  ctx: Context;
  input: ListAnnotationsInput;
}): Promise<{ annotations: Annotation[]; total: number }> {
  const limit = input.limit ?? MAX_ANNOTATIONS;
  const offset = input.offset ?? 0;
  const filter: AnnotationFilter = {
    fromMs: input.fromMs,
    toMs: input.toMs,
    ...(await narrowList(ctx, input)),
    kinds: input.kinds,
    tags:
      input.tags === undefined ? undefined : { wishes: input.tags.map((tag) => ({ tag })), matchAny: false },
    hidden: input.deleted,
    limit,
    offset,
  };
  const rows = await readAnnotations(ctx.db.prisma, filter);
  const isAll = rows.length < limit && (rows.length > 0 || offset === 0);
  return {
    annotations: rows.map(describeAnnotation),
    total: isAll ? offset + rows.length : await countAnnotations(ctx.db.prisma, filter),
  };
}

/** Tags of the marks that the actor may see, the most used first. */
export async function listTags({
  ctx,
  input: { limit },
}: {
  ctx: Context;
  input: { limit: number };
}): Promise<{ tags: { tag: string; count: number }[] }> {
  return { tags: await countTags(ctx.db, { nodeIds: await ownNodeIds(ctx), limit }) };
}
