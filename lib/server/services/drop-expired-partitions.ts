import type { Retention } from "#lib/server/config.ts";
import { dropPartitionsBefore } from "#lib/server/data/partitions.ts";
import { forgetDirtyBefore } from "#lib/server/data/rollups.ts";
import type { Context } from "./context.ts";

/**
 * Ends what is older than its retention, by dropping whole partitions: a table keeps up to one partition more than
 * asked for. @returns the names of those dropped.
 */
export async function dropExpiredPartitions({
  ctx,
  input,
}: {
  ctx: Context;
  input: { retention: Retention };
}): Promise<{ dropped: string[] }> {
  const nowMs = ctx.now();
  const dropped = await dropPartitionsBefore(ctx.db, nowMs, input.retention);
  await forgetDirtyBefore(ctx.db, nowMs - (input.retention.rawDays + 1) * 86_400_000);
  return { dropped };
}
