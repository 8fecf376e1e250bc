import { AppError } from "#lib/errors.ts";
import { hideInvestigation } from "#lib/server/data/investigations.ts";
import { endSharesOf } from "#lib/server/data/shares.ts";
import { auditRevoked } from "./change-share.ts";
import type { Context } from "./context.ts";
import { findEditableInvestigation } from "./find-editable-investigation.ts";
import { removalOf, writeInvestigation } from "./write-investigation.ts";

/**
 * Takes an investigation away; its rows, its history and the audit trail keep it. Its live links end with it; frozen ones go on
 * answering unless `revokeLinks` ends all of them.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function deleteInvestigation({
  ctx,
  input: { investigationId, revokeLinks },
}: {
  ctx: Context;
  input: { investigationId: number; revokeLinks: boolean };
}): Promise<void> {
  const row = await findEditableInvestigation(ctx, investigationId);
  await writeInvestigation(ctx, async (tables, { nowMs }) => {
    if (!(await hideInvestigation(tables, investigationId, nowMs)))
      throw new AppError("not_found", `There is no investigation ${investigationId}.`);
    const ended = revokeLinks ? await endSharesOf(tables, investigationId, nowMs) : [];
    for (const shareId of ended) await auditRevoked(ctx, tables, { investigationId, shareId });
    const change = removalOf("investigation", ["title", "status", "conclusion", "text", "people"], row);
    return { result: undefined, investigationId, change };
  });
}
