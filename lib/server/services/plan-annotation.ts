import type { AnnotationFields, CreateAnnotation } from "#lib/contracts/annotation.ts";
import type { Issue } from "#lib/errors.ts";
import type { NodeName } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { matchControls } from "./resolve-controls.ts";
import { matchScope, scopeAsMeant } from "./resolve-scope.ts";

/** A mark as it would be stored, and what forbids it: scope or controls that name nobody, or an end before the start. Pure. */
export function planAnnotation(
  ctx: Pick<Context, "actor">,
  input: CreateAnnotation,
  visible: readonly NodeName[],
): { fields: AnnotationFields; issues: Issue[] } {
  const scope = scopeAsMeant(ctx, input.scope, visible);
  const asked = input.controls;
  const controls = typeof asked === "string" ? asked : scopeAsMeant(ctx, asked, visible);
  const treated = matchScope(scope, visible);
  const issues = [...treated.issues];
  const endsAt = input.endsAt ?? null;
  const order = orderIssue({ at: input.at, endsAt });
  if (order !== undefined) issues.push(order);
  let controlNodeIds: number[] = [];
  if (typeof controls !== "string") {
    const matched = matchControls(controls, treated.nodeIds, input.kind, visible);
    controlNodeIds = matched.nodeIds;
    issues.push(...matched.issues);
  }
  const fields = {
    at: input.at,
    endsAt,
    scope,
    nodeIds: treated.nodeIds,
    controls,
    controlNodeIds,
    kind: input.kind,
    title: input.title,
    text: input.text ?? null,
    tags: input.tags ?? [],
  };
  return { fields, issues };
}

/** What is wrong with a stretch of time that ends before it begins. Pure. */
export function orderIssue({ at, endsAt }: Pick<AnnotationFields, "at" | "endsAt">): Issue | undefined {
  return endsAt === null || endsAt > at
    ? undefined
    : { path: "endsAt", message: "expected a time after at: the mark ends before it begins" };
}
