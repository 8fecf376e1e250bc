import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBoot, createNode, snapshotRow } from "../../../scripts/testing/snapshot-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { listDueBuckets, rollUpBucket } from "./rollups.ts";
import { readArraySeries, readExtraSeries, readSeries } from "./series.ts";
import { readSnapshotAt } from "./snapshot-at.ts";
import type { StoredNewest } from "./newest-states.ts";
import { insertSnapshots, type ExtraRow, type SnapshotRow } from "./snapshots.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Tuesday at noon. */
const START = Date.UTC(2026, 2, 3, 12);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function rollUp(endedBeforeMs: number): Promise<void> {
  for (;;) {
    const due = await listDueBuckets(database.db, endedBeforeMs, 1000);
    if (due.length === 0) return;
    for (const bucket of due) await rollUpBucket(database.db, bucket);
  }
}

const sequence = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("insertSnapshots", () => {
  it("accepts each (node, time) once, within a batch, across batches and from two writers at once", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "once", startedAtMs: START });
    const row = (index: number) =>
      snapshotRow({ nodeId, bootRef, atMs: START + index * 15_000 }, { MemTotal: index });
    const batch = [row(0), row(1), row(0), row(2)];
    expect(await insertSnapshots(db, batch)).toMatchObject({ acceptedIndexes: [0, 1, 3] });
    expect(await insertSnapshots(db, [row(3), row(1)])).toMatchObject({ acceptedIndexes: [0] });
    const many = sequence(200).map((index) => row(1000 + index));
    const answers = await Promise.all(sequence(4).map(() => insertSnapshots(db, many)));
    expect(answers.flatMap((answer) => answer.acceptedIndexes)).toHaveLength(200);
  });

  it("keeps the newest state of a node, whatever order snapshots come in", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "newest", startedAtMs: START });
    const put = (minutes: number[]) =>
      insertSnapshots(
        db,
        minutes.map((minute) =>
          snapshotRow(
            { nodeId, bootRef, atMs: START + minute * MINUTE },
            { MemTotal: minute },
            {
              newest: {
                receivedAtMs: START,
                details: () => ({ watch: [{ path: '/a "b" \\c', files: 1 }] }),
                sources: undefined,
              },
            },
          ),
        ),
      );
    await put([3, 5, 4]);
    await put([2]);
    const row = await db.prisma.nodeNewest.findUniqueOrThrow({ where: { nodeId } });
    expect(row.at.getTime()).toBe(START + 5 * MINUTE);
    expect(row.counters).toEqual({ MemTotal: 5 });
    expect(row.details).toEqual({ watch: [{ path: '/a "b" \\c', files: 1 }] });
  });

  it.each([
    ["remembers the state before", true],
    ["does not know the state before", false],
  ])(
    "carries what comes less often, within a boot and while its source reads well: %s",
    async (name, remembers) => {
      const { db } = database;
      const { nodeId, bootRef } = await createNode(db, { name, startedAtMs: START });
      let known: StoredNewest | undefined;
      type Sample = [minute: number, boot: number, counters: object, status: string];
      const put = async (samples: Sample[], before = known) => {
        const { newest } = await insertSnapshots(
          db,
          samples.map(([minute, boot, counters, status]) => ({
            ...snapshotRow(
              { nodeId, bootRef: boot, atMs: START + minute * MINUTE },
              { MemTotal: minute, ...counters },
            ),
            newest: {
              receivedAtMs: START,
              details: () => ({}),
              sources: { "cgroup-walk": { status, readMs: minute } },
              before,
            },
          })),
        );
        if (remembers) known = newest.get(nodeId);
      };
      const state = () => db.prisma.nodeNewest.findUniqueOrThrow({ where: { nodeId } });
      const counters = async () => (await state()).counters;
      await put([
        [1, bootRef, { cgroupDying: 7 }, "ok"],
        [2, bootRef, {}, "ok"],
      ]);
      expect(await counters()).toEqual({ MemTotal: 2, cgroupDying: 7 });
      await put([[3, bootRef, {}, "ok"]]);
      expect(await counters()).toEqual({ MemTotal: 3, cgroupDying: 7 });
      expect((await state()).sources).toEqual({
        "cgroup-walk": { status: "ok", readMs: 3, since: START + 2 * MINUTE },
      });
      await put([[4, bootRef, {}, "denied"]]);
      expect(await counters()).toEqual({ MemTotal: 4 });
      await put([[5, bootRef, { cgroupDying: 0 }, "ok"]]);
      const next = await createBoot(db, nodeId, `${name} again`, START + 6 * MINUTE);
      await put([[7, next, {}, "ok"]]);
      expect(await counters()).toEqual({ MemTotal: 7 });
    },
  );

  it("goes by what is stored where another process has stored a state meanwhile", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "two writers", startedAtMs: START });
    const put = async (
      minute: number,
      changes: { cgroupDying?: number; status: string; before?: StoredNewest },
    ) => {
      const { cgroupDying, status, before } = changes;
      const row = snapshotRow(
        { nodeId, bootRef, atMs: START + minute * MINUTE },
        { MemTotal: 1, ...(cgroupDying !== undefined && { cgroupDying }) },
      );
      const newest = {
        receivedAtMs: START,
        details: () => ({}),
        sources: { "cgroup-walk": { status: "ok" }, slabinfo: { status } },
        before,
      };
      return (await insertSnapshots(db, [{ ...row, newest }])).newest.get(nodeId);
    };
    const mine = await put(1, { cgroupDying: 7, status: "denied" });
    await put(2, { cgroupDying: 9, status: "ok" });
    const after = await put(3, { status: "ok", ...(mine && { before: mine }) });
    // What came late is no newest state, whatever its writer knew.
    expect(
      await put(1.5, { cgroupDying: 1, status: "denied", ...(mine && { before: mine }) }),
    ).toBeUndefined();
    const row = await db.prisma.nodeNewest.findUniqueOrThrow({ where: { nodeId } });
    expect(row.counters).toEqual({ MemTotal: 1, cgroupDying: 9 });
    expect(row.sources).toMatchObject({ slabinfo: { status: "ok", since: START + 2 * MINUTE } });
    expect(after).toMatchObject({ atMs: START + 3 * MINUTE, sparse: { cgroupDying: 9 } });
  });

  it("writes the sources of a state anew when one of them changes, and else once a minute", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "sources", startedAtMs: START });
    let before: StoredNewest | undefined;
    const readAfter = async (seconds: number, detail?: string) => {
      const row = snapshotRow({ nodeId, bootRef, atMs: START + seconds * 1000 }, { MemTotal: seconds });
      const sources = { slabinfo: { status: "denied", readMs: seconds, detail } };
      const newest = { receivedAtMs: START, details: () => ({}), sources, before };
      before = (await insertSnapshots(db, [{ ...row, newest }])).newest.get(nodeId);
      const state = await db.prisma.nodeNewest.findUniqueOrThrow({ where: { nodeId } });
      expect(state.counters).toEqual({ MemTotal: seconds });
      return state.sources;
    };
    const since = START + 1000;
    expect(await readAfter(1)).toEqual({ slabinfo: { status: "denied", readMs: 1, since } });
    expect(await readAfter(31)).toEqual({ slabinfo: { status: "denied", readMs: 1, since } });
    expect(await readAfter(46, "why")).toEqual({
      slabinfo: { status: "denied", readMs: 46, detail: "why", since },
    });
    expect(await readAfter(61, "why")).toMatchObject({ slabinfo: { readMs: 46 } });
    expect(await readAfter(106, "why")).toMatchObject({ slabinfo: { readMs: 106, since } });
  });

  it("refuses a number that cannot be exact on the way back", async () => {
    const { db } = database;
    await expect(db.pool.query("select 9007199254740993::bigint as x")).rejects.toThrow(/does not fit/);
  });
});

describe("readSeries", () => {
  it("gives single samples as they are while they are fewer than the points asked for", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "single", startedAtMs: START - HOUR });
    const rows = sequence(8).map((index) =>
      snapshotRow({ nodeId, bootRef, atMs: START + index * 15_000 + 7 }, { MemTotal: 100, MemFree: index }),
    );
    await insertSnapshots(db, rows);
    const frame = await readSeries(db, {
      nodeId,
      columns: ["MemTotal", "MemFree", "Percpu"],
      fromMs: START,
      toMs: START + HOUR,
      points: 600,
    });
    expect(frame.timesMs).toEqual(rows.map((row) => row.atMs));
    expect(frame.columns).toEqual({
      MemTotal: new Array(8).fill(100),
      MemFree: sequence(8),
      Percpu: new Array(8).fill(null),
    });
    expect(frame.resolution).toEqual({ source: "raw", bucketSeconds: 10 });
    expect(frame.bootIds).toEqual(new Array(8).fill("boot-1"));
    expect([frame.gaps, frame.reboots]).toEqual([[], []]);
  });

  it("averages over buckets, keeps extremes, never mixes two boots, and leaves gaps", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "buckets", startedAtMs: START - HOUR });
    const second = await createBoot(db, nodeId, "boot-2", START + 25 * 60_000 + 5000);
    // 30 minutes at 15 s; reboot after 25; then 20 minutes of silence and 10 more of samples.
    const rows = [...sequence(120), ...sequence(40).map((index) => 200 + index)].map((index) =>
      snapshotRow(
        { nodeId, bootRef: index < 100 ? bootRef : second, atMs: START + index * 15_000 },
        { MemFree: index, AnonPages: index % 2 === 0 ? 10 : 30 },
      ),
    );
    await insertSnapshots(db, rows);
    const frame = await readSeries(db, {
      nodeId,
      columns: ["MemFree", "AnonPages"],
      fromMs: START,
      toMs: START + HOUR,
      points: 7,
      withExtremes: true,
    });
    expect(frame.resolution).toEqual({ source: "raw", bucketSeconds: 600 });
    expect(frame.bootIds).toEqual(["boot-1", "boot-1", "boot-1", "boot-2", "boot-2"]);
    expect(frame.samples).toEqual([40, 40, 20, 20, 40]);
    expect(frame.columns.MemFree).toEqual([19.5, 59.5, 89.5, 109.5, 219.5]);
    expect(frame.columns.AnonPages).toEqual(new Array(5).fill(20));
    expect(frame.extremes.AnonPages).toEqual({
      min: new Array<number>(5).fill(10),
      max: new Array<number>(5).fill(30),
    });
    expect(frame.timesMs[0]).toBe(START + 19.5 * 15_000);
    expect(frame.gaps).toEqual([{ from: START + 119 * 15_000, to: START + 200 * 15_000 }]);
    expect(frame.reboots).toEqual([
      { at: START + 25 * MINUTE + 5000, bootId: "boot-2", lastSampleAt: START + 99 * 15_000 },
    ]);
  });

  it("answers the same from roll-ups as from snapshots, before, during and after the rolling up", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "rolled", startedAtMs: START - HOUR });
    const second = await createBoot(db, nodeId, "boot-2", START + 30 * HOUR + 3 * MINUTE);
    const rows = sequence(48 * 60).map((minute) =>
      snapshotRow(
        { nodeId, bootRef: minute < 30 * 60 + 3 ? bootRef : second, atMs: START + minute * MINUTE },
        {
          MemTotal: 1000,
          SUnreclaim: minute,
          ...(minute % 3 === 0 ? { Percpu: 7 } : {}),
        },
      ),
    );
    await insertSnapshots(db, rows);
    const read = (points: number) =>
      readSeries(db, {
        nodeId,
        columns: ["MemTotal", "SUnreclaim", "Percpu"],
        fromMs: START,
        toMs: START + 48 * HOUR,
        points,
        withExtremes: true,
      });
    const before = [await read(600), await read(49)];
    expect(before.map((frame) => frame.resolution.source)).toEqual(["raw", "raw"]);
    await rollUp(START + 20 * HOUR);
    const during = [await read(600), await read(49)];
    await rollUp(START + 48 * HOUR);
    const after = [await read(600), await read(49)];
    expect(after.map((frame) => frame.resolution)).toEqual([
      { source: "5min", bucketSeconds: 300 },
      { source: "1h", bucketSeconds: 3600 },
    ]);
    expect(after[0]?.timesMs).toHaveLength(48 * 12 + 1);
    expect(after[1]?.timesMs).toHaveLength(48 + 1);
    for (const frames of [before, during]) {
      frames.forEach((frame, index) => {
        const rolled = after[index];
        expect(frame.samples).toEqual(rolled?.samples);
        expect(frame.timesMs).toEqual(rolled?.timesMs);
        expect(frame.bootIds).toEqual(rolled?.bootIds);
        for (const column of ["SUnreclaim", "Percpu"]) {
          expect(frame.extremes[column]).toEqual(rolled?.extremes[column]);
        }
        expect(frame.reboots).toEqual(rolled?.reboots);
        for (const [column, values] of Object.entries(frame.columns)) {
          values.forEach((value, point) =>
            expect(rolled?.columns[column]?.[point]).toBeCloseTo(value ?? NaN, 6),
          );
        }
      });
    }
  });

  it("shows late snapshots at once and keeps them when their buckets are rolled up again", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "late", startedAtMs: START });
    const row = (minute: number) =>
      snapshotRow({ nodeId, bootRef, atMs: START + minute * MINUTE }, { SUnreclaim: minute });
    await insertSnapshots(
      db,
      sequence(48 * 60).flatMap((minute) => (minute % 60 < 30 ? [row(minute)] : [])),
    );
    await rollUp(START + 48 * HOUR);
    const read = () =>
      readSeries(db, {
        nodeId,
        columns: ["SUnreclaim"],
        fromMs: START,
        toMs: START + 48 * HOUR,
        points: 600,
      });
    const sum = async () => (await read()).samples.reduce((total, count) => total + count, 0);
    expect(await sum()).toBe(24 * 60);
    await insertSnapshots(
      db,
      sequence(30).map((minute) => row(10 * 60 + 30 + minute)),
    );
    expect(await sum()).toBe(24 * 60 + 30);
    await rollUp(START + 48 * HOUR);
    expect(await sum()).toBe(24 * 60 + 30);
    expect((await read()).resolution.source).toBe("5min");
    const { rows } = await db.pool.query(`select from "DirtyBucket" where "nodeId" = $1`, [nodeId]);
    expect(rows).toHaveLength(0);
  });

  it("reads a day of a node through the primary key alone", async () => {
    const { db } = database;
    const { rows } = await db.pool.query<{ "QUERY PLAN": string }>(
      `explain select avg("MemFree"::float8) from "Snapshot" where "nodeId" = 1 and "at" >= '2026-03-03T00:00Z' and "at" < '2026-03-04T00:00Z'`,
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Snapshot_p20260303_pkey/);
    expect(plan).not.toMatch(/Seq Scan|Snapshot_p20260304/);
  });
});

describe("counters without a column", () => {
  it("are put together from a keyframe and what changed, chain by chain", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "extra", startedAtMs: START });
    const chain: [number, number, Record<string, number>][] = [
      [0, 0, { a: 1, b: 5 }],
      [1, 0, { a: 2 }],
      // A late keyframe in between does not disturb the chain around it.
      [1.5, 1.5, { a: 50, b: 50 }],
      [2, 0, { b: 6 }],
    ];
    const extras = chain.map(([minute, base, vmstat]): ExtraRow => ({
      nodeId,
      bootRef,
      atMs: START + minute * MINUTE,
      baseAtMs: START + base * MINUTE,
      countersJson: JSON.stringify({ vmstat, meminfo: minute === 0 ? { NFS_Unstable: 3 } : {} }),
    }));
    const rows = chain.map(([minute]) =>
      snapshotRow(
        { nodeId, bootRef, atMs: START + minute * MINUTE },
        { MemTotal: 9, oom_kill: 0, Active_anon: 4 },
      ),
    );
    await insertSnapshots(db, rows, { extrasOf: () => extras });
    const range = { nodeId, fromMs: START, toMs: START + 10 * MINUTE, points: 600 };
    const a = await readExtraSeries(db, { ...range, section: "vmstat", key: "a" });
    expect(a.values).toEqual([1, 2, 50, 2]);
    expect(a.timesMs).toEqual(rows.map((row) => row.atMs));
    const later = await readExtraSeries(db, {
      ...range,
      fromMs: START + 90_001,
      section: "vmstat",
      key: "b",
    });
    expect(later.values).toEqual([6]);
    const snapshot = await readSnapshotAt(db, nodeId, START + 5 * MINUTE);
    expect(snapshot).toMatchObject({
      atMs: START + 2 * MINUTE,
      bootId: "boot-1",
      vmstat: { a: 2, b: 6, oom_kill: 0 },
      meminfo: { MemTotal: 9, NFS_Unstable: 3, "Active(anon)": 4 },
      extraAtMs: START + 2 * MINUTE,
    });
    expect(await readSnapshotAt(db, nodeId, START - 1)).toBe(undefined);
  });
});

describe("readArraySeries", () => {
  it("gives the last sample of each bucket, entry by entry, with null where one was not there", async () => {
    const { db } = database;
    const { nodeId, bootRef } = await createNode(db, { name: "arrays", startedAtMs: START });
    const caches = await Promise.all(
      ["dentry", "pid"].map((name) => db.prisma.slabCache.create({ data: { name, objSizeBytes: 192n } })),
    );
    const [dentry = 0, pid = 0] = caches.map((cache) => cache.id);
    const run = await db.prisma.storedPath.create({ data: { path: "/run" } });
    const rows = sequence(40).map((index): SnapshotRow => {
      const withPid = index < 20;
      return snapshotRow(
        { nodeId, bootRef, atMs: START + index * MINUTE },
        { MemTotal: 1 },
        {
          slab: {
            cacheIds: withPid ? [dentry, pid] : [dentry],
            activeObjs: withPid ? [index, 1] : [index],
            numObjs: withPid ? [index * 2, 2] : [index * 2],
            sizeKib: withPid ? [index * 4, 8] : [index * 4],
          },
          tmpfs: {
            pathIds: [run.id],
            sizeKib: [undefined],
            usedKib: [index],
            inodes: [100],
            inodesUsed: [index],
          },
          watch: { pathIds: [run.id], files: [index], atLeast: [index > 30 ? 1 : 0] },
        },
      );
    });
    await insertSnapshots(db, rows);
    const range = { nodeId, fromMs: START, toMs: START + 40 * MINUTE, points: 5 };
    const slab = await readArraySeries(db, { ...range, kind: "slab", fields: ["sizeKib", "activeObjs"] });
    expect(slab.timesMs).toEqual([9, 19, 29, 39].map((minute) => START + minute * MINUTE));
    expect(slab.entries).toEqual([
      {
        name: "dentry",
        objSizeBytes: 192,
        values: { sizeKib: [36, 76, 116, 156], activeObjs: [9, 19, 29, 39] },
      },
      {
        name: "pid",
        objSizeBytes: 192,
        values: { sizeKib: [8, 8, null, null], activeObjs: [1, 1, null, null] },
      },
    ]);
    const tmpfs = await readArraySeries(db, {
      ...range,
      kind: "tmpfs",
      fields: ["sizeKib", "inodesUsed"],
      names: ["/run"],
    });
    expect(tmpfs.entries).toEqual([
      {
        name: "/run",
        objSizeBytes: null,
        values: { sizeKib: [null, null, null, null], inodesUsed: [9, 19, 29, 39] },
      },
    ]);
    const watch = await readArraySeries(db, { ...range, kind: "watch", fields: ["files", "atLeast"] });
    expect(watch.entries[0]?.values).toEqual({ files: [9, 19, 29, 39], atLeast: [0, 0, 0, 1] });
    const none = await readArraySeries(db, { ...range, kind: "watch", fields: ["files"], names: ["/else"] });
    expect(none.entries).toEqual([]);
    expect((await readSnapshotAt(db, nodeId, START + 5 * MINUTE))?.slab).toEqual([
      { name: "dentry", objSizeBytes: 192, activeObjs: 5, numObjs: 10, sizeKib: 20 },
      { name: "pid", objSizeBytes: 192, activeObjs: 1, numObjs: 2, sizeKib: 8 },
    ]);
  });
});
