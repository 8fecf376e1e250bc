import type { Database } from "#lib/server/data/client.ts";
import { SNAPSHOT_COLUMNS, type SnapshotColumn } from "#lib/server/data/snapshot-columns.ts";
import type { SnapshotRow } from "#lib/server/data/snapshots.ts";

/** A node with one boot, for tests of what lies below ingest. */
export async function createNode(
  db: Database,
  options: { cluster?: string; name: string; startedAtMs: number },
): Promise<{ nodeId: number; bootRef: number }> {
  const createdAt = new Date(options.startedAtMs);
  const name = options.cluster ?? "test";
  const cluster = await db.prisma.cluster.upsert({
    where: { name },
    create: { name, createdAt },
    update: {},
  });
  const node = await db.prisma.node.create({
    data: { clusterId: cluster.id, name: options.name, firstSeenAt: createdAt },
  });
  await db.prisma.nodeRevision.create({
    data: {
      nodeId: node.id,
      since: createdAt,
      kernelRelease: "6.1.0",
      cpus: 4,
      pageSizeBytes: 4096,
      versions: {},
      labels: {},
    },
  });
  return { nodeId: node.id, bootRef: await createBoot(db, node.id, "boot-1", options.startedAtMs) };
}

/** A further boot of a node. @returns its id, as rows refer to it. */
export async function createBoot(
  db: Database,
  nodeId: number,
  bootId: string,
  startedAtMs: number,
): Promise<number> {
  const at = new Date(startedAtMs);
  const boot = await db.prisma.boot.create({
    data: { nodeId, bootId, startedAt: at, firstAt: at, lastAt: at },
  });
  return boot.id;
}

/** A row with the given counters; all others are not reported. */
export function snapshotRow(
  identity: { nodeId: number; bootRef: number; atMs: number },
  counters: Partial<Record<SnapshotColumn, number>>,
  rest: Partial<SnapshotRow> = {},
): SnapshotRow {
  return {
    ...identity,
    values: SNAPSHOT_COLUMNS.map((column) => counters[column]),
    marksBucket: true,
    ...rest,
  };
}
