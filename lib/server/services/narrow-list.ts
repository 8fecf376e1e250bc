import type { Context } from "./context.ts";
import { isConfined, listVisibleNodes } from "./resolve-scope.ts";

const idsOf = (nodes: readonly { readonly nodeId: number }[]) => nodes.map(({ nodeId }) => nodeId);

/** The nodes that a list is about, out of `own` (undefined for all): the one that is asked for, or all of them. */
export function narrowNodeIds(
  own: readonly number[] | undefined,
  nodeId: number | undefined,
): readonly number[] | undefined {
  return nodeId === undefined ? own : [nodeId].filter((each) => own?.includes(each) ?? true);
}

/**
 * What a list of one node, or of all that the actor may see, is narrowed to. A search looks into names of nodes too, in any case; it
 * is undefined for an empty text.
 */
export async function narrowList(
  ctx: Context,
  asked: { nodeId?: number | undefined; search?: string | undefined },
): Promise<{
  nodeIds: readonly number[] | undefined;
  search: { text: string; nodeIds: readonly number[] } | undefined;
}> {
  const text = asked.search?.trim() ?? "";
  const confined = isConfined(ctx);
  const nodes = confined || text !== "" ? await listVisibleNodes(ctx) : [];
  const named = nodes.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return {
    nodeIds: narrowNodeIds(confined ? idsOf(nodes) : undefined, asked.nodeId),
    search: text === "" ? undefined : { text, nodeIds: idsOf(named) },
  };
}
