import type { ImportList } from "#lib/contracts/history-import.ts";
import { listImports as readImports } from "#lib/server/data/imports.ts";
import type { Context } from "./context.ts";
import { describeImport } from "./describe-import.ts";

/** All imports with how far they are, newest first, at most 100. Their tokens are never shown. */
export async function listImports({ ctx }: { ctx: Context }): Promise<ImportList> {
  return { imports: (await readImports(ctx.db)).map(describeImport) };
}
