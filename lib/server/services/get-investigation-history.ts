import { investigationHistory, type InvestigationHistory } from "#lib/contracts/investigation.ts";
import { listInvestigationRevisions } from "#lib/server/data/investigation-revisions.ts";
import type { Context } from "./context.ts";
import { findVisibleInvestigation } from "./find-editable-investigation.ts";

/**
 * What an investigation and its parts said before each change, and who made it, newest first; also of one that was taken away.
 * @throws AppError `not_found`.
 */
export async function getInvestigationHistory({
  ctx,
  input: { investigationId, limit, offset },
}: {
  ctx: Context;
  input: { investigationId: number; limit: number; offset: number };
}): Promise<InvestigationHistory> {
  const row = await findVisibleInvestigation(ctx, investigationId, { alsoHidden: true });
  const { rows, total } = await listInvestigationRevisions(ctx.db.prisma, investigationId, { limit, offset });
  return investigationHistory.parse({
    investigationId,
    deletedAt: row.deletedAtMs,
    revisions: rows.map(({ atMs, actor, ...rest }) => ({ at: atMs, by: actor, ...rest })),
    total,
  });
}
