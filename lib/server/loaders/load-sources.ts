import "server-only";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { loadNodePage } from "./load-node-page.ts";
import type { PageParameters } from "./page-parameters.ts";

/** Reads what a node's collector reads, or undefined when there is no such node. */
export function loadSources(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<NodePageData> | undefined> {
  return loadNodePage(nodeIdText, parameters, () => Promise.resolve({}));
}
