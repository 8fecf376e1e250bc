import "server-only";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { loadNodeWindow, type NodeWindow } from "./load-node-window.ts";
import { part } from "./page-part.ts";
import type { PageParameters } from "./page-parameters.ts";

/** Reads a page of a node: what all have, and beside it the parts that `read` gives. Undefined when there is no such node. */
export async function loadNodePage<Own>(
  nodeIdText: string,
  parameters: PageParameters,
  read: (opened: NodeWindow) => Promise<Own>,
): Promise<NodePageStart<NodePageData & Own> | undefined> {
  const opened = await loadNodeWindow(nodeIdText, parameters);
  if (!opened) return undefined;
  const { node, defaults, address, window, nowMs, ctx } = opened;
  const range = { nodeId: node.nodeId, ...window };
  const [annotations, own] = await Promise.all([
    part(
      "annotations",
      listAnnotations({ ctx, input: range }).then((list) => list.annotations),
    ),
    read(opened),
  ]);
  const data = { window, readAtMs: nowMs, node: { ok: true, data: node } as const, annotations };
  return { node, defaults, address, data: { ...data, ...own } };
}
