import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { ensurePartitionsFor, listPartitions, partitionAt, PARTITIONED_TABLES } from "./partitions.ts";

const DAY = 86_400_000;
const AT = Date.UTC(2026, 2, 3, 23, 59, 59, 999);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 8 });
});
afterAll(() => database.drop());

describe("partitions", () => {
  it("hold whole days of UTC, each moment in one", () => {
    for (const table of PARTITIONED_TABLES) {
      const partition = partitionAt(table, AT);
      expect(partition.fromMs % DAY).toBe(0);
      expect(partition.toMs - partition.fromMs).toBe(table.widthDays * DAY);
      expect(partition.fromMs).toBeLessThanOrEqual(AT);
      expect(partition.toMs).toBeGreaterThan(AT);
      expect(partitionAt(table, partition.toMs).fromMs).toBe(partition.toMs);
    }
  });

  it("are made once by four at once, while rows are written, and found again", async () => {
    const { db } = database;
    await ensurePartitionsFor(db, [AT]);
    const writer = await db.pool.connect();
    await writer.query("begin");
    await writer.query(`insert into "Snapshot" ("nodeId", "at", "bootRef") values (1, $1, 1)`, [
      new Date(AT).toISOString(),
    ]);
    // An open insert does not hold up the partition of another day.
    const made = await Promise.all([1, 2, 3, 4].map(() => ensurePartitionsFor(db, [AT + DAY, AT + 2 * DAY])));
    await writer.query("commit");
    writer.release();
    expect(new Set(made.flat())).toContain("Snapshot_p20260305");
    expect(await ensurePartitionsFor({ pool: db.pool }, [AT, AT + DAY])).toEqual([]);
    const names = (await listPartitions(db)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("Snapshot_p"))).toEqual([
      "Snapshot_p20260303",
      "Snapshot_p20260304",
      "Snapshot_p20260305",
    ]);
    const { rows } = await db.pool.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index where indrelid = '"Snapshot_p20260305"'::regclass`,
    );
    expect(rows).toHaveLength(1);
  });
});
