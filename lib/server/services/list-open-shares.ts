import type { OpenShareList } from "#lib/contracts/share.ts";
import { listOpenShares as readOpenShares } from "#lib/server/data/shares.ts";
import type { Context } from "./context.ts";
import { describeShare } from "./share-format.ts";

/** Links of all investigations that answer, newest first; also those of investigations that were taken away. */
export async function listOpenShares({
  ctx,
  input: { limit, offset },
}: {
  ctx: Context;
  input: { limit: number; offset: number };
}): Promise<OpenShareList> {
  const nowMs = ctx.now();
  const { rows, total } = await readOpenShares(ctx.db.prisma, { nowMs, limit, offset });
  return {
    shares: rows.map(({ share, title, deletedAtMs }) => ({
      ...describeShare(share, nowMs),
      investigation: { investigationId: share.investigationId, title, deletedAt: deletedAtMs },
    })),
    total,
  };
}
