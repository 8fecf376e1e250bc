import type { Share } from "#lib/contracts/share.ts";
import { listShares as readShares } from "#lib/server/data/shares.ts";
import type { Context } from "./context.ts";
import { findVisibleInvestigation } from "./find-editable-investigation.ts";
import { describeShare } from "./share-format.ts";

/**
 * Links of an investigation, newest first, those that cannot be opened any more too; also of one that was taken away, since its
 * frozen links stay open.
 * @throws AppError `not_found`.
 */
export async function listShares({
  ctx,
  input: { investigationId },
}: {
  ctx: Context;
  input: { investigationId: number };
}): Promise<{ shares: Share[] }> {
  await findVisibleInvestigation(ctx, investigationId, { alsoHidden: true });
  const rows = await readShares(ctx.db.prisma, investigationId);
  return { shares: rows.map((row) => describeShare(row, ctx.now())) };
}
