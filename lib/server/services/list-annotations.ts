import type { Annotation, AnnotationKind } from "#lib/contracts/annotation.ts";
import { listAnnotations as readAnnotations } from "#lib/server/data/annotations.ts";
import type { Context } from "./context.ts";
import { describeAnnotation } from "./describe-annotation.ts";
import { clusterOf, listVisibleNodes } from "./resolve-scope.ts";

/** Most marks that one answer holds: of more, the newest. */
const MAX_ANNOTATIONS = 2000;

/** Marks that touch a window, oldest first; of one node, or of all that the actor may see. */
export async function listAnnotations({
  ctx,
  input,
}: {
  ctx: Context;
  input: { fromMs: number; toMs: number; nodeId?: number | undefined; kind?: AnnotationKind | undefined };
}): Promise<{ annotations: Annotation[] }> {
  const clusterId = clusterOf(ctx);
  const visible =
    clusterId === undefined ? undefined : (await listVisibleNodes(ctx)).map(({ nodeId }) => nodeId);
  const nodeIds =
    input.nodeId === undefined ? visible : [input.nodeId].filter((each) => visible?.includes(each) ?? true);
  const rows = await readAnnotations(ctx.db.prisma, {
    fromMs: input.fromMs,
    toMs: input.toMs,
    nodeIds,
    kinds: input.kind === undefined ? undefined : [input.kind],
    limit: MAX_ANNOTATIONS,
  });
  return { annotations: rows.map(describeAnnotation) };
}
