import type { AnnotationControls, AnnotationKind } from "#lib/contracts/annotation.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import type { NodeName } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { listVisibleNodes, matchScope } from "./resolve-scope.ts";

/** Kinds of mark that are followed, and so compared with nodes left alone. */
export const FOLLOWED_KINDS: readonly AnnotationKind[] = ["intervention", "deploy"];

/**
 * The control nodes that somebody named, by id ascending; none for `auto` and `none`.
 * @throws AppError `unprocessable` that names each node, label or cluster that does not exist, and each that is treated.
 */
export async function resolveControls({
  ctx,
  controls,
  treated,
  kind,
}: {
  ctx: Context;
  controls: AnnotationControls;
  treated: readonly number[];
  kind: AnnotationKind;
}): Promise<number[]> {
  if (typeof controls === "string") return [];
  const result = matchControls(controls, treated, kind, await listVisibleNodes(ctx));
  if (result.issues.length > 0) {
    throw new AppError("unprocessable", "The nodes to compare with cannot be used.", {
      issues: result.issues.slice(0, 20),
    });
  }
  return result.nodeIds;
}

/** As `resolveControls`, on nodes already read: those of a label or cluster that are treated are left out. Pure. */
export function matchControls(
  controls: Exclude<AnnotationControls, string>,
  treated: readonly number[],
  kind: AnnotationKind,
  visible: readonly NodeName[],
): { nodeIds: number[]; issues: Issue[] } {
  const { nodeIds, issues } = matchScope(controls, visible, "controls");
  if (!FOLLOWED_KINDS.includes(kind)) {
    issues.push({ path: "controls", message: `a mark of kind ${kind} is compared with nothing` });
  }
  const isTreated = new Set(treated);
  const byName = new Map(visible.map((node) => [JSON.stringify([node.cluster, node.name]), node.nodeId]));
  controls.nodes?.forEach((each, index) => {
    const nodeId = typeof each === "number" ? each : byName.get(JSON.stringify([each.cluster, each.name]));
    if (nodeId !== undefined && isTreated.has(nodeId)) {
      issues.push({
        path: `controls.nodes.${index}`,
        message: "this node is treated: it cannot be a control",
      });
    }
  });
  const left = nodeIds.filter((nodeId) => !isTreated.has(nodeId));
  if (issues.length === 0 && left.length === 0) {
    issues.push({ path: "controls", message: "no node is left that is not treated" });
  }
  return { nodeIds: left, issues };
}
