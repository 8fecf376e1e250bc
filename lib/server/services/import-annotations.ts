import type { AnnotationFields } from "#lib/contracts/annotation.ts";
import type { AnnotationImport, ImportRow } from "#lib/contracts/annotation-csv.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { listAnnotationsAt } from "#lib/server/data/annotations.ts";
import type { Context } from "./context.ts";
import { storeAnnotations } from "./create-annotation.ts";
import { planAnnotation } from "./plan-annotation.ts";
import { listVisibleNodes } from "./resolve-scope.ts";

/**
 * Makes the marks of a file, all or none. A row that is a mark already makes no second, so that an import may be repeated.
 * @throws AppError `unprocessable` whose issues name line and column.
 */
export async function importAnnotations({
  ctx,
  input: { rows },
}: {
  ctx: Context;
  input: { rows: readonly ImportRow[] };
}): Promise<AnnotationImport> {
  const visible = await listVisibleNodes(ctx);
  const issues: Issue[] = [];
  const planned: AnnotationFields[] = [];
  let machine = 0;
  for (const { line, mark } of rows) {
    if (mark === "machine") {
      machine += 1;
      continue;
    }
    const plan = planAnnotation(ctx, mark, visible);
    planned.push(plan.fields);
    issues.push(...plan.issues.map(({ path, message }) => ({ path: `line ${line}: ${path}`, message })));
  }
  if (issues.length > 0) {
    const [first] = issues;
    throw new AppError(
      "unprocessable",
      `Nothing was imported: ${first?.path ?? ""}: ${first?.message ?? "it is wrong"}.`,
      { issues: issues.slice(0, 20) },
    );
  }
  const there = await listAnnotationsAt(ctx.db.prisma, [...new Set(planned.map(({ at }) => at))]);
  const known = new Set(
    there.map(({ atMs, endsAtMs, kind, title, nodeIds }) =>
      identityOf({ at: atMs, endsAt: endsAtMs, kind, title, nodeIds }),
    ),
  );
  const fresh = planned.filter((mark) => {
    const identity = identityOf(mark);
    const isNew = !known.has(identity);
    known.add(identity);
    return isNew;
  });
  if (fresh.length > 0) await storeAnnotations(ctx, fresh);
  return { created: fresh.length, known: planned.length - fresh.length, machine };
}

/** What makes two marks the same deed. */
function identityOf({
  at,
  endsAt,
  kind,
  title,
  nodeIds,
}: Pick<AnnotationFields, "at" | "endsAt" | "title" | "nodeIds"> & { kind: string }): string {
  return JSON.stringify([at, endsAt, kind, title, nodeIds]);
}
