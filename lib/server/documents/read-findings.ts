import { readWord } from "#lib/charts/view-address.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import { certainty, findingState, type FindingList } from "#lib/contracts/finding.ts";
import type { Context } from "#lib/server/services/context.ts";
import { listFindings } from "#lib/server/services/list-findings.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";

/** Findings that are read; more are said to be there. */
const MOST_FINDINGS = 1000;

/** Findings of the fleet, and how they were asked for. */
export interface FindingsReading {
  readonly list: FindingList;
  readonly clusters: readonly string[];
  readonly filter: { cluster: string; state: string; certainty: string };
  readonly faults: readonly AddressFault[];
}

/** Reads the findings of the fleet; what the address has that cannot be read narrows nothing, and `faults` says so. */
export async function readFindings(
  ctx: Context,
  parameter: (name: string) => string | undefined,
): Promise<FindingsReading> {
  const faults: AddressFault[] = [];
  const clusters = [...new Set((await listVisibleNodes(ctx)).map(({ cluster }) => cluster))].sort();
  const state = readWord("state", parameter("state"), findingState.options, faults);
  const surest = readWord("certainty", parameter("certainty"), certainty.options, faults);
  const cluster = readWord("cluster", parameter("cluster"), clusters, faults);
  const list = await listFindings({
    ctx,
    input: { states: state && [state], certainty: surest, cluster, limit: MOST_FINDINGS, offset: 0 },
  });
  return {
    list,
    clusters,
    filter: { cluster: cluster ?? "", state: state ?? "", certainty: surest ?? "" },
    faults,
  };
}
