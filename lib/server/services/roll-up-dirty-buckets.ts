import { listDueBuckets, rollUpBucket } from "#lib/server/data/rollups.ts";
import type { Context } from "./context.ts";

/** Transactions that write the last snapshots of a bucket have committed by then. */
const AFTER_END_MS = 60_000;
const BUCKETS_AT_ONCE = 500;

/**
 * Brings the roll-ups up to date with the snapshots, oldest first, until nothing is due or `maxBuckets` are done.
 * Several at once share the work.
 * @returns how many buckets, and how many nodes in them, were computed.
 */
export async function rollUpDirtyBuckets({
  ctx,
  input,
}: {
  ctx: Context;
  input: { maxBuckets?: number };
}): Promise<{ buckets: number; nodes: number }> {
  const maxBuckets = input.maxBuckets ?? 5000;
  const done = { buckets: 0, nodes: 0 };
  for (;;) {
    const due = await listDueBuckets(ctx.db, ctx.now() - AFTER_END_MS, BUCKETS_AT_ONCE);
    let rolled = 0;
    for (const bucket of due) {
      if (done.buckets === maxBuckets) return done;
      const nodes = await rollUpBucket(ctx.db, bucket);
      rolled += nodes;
      if (nodes > 0) done.buckets += 1;
    }
    done.nodes += rolled;
    // What is due and was not rolled up is in the hands of another process.
    if (rolled === 0) return done;
  }
}
