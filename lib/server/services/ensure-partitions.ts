import { ensurePartitionsAhead } from "#lib/server/data/partitions.ts";
import type { Context } from "./context.ts";

/** Makes the partitions of today and the days ahead. @returns the names of those made. */
export async function ensurePartitions({
  ctx,
  input,
}: {
  ctx: Context;
  input: { daysAhead?: number };
}): Promise<{ created: string[] }> {
  return { created: await ensurePartitionsAhead(ctx.db, ctx.now(), input.daysAhead ?? 3) };
}
