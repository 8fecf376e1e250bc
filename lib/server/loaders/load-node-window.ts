import "server-only";
import { cache } from "react";
import { defaultAddress, readAddress, resolveWindow } from "#lib/charts/view-address.ts";
import type { TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { AppError } from "#lib/errors.ts";
import type { Runtime } from "#lib/server/http/runtime.ts";
import type { Context } from "#lib/server/services/context.ts";
import { getNode } from "#lib/server/services/list-nodes.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** One node as it stands, or undefined when there is none; asked once a request. */
export const loadNodeSummary = cache(async (nodeIdText: string): Promise<NodeSummary | undefined> => {
  const nodeId = /^\d{1,10}$/.test(nodeIdText) ? Number(nodeIdText) : 0;
  if (nodeId < 1 || nodeId > 2_147_483_647) return undefined;
  const { ctx, runtime } = await pageContext();
  try {
    return await getNode({ ctx, input: { nodeId, silentAfterMs: runtime.silentAfterMs } });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
});

/** A node and the window that an address names, with what its parts are read with. */
export interface NodeWindow {
  readonly node: NodeSummary;
  /** What an address without a window shows; decided here, once. */
  readonly defaults: ViewAddress;
  readonly address: ViewAddress;
  readonly window: TimeWindow;
  /** Zone of sentences. */
  readonly zone: string;
  readonly nowMs: number;
  readonly ctx: Context;
  readonly runtime: Runtime;
}

/** Reads an address of one of a node's pages, or undefined when there is no such node. */
export async function loadNodeWindow(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodeWindow | undefined> {
  const node = await loadNodeSummary(nodeIdText);
  if (!node) return undefined;
  const { ctx, runtime } = await pageContext();
  const nowMs = ctx.now();
  const defaults = defaultAddress(node, nowMs);
  const { address } = readAddress(firstOf(parameters), nowMs, defaults);
  // The reader's own zone is not known here; days of `browser` views are read anew by the browser.
  const window = resolveWindow(address, nowMs, "UTC") ?? { fromMs: nowMs - 86_400_000, toMs: nowMs };
  const zone = address.timezone === "utc" || address.timezone === "browser" ? "UTC" : address.timezone;
  return { node, defaults, address, window, zone, nowMs, ctx, runtime };
}
