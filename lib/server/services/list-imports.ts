import type { ImportList } from "#lib/contracts/history-import.ts";
import { listImports as readImports } from "#lib/server/data/imports.ts";
import { findNodesByNames } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { describeImport } from "./describe-import.ts";

/** All imports with how far they are, newest first, at most 100, and the nodes that they name. Their tokens are never shown. */
export async function listImports({ ctx }: { ctx: Context }): Promise<ImportList> {
  const imports = (await readImports(ctx.db)).map(describeImport);
  const named = imports.flatMap(({ cluster, counts }) => counts.names.map((name) => ({ cluster, name })));
  return { imports, nodes: await findNodesByNames(ctx.db, named) };
}
