import { snapshotSchema, type SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { config } from "#lib/server/config.ts";
import type { Context } from "./context.ts";
import { snapshotWriter, type Arrival } from "./snapshot-writer.ts";

const DAY_MS = 86_400_000;
const FIVE_MINUTES_MS = 300_000;
/** Snapshots that are about to expire are rolled up at once: the worker might not get to them. */
const MARGIN_MS = 3_600_000;

/** What became of the snapshots of a history. */
export interface HistoryReceipt {
  snapshots: number;
  rolledUp: number;
  duplicates: number;
  tooOld: number;
  refused: number;
}

/**
 * Stores what was measured long ago, durable when it returns: as snapshots, and where snapshots of that time are no
 * longer kept in roll-ups. Idempotent. The cut between the two lies at five minutes, so that no bucket is of both.
 *
 * @param input.snapshots of one cluster, each hour of a node whole (docs/decisions/0098-history-beyond-snapshots.md).
 * @throws AppError `unavailable` when the database is away.
 */
export async function storeHistory({
  ctx,
  input,
}: {
  ctx: Context;
  input: { clusterId: number; snapshots: readonly SnapshotInput[] };
}): Promise<HistoryReceipt> {
  const nowMs = ctx.now();
  const { rawDays, hourDays } = config().retention;
  const keptFromMs = Math.ceil((nowMs - rawDays * DAY_MS + MARGIN_MS) / FIVE_MINUTES_MS) * FIVE_MINUTES_MS;
  const receipt: HistoryReceipt = { snapshots: 0, rolledUp: 0, duplicates: 0, tooOld: 0, refused: 0 };
  const arrivals: Arrival[] = [];
  for (const each of input.snapshots) {
    const parsed = snapshotSchema.safeParse(each);
    if (!parsed.success) receipt.refused += 1;
    else if (parsed.data.at < nowMs - hourDays * DAY_MS) receipt.tooOld += 1;
    else {
      arrivals.push({
        clusterId: input.clusterId,
        name: parsed.data.node,
        snapshot: parsed.data,
        receivedAtMs: nowMs,
        history: parsed.data.at < keptFromMs ? "rollups" : "snapshots",
      });
    }
  }
  if (arrivals.length === 0) return receipt;
  const outcomes = await snapshotWriter(ctx.db).write(arrivals);
  outcomes.forEach((outcome, index) => {
    if (outcome === "duplicate") receipt.duplicates += 1;
    else if (outcome === "refused") receipt.refused += 1;
    else if (arrivals[index]?.history === "rollups") receipt.rolledUp += 1;
    else receipt.snapshots += 1;
  });
  return receipt;
}
