import type { IngestReceipt, RejectionCode } from "#lib/contracts/ingest.ts";
import { SNAPSHOT_LIMITS, snapshotSchema, type Snapshot } from "#lib/domain/snapshot/schema.ts";
import { config } from "#lib/server/config.ts";
import { findOrCreateCluster } from "#lib/server/data/identities.ts";
import { databaseAway } from "#lib/server/data/transaction.ts";
import { isDatabaseAway } from "#lib/server/database-away.ts";
import type { Context } from "./context.ts";
import { describeUnknownSections } from "./extra-chain.ts";
import { snapshotWriter, type Arrival } from "./snapshot-writer.ts";

/** Cluster of snapshots that no token assigns to one. */
const DEFAULT_CLUSTER = "default";
const DAY_MS = 86_400_000;

type Rejection = IngestReceipt["rejected"][number];

/**
 * Stores the snapshots of one request, in any order, each once by (node, time). A bad one never spoils its neighbours:
 * it is listed under `rejected` with its place in `items`. What is not listed there is durable when this returns.
 *
 * @param input.items as parsed from the request, unchecked.
 * @param input.cluster name of the cluster, for actors that are not a token of one; made when it is not there.
 * @throws AppError `unavailable` when the database is away: nothing is acknowledged, the same may be sent again.
 */
export async function ingestSnapshots({
  ctx,
  input,
}: {
  ctx: Context;
  input: { items: readonly unknown[]; cluster?: string };
}): Promise<IngestReceipt> {
  const nowMs = ctx.now();
  const rejected: Rejection[] = [];
  const warnings: { index: number; detail: string }[] = [];
  const valid: { index: number; snapshot: Snapshot }[] = [];
  input.items.forEach((item, index) => {
    const checked = check(item, nowMs);
    if ("code" in checked) {
      rejected.push({ index, ...checked });
      return;
    }
    valid.push({ index, snapshot: checked.snapshot });
    for (const detail of describeUnknownSections(checked.snapshot)) warnings.push({ index, detail });
  });
  const outcomes = valid.length === 0 ? [] : await store(ctx, input.cluster, valid, nowMs);
  outcomes.forEach((outcome, place) => {
    const index = valid[place]?.index;
    if (outcome !== "refused" || index === undefined) return;
    rejected.push({
      index,
      code: "invalid",
      detail: "The database cannot hold what this snapshot contains.",
    });
  });
  return {
    accepted: outcomes.filter((outcome) => outcome === "accepted").length,
    duplicates: outcomes.filter((outcome) => outcome === "duplicate").length,
    rejected: rejected.sort((a, b) => a.index - b.index),
    ...(warnings.length > 0 && { warnings }),
  };
}

function check(
  item: unknown,
  nowMs: number,
): { snapshot: Snapshot } | { code: RejectionCode; detail: string } {
  const parsed = snapshotSchema.safeParse(item);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.map(String).join(".") ?? "";
    const detail = `${path === "" ? "The snapshot" : path}: ${issue?.message ?? "is not valid"}`;
    return { code: "invalid", detail: detail.slice(0, 500) };
  }
  const { at } = parsed.data;
  if (at > nowMs + SNAPSHOT_LIMITS.clockAheadMs) {
    const seconds = Math.round((at - nowMs) / 1000);
    return {
      code: "clock_ahead",
      detail: `at: ${seconds} s ahead of the server's clock, at most ${SNAPSHOT_LIMITS.clockAheadMs / 1000} s are accepted; check the node's clock and send it again later`,
    };
  }
  const { rawDays } = config().retention;
  if (at < nowMs - rawDays * DAY_MS) {
    return { code: "too_old", detail: `at: older than the ${rawDays} days that snapshots are kept` };
  }
  return { snapshot: parsed.data };
}

async function store(
  ctx: Context,
  cluster: string | undefined,
  valid: readonly { snapshot: Snapshot }[],
  nowMs: number,
) {
  const clusterId = await clusterOf(ctx, cluster, nowMs);
  const arrivals = valid.map(({ snapshot }): Arrival => ({
    clusterId,
    name: snapshot.node,
    snapshot,
    receivedAtMs: nowMs,
  }));
  return snapshotWriter(ctx.db).write(arrivals);
}

const clusterIds = new WeakMap<Context["db"]["pool"], Map<string, number>>();

async function clusterOf({ db, actor }: Context, name: string | undefined, nowMs: number): Promise<number> {
  if (actor.kind === "token" && actor.clusterId !== undefined) return actor.clusterId;
  const wanted = name ?? DEFAULT_CLUSTER;
  const known = clusterIds.get(db.pool) ?? new Map<string, number>();
  clusterIds.set(db.pool, known);
  const id = known.get(wanted);
  if (id !== undefined) return id;
  try {
    const found = await findOrCreateCluster(db, wanted, nowMs);
    known.set(wanted, found);
    return found;
  } catch (error) {
    throw isDatabaseAway(error) ? databaseAway(error) : error;
  }
}
