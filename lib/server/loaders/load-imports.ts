import "server-only";
import type { ImportList } from "#lib/contracts/history-import.ts";
import { config } from "#lib/server/config.ts";
import { listNodeNames } from "#lib/server/data/nodes.ts";
import { listImports } from "#lib/server/services/list-imports.ts";
import { pageContext } from "./page-context.ts";

/** What the page of imports begins with. */
export interface ImportsPage {
  readonly list: ImportList;
  readonly clusters: readonly string[];
  /** How long snapshots are kept; what is older comes in as roll-ups. */
  readonly rawDays: number;
  readonly readAtMs: number;
}

/** Reads the imports that there are, and the clusters that nodes can come into. */
export async function loadImports(): Promise<ImportsPage> {
  const { ctx } = await pageContext("administrator");
  const [list, nodes] = await Promise.all([listImports({ ctx }), listNodeNames(ctx.db)]);
  return {
    list,
    clusters: [...new Set(nodes.map(({ cluster }) => cluster))].sort(),
    rawDays: config().retention.rawDays,
    readAtMs: ctx.now(),
  };
}
