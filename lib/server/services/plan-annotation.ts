import type { AnnotationFields, CreateAnnotation } from "#lib/contracts/annotation.ts";
import type { Issue } from "#lib/errors.ts";
import type { NodeName } from "#lib/server/data/nodes.ts";
import { matchControls } from "./resolve-controls.ts";
import { matchScope } from "./resolve-scope.ts";

/** A mark as it would be stored, and what forbids it: scope or controls that name nobody, or an end before the start. Pure. */
export function planAnnotation(
  input: CreateAnnotation,
  visible: readonly NodeName[],
): { fields: AnnotationFields; issues: Issue[] } {
  const treated = matchScope(input.scope, visible);
  const issues = [...treated.issues];
  const endsAt = input.endsAt ?? null;
  const order = orderIssue({ at: input.at, endsAt });
  if (order !== undefined) issues.push(order);
  let controlNodeIds: number[] = [];
  if (typeof input.controls !== "string") {
    const controls = matchControls(input.controls, treated.nodeIds, input.kind, visible);
    controlNodeIds = controls.nodeIds;
    issues.push(...controls.issues);
  }
  const fields = {
    at: input.at,
    endsAt,
    scope: input.scope,
    nodeIds: treated.nodeIds,
    controls: input.controls,
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
