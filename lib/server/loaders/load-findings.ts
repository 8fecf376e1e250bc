import "server-only";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import type { NodePageData } from "#lib/charts/node-page.ts";
import type { Part } from "#lib/charts/node-data.ts";
import { readWord } from "#lib/charts/view-address.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import { certainty, findingState, type FindingList, type NodeFindings } from "#lib/contracts/finding.ts";
import { listFindings, listNodeFindings } from "#lib/server/services/list-findings.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";
import { loadNodePage } from "./load-node-page.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";
import { part } from "./page-part.ts";

/** Findings on the page; more are said to be there. */
const MOST_FINDINGS = 1000;

/** What the fleet's page of findings shows, and how it was asked. */
export interface FindingsPage {
  readonly list: FindingList;
  readonly clusters: readonly string[];
  readonly filter: { cluster: string; state: string; certainty: string };
  readonly faults: readonly AddressFault[];
  readonly nowMs: number;
}

/** Reads the findings of the fleet; what the address has that cannot be read narrows nothing, and `faults` says so. */
export async function loadFindings(parameters: PageParameters): Promise<FindingsPage> {
  const { ctx } = await pageContext();
  const first = firstOf(parameters);
  const faults: AddressFault[] = [];
  const clusters = [...new Set((await listVisibleNodes(ctx)).map(({ cluster }) => cluster))].sort();
  const state = readWord("state", first("state"), findingState.options, faults);
  const surest = readWord("certainty", first("certainty"), certainty.options, faults);
  const cluster = readWord("cluster", first("cluster"), clusters, faults);
  const list = await listFindings({
    ctx,
    input: {
      states: state && [state],
      certainty: surest,
      cluster,
      limit: MOST_FINDINGS,
      offset: 0,
    },
  });
  const filter = { cluster: cluster ?? "", state: state ?? "", certainty: surest ?? "" };
  return { list, clusters, filter, faults, nowMs: ctx.now() };
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
