import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { findNodeByName, listNodesNewest } from "#lib/server/data/nodes.ts";
import { listPartitions } from "#lib/server/data/partitions.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import type { Context } from "./context.ts";
import { dropExpiredPartitions } from "./drop-expired-partitions.ts";
import { ensurePartitions } from "./ensure-partitions.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";
import { markSilentCollectors } from "./mark-silent-collectors.ts";
import { refreshOutlooks } from "./refresh-outlooks.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 3, 12, 2);
const RETENTION = { rawDays: 14, fiveMinuteDays: 90, hourDays: 730 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 8 });
});
afterAll(() => database.drop());

function context(nowMs: number): Context {
  return { db: database.db, actor: { kind: "system", name: "worker" }, now: () => nowMs };
}

function snapshot(node: string, at: number, rest: Partial<SnapshotInput> = {}): SnapshotInput {
  const uptimeSeconds = (at - (NOW - 20 * DAY)) / 1000;
  return {
    ...{ schemaVersion: 1, node, at, bootId: "boot-a", uptimeSeconds, kernelRelease: "6.1.0", cpus: 4 },
    meminfo: { MemTotal: 10_000, MemFree: 4000, SUnreclaim: 100 },
    ...rest,
  };
}

const ingest = (items: SnapshotInput[], nowMs = NOW) =>
  ingestSnapshots({ ctx: context(nowMs), input: { items } });

async function nodeOf(name: string) {
  const node = await findNodeByName(database.db, "default", name);
  if (!node) throw new Error(`no node ${name}`);
  return node;
}

describe("rollUpDirtyBuckets", () => {
  it("computes what is over, hours after their parts, and shares the work between two at once", async () => {
    const items = Array.from({ length: 4 * 3 * 60 }, (_, index) =>
      snapshot(`roll-${index % 3}`, NOW - 4 * HOUR + Math.floor(index / 3) * MINUTE),
    );
    await ingest(items);
    const results = await Promise.all(
      [1, 2, 3].map(() => rollUpDirtyBuckets({ ctx: context(NOW), input: {} })),
    );
    await rollUpDirtyBuckets({ ctx: context(NOW), input: {} });
    expect(results.reduce((sum, { nodes }) => sum + nodes, 0)).toBeGreaterThan(0);
    const count = async (table: string) => {
      const { rows } = await database.db.pool.query<{ rows: number; samples: number }>(
        `select count(*)::int as rows, sum("samples")::int as samples from "${table}"`,
      );
      return rows[0];
    };
    // 08:02 to 12:01; of 12:00 to 12:05 nothing is over at 12:02.
    expect(await count("SnapshotRollup5min")).toEqual({ rows: 3 * 48, samples: 3 * 238 });
    expect(await count("SnapshotRollup1h")).toEqual({ rows: 3 * 4, samples: 3 * 238 });
    expect(await rollUpDirtyBuckets({ ctx: context(NOW), input: {} })).toEqual({ buckets: 0, nodes: 0 });
    await rollUpDirtyBuckets({ ctx: context(NOW + HOUR), input: {} });
    expect(await count("SnapshotRollup1h")).toEqual({ rows: 3 * 5, samples: 3 * 240 });
  });

  it("loses no snapshot that is written while it runs", async () => {
    const start = NOW - 3 * DAY;
    const total = 600;
    let written = 0;
    const write = async (lane: number) => {
      for (let index = lane; index < total; index += 3) {
        await ingest([snapshot("racing", start + index * 1000)]);
        written += 1;
      }
    };
    const roll = async () => {
      while (written < total) await rollUpDirtyBuckets({ ctx: context(NOW), input: {} });
    };
    await Promise.all([write(0), write(1), write(2), roll(), roll()]);
    await rollUpDirtyBuckets({ ctx: context(NOW), input: {} });
    const { nodeId } = await nodeOf("racing");
    const { rows } = await database.db.pool.query(
      `select sum("samples")::int as samples from "SnapshotRollup5min" where "nodeId" = $1
       union all select sum("samples")::int from "SnapshotRollup1h" where "nodeId" = $1`,
      [nodeId],
    );
    expect(rows).toEqual([{ samples: total }, { samples: total }]);
  });
});

describe("partitions", () => {
  it("are made ahead once, and dropped when wholly out of their retention", async () => {
    const far = NOW + 400 * DAY;
    const made = await Promise.all([1, 2].map(() => ensurePartitions({ ctx: context(far), input: {} })));
    expect(new Set(made.flatMap(({ created }) => created)).size).toBeGreaterThanOrEqual(5 * 4 + 2);
    expect(await ensurePartitions({ ctx: context(far), input: {} })).toEqual({ created: [] });
    const snapshotDays = async () =>
      (await listPartitions(database.db))
        .filter(({ table }) => table === "Snapshot")
        .map(({ name }) => name.slice(-8));
    await ingest([snapshot("kept", NOW - 14 * DAY)]);
    expect(await snapshotDays()).toContain("20260217");
    await dropExpiredPartitions({ ctx: context(NOW), input: { retention: RETENTION } });
    expect(await snapshotDays()).toContain("20260217");
    const results = await Promise.all(
      [1, 2].map(() => dropExpiredPartitions({ ctx: context(NOW + DAY), input: { retention: RETENTION } })),
    );
    expect(results.flatMap(({ dropped }) => dropped)).toContain("Snapshot_p20260217");
    expect(await snapshotDays()).not.toContain("20260217");
    // What another process had dropped meanwhile is made again where it is still within the retention.
    const gone = (await listPartitions(database.db)).find(({ name }) => name === "Snapshot_p20260303");
    await database.db.pool.query(`drop table "${gone?.name}"`);
    expect(await ingest([snapshot("kept", NOW)])).toMatchObject({ accepted: 1 });
  });
});

describe("markSilentCollectors", () => {
  const check = (nowMs: number, upSinceMs = NOW - DAY) =>
    markSilentCollectors({ ctx: context(nowMs), input: { silentAfterMs: 5 * MINUTE, upSinceMs } });
  const marks = async (nodeId: number) => {
    const rows = await database.db.prisma.annotation.findMany({
      where: { kind: "collector-silent", nodeIds: { has: nodeId } },
      orderBy: { at: "asc" },
    });
    return rows.map(({ at, endsAt, deletedAt }) => [at.getTime(), endsAt?.getTime(), deletedAt !== null]);
  };

  it("makes one mark for each silence and ends it with the first snapshot after", async () => {
    await ingest([snapshot("quiet", NOW)]);
    const { nodeId } = await nodeOf("quiet");
    await check(NOW + 4 * MINUTE);
    expect(await marks(nodeId)).toEqual([]);
    await check(NOW + 6 * MINUTE, NOW + 3 * MINUTE);
    expect(await marks(nodeId)).toEqual([]);
    await Promise.all([check(NOW + 6 * MINUTE), check(NOW + 6 * MINUTE)]);
    await check(NOW + 20 * MINUTE);
    expect(await marks(nodeId)).toEqual([[NOW, undefined, false]]);
    await ingest(
      [20, 21].map((minute) => snapshot("quiet", NOW + minute * MINUTE)),
      NOW + 21 * MINUTE,
    );
    await check(NOW + 22 * MINUTE);
    await check(NOW + 40 * MINUTE);
    expect(await marks(nodeId)).toEqual([
      [NOW, NOW + 20 * MINUTE, false],
      [NOW + 21 * MINUTE, undefined, false],
    ]);
    // The collector was there all along and only delivers now.
    await ingest(
      [22, 30, 41].map((minute) => snapshot("quiet", NOW + minute * MINUTE)),
      NOW + 41 * MINUTE,
    );
    await check(NOW + 42 * MINUTE);
    expect((await marks(nodeId))[1]).toEqual([NOW + 21 * MINUTE, NOW + 22 * MINUTE, true]);
  });
});

describe("refreshOutlooks", () => {
  it("computes half hours of kernel memory, and containers an hour across a reboot", async () => {
    const items = Array.from({ length: 25 * 60 }, (_, minute): SnapshotInput => {
      const second = minute >= 24.5 * 60;
      const at = NOW - 25 * HOUR + minute * MINUTE;
      return snapshot("outlook", at, {
        bootId: second ? "boot-b" : "boot-a",
        uptimeSeconds: second ? 60 * (minute - 24.5 * 60) : 60 * minute + 90,
        meminfo: { MemTotal: 10_000, MemFree: 4000, AnonPages: 5000, SUnreclaim: Math.floor(minute / 30) },
        containersStarted: second ? (minute - 24.5 * 60) * 2 : minute,
      });
    });
    for (let first = 0; first < items.length; first += 500) await ingest(items.slice(first, first + 500));
    await ingest([snapshot("plain", NOW)]);
    await rollUpDirtyBuckets({ ctx: context(NOW + 5 * MINUTE), input: {} });
    await refreshOutlooks({ ctx: context(NOW) });
    const { outlook, nodeId } = await nodeOf("outlook");
    expect(outlook?.sparkline.timesMs).toHaveLength(48);
    expect(outlook?.sparkline.timesMs[0]).toBe(Date.UTC(2026, 2, 2, 12, 30));
    // What no counter explains is kernel memory too, so the leak only moves between the two.
    expect(new Set(outlook?.sparkline.valuesKib)).toEqual(new Set([1000]));
    expect(outlook?.containersPerHour).toBeGreaterThan(60);
    expect(outlook?.containersPerHour).toBeLessThan(120);
    expect((await nodeOf("plain")).outlook?.containersPerHour).toBe(null);

    await refreshOutlooks({ ctx: context(NOW + MINUTE), input: { nodeIds: [nodeId] } });
    expect((await nodeOf("outlook")).outlook?.computedAtMs).toBe(NOW + MINUTE);
    expect((await nodeOf("plain")).outlook?.computedAtMs).toBe(NOW);
    expect((await listNodesNewest(database.db)).map(({ name }) => name)).toContain("outlook");
  });
});
