import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import type { Context } from "#lib/server/services/context.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

const EVERY_MS = 300_000;

/**
 * A database with one node, of id 1, that reported every five minutes from `fromMs` on and before `nowMs`, as `tell` says. It booted
 * a day before that.
 * @returns the database, to be dropped; who asks it; and what of it was not taken.
 */
export async function createNodeHistory(
  { fromMs, nowMs }: { fromMs: number; nowMs: number },
  tell: (atMs: number) => Pick<SnapshotInput, "meminfo"> & Partial<SnapshotInput>,
): Promise<{ database: TestDatabase; ctx: Context; rejected: readonly unknown[] }> {
  const database = await createTestDatabase();
  const ctx: Context = { db: database.db, actor: { kind: "system", name: "test" }, now: () => nowMs };
  const items: SnapshotInput[] = [];
  for (let atMs = fromMs; atMs < nowMs; atMs += EVERY_MS) {
    items.push({
      schemaVersion: 1,
      node: "athens",
      at: atMs,
      bootId: "boot-1",
      uptimeSeconds: 86_400 + (atMs - fromMs) / 1000,
      kernelRelease: "6.1.0-18-amd64",
      cpus: 8,
      ...tell(atMs),
    });
  }
  const { rejected } = await ingestSnapshots({ ctx, input: { items } });
  return { database, ctx, rejected };
}
