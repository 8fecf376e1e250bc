import { AppError } from "#lib/errors.ts";
import { hideInvestigation } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { findEditableInvestigation } from "./find-editable-investigation.ts";
import { removalOf, writeInvestigation } from "./write-investigation.ts";

/**
 * Takes an investigation away; its rows, its history and the audit trail keep it.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function deleteInvestigation({
  ctx,
  input: { investigationId },
}: {
  ctx: Context;
  input: { investigationId: number };
}): Promise<void> {
  const row = await findEditableInvestigation(ctx, investigationId);
  await writeInvestigation(ctx, async (tables, { nowMs }) => {
    if (!(await hideInvestigation(tables, investigationId, nowMs)))
      throw new AppError("not_found", `There is no investigation ${investigationId}.`);
    const change = removalOf("investigation", ["title", "status", "conclusion", "text", "people"], row);
    return { result: undefined, investigationId, change };
  });
}
