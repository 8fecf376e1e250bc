import "server-only";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import type { NodePageData } from "#lib/charts/node-page.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { NodeFindings } from "#lib/contracts/finding.ts";
import { readFindings, type FindingsReading } from "#lib/server/documents/read-findings.ts";
import { listNodeFindings } from "#lib/server/services/list-findings.ts";
import { loadNodePage } from "./load-node-page.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";
import { part } from "./page-part.ts";

/** What the fleet's page of findings shows, and how it was asked. */
export interface FindingsPage extends FindingsReading {
  readonly nowMs: number;
}

/** Reads the findings of the fleet. */
export async function loadFindings(parameters: PageParameters): Promise<FindingsPage> {
  const { ctx } = await pageContext();
  return { ...(await readFindings(ctx, firstOf(parameters))), nowMs: ctx.now() };
}

/** Reads what was found on one node, or undefined when there is no such node. */
export function loadNodeFindings(
  nodeIdText: string,
  parameters: PageParameters,
): Promise<NodePageStart<NodePageData & { findings: Part<NodeFindings> }> | undefined> {
  return loadNodePage(nodeIdText, parameters, async ({ ctx, node: { nodeId } }) => ({
    findings: await part("findings", listNodeFindings({ ctx, input: { nodeId } })),
  }));
}
