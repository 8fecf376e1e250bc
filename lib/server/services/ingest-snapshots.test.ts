import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { AppError } from "#lib/errors.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { findNodeByName, listBoots, listRevisions } from "#lib/server/data/nodes.ts";
import { readExtraSeries, readSeries } from "#lib/server/data/series.ts";
import { readSnapshotAt } from "#lib/server/data/snapshot-at.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import type { Actor, Context } from "./context.ts";
import { getSeries } from "./get-series.ts";
import { getSnapshotAt } from "./get-snapshot-at.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 2, 3, 12, 2);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const system: Actor = { kind: "system", name: "test" };

function context(nowMs = NOW, actor = system): Context {
  return { db: database.db, actor, now: () => nowMs };
}

function snapshot(node: string, at: number, rest: Partial<SnapshotInput> = {}): SnapshotInput {
  return {
    schemaVersion: 1,
    node,
    at,
    bootId: "boot-a",
    uptimeSeconds: (at - (NOW - 10 * HOUR)) / 1000,
    kernelRelease: "6.1.0-13-amd64",
    cpus: 4,
    pageSizeBytes: 4096,
    ...rest,
    meminfo: { MemTotal: 1000, MemFree: 400, MemAvailable: 500, NFS_Unstable: 0, ...rest.meminfo },
  };
}

const ingest = (items: unknown[], nowMs?: number, actor?: Actor) =>
  ingestSnapshots({ ctx: context(nowMs, actor), input: { items } });

async function marksOf(node: string) {
  const found = await findNodeByName(database.db, "default", node);
  const rows = await database.db.prisma.annotation.findMany({
    where: { nodeIds: { has: found?.nodeId ?? 0 } },
    orderBy: [{ at: "asc" }, { kind: "asc" }, { title: "asc" }],
  });
  return rows.map(({ at, kind, title }) => [kind, title, at.getTime()] as const);
}

async function nodeOf(name: string, cluster = "default") {
  const node = await findNodeByName(database.db, cluster, name);
  if (!node) throw new Error(`no node ${name}`);
  return node;
}

describe("what is accepted", () => {
  it("stores a snapshot once, and everything in it", async () => {
    const full = snapshot("full", NOW, {
      vmstat: { nr_zspages: 3, oom_kill: 1, pgfault: 77 },
      pcpFreePages: 5,
      cgroups: { mode: "v1", memoryCount: 120, live: 100 },
      containersStarted: 9,
      slab: [
        { name: "dentry", activeObjs: 10, numObjs: 12, objSizeBytes: 192, sizeKib: 8 },
        { name: 'a "b" \\c', activeObjs: 1, numObjs: 1, objSizeBytes: 8, sizeKib: 4 },
      ],
      tmpfs: [{ mount: "/run", usedKib: 10, inodesUsed: 4 }],
      watch: [{ path: "/run/crio/exits", files: 9000, atLeast: true }],
      versions: { runtime: "cri-o 1.19.0", kubelet: "1.19" },
      labels: { zone: "a" },
      sources: { meminfo: { status: "ok", readMs: 0.1 }, slabinfo: { status: "denied" } },
      self: { cpuSeconds: 1.25, rssKib: 50_000 },
      gpu: { temperature: 50 },
    });
    expect(await ingest([full])).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [],
      warnings: [{ index: 0, detail: 'The section "gpu" is not known; it is kept as it is.' }],
    });
    expect(await ingest([full, full])).toMatchObject({ accepted: 0, duplicates: 2 });

    const node = await nodeOf("full");
    expect(node).toMatchObject({
      cluster: "default",
      atMs: NOW,
      receivedAtMs: NOW,
      bootId: "boot-a",
      bootedAtMs: NOW - 10 * HOUR,
      kernelRelease: "6.1.0-13-amd64",
      cpus: 4,
      pageSizeBytes: 4096,
      cgroupMode: "v1",
      versions: { runtime: "cri-o 1.19.0", kubelet: "1.19" },
      labels: { zone: "a" },
      conflictAtMs: null,
      counters: {
        MemTotal: 1000,
        pcpFreeKib: 20,
        zspagesKib: 12,
        oom_kill: 1,
        cgroupMemoryCount: 120,
        cgroupLive: 100,
        containersStarted: 9,
        selfCpuMs: 1250,
      },
      sources: { slabinfo: { status: "denied", since: NOW } },
      details: {
        blindSources: ["slabinfo"],
        watch: [{ path: "/run/crio/exits", files: 9000, atLeast: true }],
        tmpfs: [{ mount: "/run", usedKib: 10, inodesUsed: 4 }],
      },
      outlook: null,
    });
    expect(node.counters).not.toHaveProperty("cgroupDying");
    expect(await readSnapshotAt(database.db, node.nodeId, NOW)).toMatchObject({
      meminfo: { MemTotal: 1000, NFS_Unstable: 0 },
      vmstat: { nr_zspages: 3, oom_kill: 1, pgfault: 77 },
      sections: { gpu: { temperature: 50 } },
      slab: [
        { name: "dentry", objSizeBytes: 192, activeObjs: 10, numObjs: 12, sizeKib: 8 },
        { name: 'a "b" \\c' },
      ],
    });
    expect(await marksOf("full")).toEqual([]);
  });

  it("keeps the numbers of sections as series, and whole what tells more", async () => {
    const areas = (usedKib: number) => ({
      vmalloc: {
        areas: 2,
        usedKib,
        pcpuKib: 64,
        callers: [{ caller: "bpf_prog_alloc", areas: 1, usedKib, sizeKib: usedKib + 4 }],
      },
    });
    const modules = [{ name: 'odd "name" \\', sizeBytes: 5, taint: "OE" }];
    await ingest([
      ...[0, 1, 2, 3, 4].map((step) =>
        snapshot("sections", NOW - 5 * MINUTE + step * 15_000, { conntrack: { count: 10 + step, max: 100 } }),
      ),
      snapshot("sections", NOW - 2 * MINUTE, { ...areas(40), modules }),
      snapshot("sections", NOW - MINUTE, areas(44)),
      snapshot("sections", NOW, {
        pressure: { memory: { some: { avg10: 12.34, avg60: 0, avg300: 0, totalUs: 7 } } },
      }),
    ]);
    const { nodeId } = await nodeOf("sections");
    const series = await getSeries({
      ctx: context(),
      input: {
        nodeId,
        fromMs: NOW - 10 * MINUTE,
        toMs: NOW + MINUTE,
        points: 100,
        metrics: ["vmalloc.bpf_prog_alloc.usedKib", "conntrack.count", "tasks.zombies", "meminfo.MemTotal"],
      },
    });
    const valuesOf = (metric: string) =>
      series.series.find((each) => each.metric === metric)?.values.filter((value) => value !== null);
    expect(valuesOf("vmalloc.bpf_prog_alloc.usedKib")).toEqual([40, 44]);
    // A minute apart is enough for what each snapshot brings.
    expect(valuesOf("conntrack.count")).toEqual([10, 14]);
    expect(valuesOf("tasks.zombies")).toEqual([]);
    expect(series.series.map(({ unit }) => unit)).toEqual(["KiB", "count", "count", "KiB"]);

    const state = await getSnapshotAt({ ctx: context(), input: { nodeId, atMs: NOW } });
    expect(state.counters).toMatchObject({
      "conntrack.count": 14,
      "pressure.memory.some.avg10": 12.34,
      "vmalloc.bpf_prog_alloc.usedKib": 44,
      "modules.tainted": 1,
    });
    expect(state.details).toEqual({
      vmalloc: { at: NOW - MINUTE, value: areas(44).vmalloc },
      modules: { at: NOW - 2 * MINUTE, value: modules },
    });
    const before = await getSnapshotAt({ ctx: context(), input: { nodeId, atMs: NOW - 90_000 } });
    expect(before.details.vmalloc).toEqual({ at: NOW - 2 * MINUTE, value: areas(40).vmalloc });
    expect(before.counters).not.toHaveProperty("pressure.memory.some.avg10");
  });

  it("says of each bad one where it is and what is wrong, and stores its neighbours", async () => {
    const receipt = await ingest([
      snapshot("mixed", NOW - MINUTE),
      { nonsense: true },
      snapshot("mixed", NOW, { meminfo: { MemTotal: "x" as unknown as number } }),
      snapshot("mixed", NOW + 5 * MINUTE + 1),
      snapshot("mixed", NOW - 14 * 24 * HOUR - 1, { uptimeSeconds: 1 }),
      null,
      snapshot("mixed", NOW + 5 * MINUTE),
      snapshot("mixed", NOW - 14 * 24 * HOUR, { uptimeSeconds: 1 }),
    ]);
    expect(receipt).toMatchObject({ accepted: 3, duplicates: 0 });
    expect(receipt.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, "invalid"],
      [2, "invalid"],
      [3, "clock_ahead"],
      [4, "too_old"],
      [5, "invalid"],
    ]);
    expect(receipt.rejected[1]?.detail).toMatch(/^meminfo\.MemTotal: /);
  });

  it("keeps clusters apart and lets a token write to its own only", async () => {
    const { id } = await database.db.prisma.cluster.create({
      data: { name: "east", createdAt: new Date(NOW) },
    });
    const token: Actor = { kind: "token", tokenId: 1, name: "t", clusterId: id, scopes: ["snapshots:write"] };
    const item = snapshot("same-name", NOW);
    expect(await ingest([item], NOW, token)).toMatchObject({ accepted: 1 });
    expect(await ingest([item])).toMatchObject({ accepted: 1 });
    expect((await nodeOf("same-name", "east")).nodeId).not.toBe((await nodeOf("same-name")).nodeId);
  });

  it("counts each snapshot once however many requests bring it at once", async () => {
    const items = Array.from({ length: 300 }, (_, index) =>
      snapshot(`many-${index % 30}`, NOW - index * 1000),
    );
    const receipts = await Promise.all([
      ...items.map((item) => ingest([item])),
      ingest(items),
      ...[0, 1, 2].map((part) => ingest(items.slice(part * 100, part * 100 + 100))),
    ]);
    expect(receipts.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300);
    expect(receipts.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(600);
    const { rows } = await database.db.pool.query<{ count: number }>(
      `select count(*)::int from "Snapshot" s join "Node" n on n.id = s."nodeId" where n."name" like 'many-%'`,
    );
    expect(rows).toEqual([{ count: 300 }]);
  });

  it("stores whatever passes the schema, characters that PostgreSQL lacks included", async () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    let at = NOW;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(text, text, { maxKeys: 3 }),
        fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant("\ud800\u0000")), { maxKeys: 3 }),
        fc.array(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), { maxLength: 4 }),
        async (strings, section, numbers) => {
          at -= 1000;
          const item = {
            ...snapshot("hostile", at),
            labels: { "a\\": "\u0000\udfff", ...strings },
            sources: { x: { status: "denied", detail: "\u0000" } },
            vmstat: Object.fromEntries(numbers.map((value, index) => [`k\ud800${index}`, value])),
            [`section${at}`]: section,
            events: [{ at: 253_402_300_799_999, kind: "k", title: 't"\\' }],
          };
          const { accepted, rejected } = await ingest([item, snapshot("beside", at)]);
          expect(accepted + rejected.filter(({ code }) => code === "invalid").length).toBe(2);
          expect(accepted).toBeGreaterThanOrEqual(1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("sets apart the one snapshot that the database cannot hold", async () => {
    const items = Array.from({ length: 9 }, (_, index) =>
      snapshot("refused", NOW - index * 1000, index === 4 ? { self: { cpuSeconds: 1e300, rssKib: 1 } } : {}),
    );
    const [receipt, neighbour] = await Promise.all([ingest(items), ingest([snapshot("refused-not", NOW)])]);
    expect(receipt).toMatchObject({ accepted: 8, rejected: [{ index: 4, code: "invalid" }] });
    expect(neighbour).toMatchObject({ accepted: 1, rejected: [] });
  });

  it("sets apart a path that no index entry can hold, instead of failing for ever", async () => {
    const rng = createRng(7);
    const mount = Array.from({ length: 1000 }, () =>
      String.fromCharCode(0x4e00 + Math.floor(rng.uniform() * 20_000)),
    );
    const [receipt, neighbour] = await Promise.all([
      ingest([snapshot("long-path", NOW, { tmpfs: [{ mount: mount.join(""), usedKib: 1 }] })]),
      ingest([snapshot("long-path-not", NOW)]),
    ]);
    expect(receipt).toMatchObject({ accepted: 0, rejected: [{ index: 0, code: "invalid" }] });
    expect(neighbour).toMatchObject({ accepted: 1, rejected: [] });
  });

  it("says that the database is away, and acknowledges nothing", async () => {
    const db = openDatabase({ url: "postgresql://nobody:x@127.0.0.1:1/none", connectTimeoutMs: 500 });
    const attempt = ingestSnapshots({
      ctx: { db, actor: { ...system }, now: () => NOW },
      input: { items: [snapshot("away", NOW)] },
    });
    const error: unknown = await attempt.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    await closeDatabase(db);
  });
});

describe("counters without a column", () => {
  it("are kept once a minute, as changes, and each hour whole", async () => {
    const start = NOW - 2 * HOUR;
    const items = Array.from({ length: 61 * 4 + 1 }, (_, index) =>
      snapshot("extra", start + index * 15_000, { vmstat: { steady: 5, moving: Math.floor(index / 4) } }),
    );
    for (let first = 0; first < items.length; first += 7) await ingest(items.slice(first, first + 7));
    const { nodeId } = await nodeOf("extra");
    const { rows } = await database.db.pool.query<{ counters: object; keyframe: boolean }>(
      `select "counters", "at" = "baseAt" as keyframe from "SnapshotExtra" where "nodeId" = $1 order by "at"`,
      [nodeId],
    );
    expect(rows).toHaveLength(62);
    expect(rows.flatMap(({ keyframe }, index) => (keyframe ? [index] : []))).toEqual([0, 60]);
    expect(rows[0]?.counters).toEqual({ meminfo: { NFS_Unstable: 0 }, vmstat: { steady: 5, moving: 0 } });
    expect(rows[1]?.counters).toEqual({ vmstat: { moving: 1 } });
    const range = { nodeId, fromMs: start + HOUR - MINUTE, toMs: start + 2 * HOUR, points: 600 };
    const steady = await readExtraSeries(database.db, { ...range, section: "vmstat", key: "steady" });
    expect(steady.values).toEqual([5, 5, 5]);
  });
});

describe("boots", () => {
  const boot = (bootId: string, startedAt: number, at: number, rest: Partial<SnapshotInput> = {}) =>
    snapshot("boots", at, { bootId, uptimeSeconds: (at - startedAt) / 1000, ...rest });

  it("marks a reboot once, with the kernel that changed, and never averages across it", async () => {
    const first = NOW - 8 * HOUR;
    const second = NOW - HOUR;
    await ingest([
      boot("one", first, second - 3 * MINUTE),
      boot("one", first, second - 2 * MINUTE, { meminfo: { MemTotal: 1000, MemAvailable: 7 } }),
    ]);
    const after = [0, 1, 2].map((index) =>
      boot("two", second, second + MINUTE + index * 15_000, { kernelRelease: "6.1.0-14-amd64" }),
    );
    await ingest(after);
    await ingest(after);
    // What the old boot had spooled changes nothing.
    expect(await ingest([boot("one", first, second - 5 * MINUTE)])).toMatchObject({ accepted: 1 });
    expect(await marksOf("boots")).toEqual([
      ["kernel-change", "Kernel 6.1.0-13-amd64 → 6.1.0-14-amd64", second],
      ["reboot", "Reboot", second],
    ]);
    const { nodeId, ...node } = await nodeOf("boots");
    expect(node).toMatchObject({ bootId: "two", conflictAtMs: null, kernelRelease: "6.1.0-14-amd64" });
    const reboot = await database.db.prisma.annotation.findFirstOrThrow({
      where: { kind: "reboot", nodeIds: { has: nodeId } },
    });
    expect(reboot.text).toMatch(/MemAvailable at 7 KiB/);
    // The boot stands in the text: a tag that only one mark ever has narrows nothing.
    expect(reboot).toMatchObject({ madeBy: "machine", scope: { nodes: [nodeId] }, tags: [] });
    expect(await listBoots(database.db, nodeId, 0, NOW)).toEqual([
      { bootId: "one", startedAtMs: first, firstAtMs: second - 5 * MINUTE, lastAtMs: second - 2 * MINUTE },
      {
        bootId: "two",
        startedAtMs: second,
        firstAtMs: second + MINUTE,
        lastAtMs: expect.any(Number) as number,
      },
    ]);
    const frame = await readSeries(database.db, {
      nodeId,
      columns: ["MemTotal"],
      fromMs: NOW - 24 * HOUR,
      toMs: NOW,
      points: 3,
    });
    expect(frame.bootIds).toEqual(["one", "two"]);
  });

  it("knows two machines under one name, keeps their data apart and lets the newer boot stand for the node", async () => {
    const older = (at: number) =>
      snapshot("twins", at, { bootId: "old", uptimeSeconds: 500_000, kernelRelease: "3.10.0" });
    const newer = (at: number) => snapshot("twins", at, { bootId: "new", uptimeSeconds: 100_000 });
    const start = NOW - 10 * MINUTE;
    await ingest([newer(start)], start);
    await ingest([newer(start + 15_000)], start + 15_000);
    expect((await nodeOf("twins")).conflictAtMs).toBe(null);
    for (let step = 2; step < 8; step += 2) {
      await ingest([older(start + step * 15_000)], start + step * 15_000);
      await ingest([newer(start + (step + 1) * 15_000)], start + (step + 1) * 15_000);
    }
    const node = await nodeOf("twins");
    expect(node.conflictAtMs).toBeGreaterThanOrEqual(start + 60_000);
    expect(node).toMatchObject({ bootId: "new", kernelRelease: "6.1.0-13-amd64", atMs: start + 7 * 15_000 });
    expect(await marksOf("twins")).toEqual([
      ["boot-conflict", "Two boots report under this name at once", start + 30_000],
    ]);
    expect(await listRevisions(database.db, node.nodeId)).toHaveLength(1);
    const frame = await readSeries(database.db, {
      nodeId: node.nodeId,
      columns: ["MemTotal"],
      fromMs: start - HOUR,
      toMs: start + HOUR,
      points: 3,
    });
    expect(frame.bootIds.sort()).toEqual(["new", "old"]);
    expect(frame.samples.sort()).toEqual([3, 5]);
  });

  it("does not take a clock that was set for a second machine", async () => {
    const started = NOW - HOUR;
    const at = (minutes: number, bootId: string, uptimeMinutes: number) =>
      snapshot("clock", started + minutes * MINUTE, { bootId, uptimeSeconds: uptimeMinutes * 60 });
    await ingest([at(0, "one", 100), at(5, "one", 105)]);
    // The clock ran 20 minutes behind until it was set.
    await ingest([at(-13, "two", 1)]);
    await ingest([at(8, "two", 2), at(9, "two", 3)]);
    expect((await nodeOf("clock")).conflictAtMs).toBe(null);
  });
});

describe("changes and events", () => {
  it("marks each program of another version, and not one that could not be asked for", async () => {
    const versions = (minute: number, record: Record<string, string> | undefined) =>
      ingest([snapshot("versions", NOW - HOUR + minute * MINUTE, record && { versions: record })]);
    await versions(0, { runtime: "cri-o 1.18", runc: "rc8", kubelet: "1.18" });
    await versions(1, { runtime: "cri-o 1.18" });
    await versions(2, undefined);
    await versions(3, { runtime: "cri-o 1.19", runc: "rc9", crun: "1.0" });
    await versions(2.5, { runtime: "cri-o 1.18" });
    expect(await marksOf("versions")).toEqual([
      ["version-change", "runc rc8 → rc9", NOW - HOUR + 3 * MINUTE],
      ["version-change", "runtime cri-o 1.18 → cri-o 1.19", NOW - HOUR + 3 * MINUTE],
    ]);
    expect((await nodeOf("versions")).versions).toEqual({
      runtime: "cri-o 1.19",
      runc: "rc9",
      kubelet: "1.18",
      crun: "1.0",
    });
    expect(await listRevisions(database.db, (await nodeOf("versions")).nodeId)).toHaveLength(2);
  });

  it("makes a mark of each event once", async () => {
    const item = snapshot("events", NOW, {
      events: [{ at: NOW - MINUTE, kind: "drop_caches", title: "Caches were dropped", text: "mode 3" }],
    });
    await ingest([item]);
    await ingest([item]);
    expect(await marksOf("events")).toEqual([["event", "Caches were dropped", NOW - MINUTE]]);
  });

  it("says of an event whose time cannot be right what the node gave", async () => {
    const told = { at: Date.UTC(1999, 0, 1), kind: "drop_caches", title: "Of long ago", text: "the line" };
    await ingest([snapshot("long-ago", NOW, { events: [told] })]);
    expect(await marksOf("long-ago")).toEqual([["event", "Of long ago", NOW]]);
    const { rows } = await database.db.pool.query(
      `select "text" from "Annotation" where "title" = 'Of long ago'`,
    );
    expect(rows).toEqual([
      { text: expect.stringMatching(/^the line\n\nThe node gives 1999-01-01T00:00:00.000Z as/) as string },
    ]);
  });

  it("gives a known kind of event a kind of mark, and one that came again its later end, in any order", async () => {
    const told = (minute: number, changes: { title: string; until?: number; count?: number }) =>
      ingest([
        snapshot("kills", NOW + minute * MINUTE, {
          events: [{ at: NOW - MINUTE, kind: "oom-kill", key: "kmsg:b:7", text: "the line", ...changes }],
        }),
      ]);
    await told(0, { title: "Killed java" });
    await told(2, { title: "Killed java, 40 times", until: NOW + MINUTE, count: 40 });
    await told(1, { title: "Killed java, 3 times", until: NOW, count: 3 });
    expect(await marksOf("kills")).toEqual([["oom-kill", "Killed java, 40 times", NOW - MINUTE]]);
    const { rows } = await database.db.pool.query(
      `select "endsAt", "text", "tags" from "Annotation" where "kind" = 'oom-kill'`,
    );
    expect(rows).toEqual([{ endsAt: new Date(NOW + MINUTE), text: "the line", tags: ["oom-kill"] }]);
  });
});

describe("modules that taint the kernel", () => {
  it("hold until the next list of the boot, for whoever writes the snapshot, and not beyond it", async () => {
    const at = (minutes: number) => NOW - HOUR + minutes * MINUTE;
    const taintedOf = async () => (await nodeOf("tainted")).details.taintedModules;
    const modules = [
      { name: "ext4", sizeBytes: 1 },
      { name: "zfs", sizeBytes: 5, taint: "POE" },
    ];
    await ingest([snapshot("tainted", at(0))]);
    expect(await taintedOf()).toBeUndefined();
    // The newest of a batch is not the one that lists them.
    await ingest([snapshot("tainted", at(1), { modules }), snapshot("tainted", at(2))]);
    expect(await taintedOf()).toEqual(["zfs"]);
    const elsewhere = openDatabase({ url: database.url });
    await ingestSnapshots({
      ctx: { ...context(), db: elsewhere },
      input: { items: [snapshot("tainted", at(3))] },
    });
    await closeDatabase(elsewhere);
    expect(await taintedOf()).toEqual(["zfs"]);
    await ingest([snapshot("tainted", at(4), { modules: modules.slice(0, 1) })]);
    expect(await taintedOf()).toEqual([]);
    await ingest([snapshot("tainted", at(5), { bootId: "another" })]);
    expect(await taintedOf()).toBeUndefined();
  });
});

describe("since when a source has its status", () => {
  it("is kept until the status changes, whatever else of the snapshot does", async () => {
    const at = (minutes: number) => NOW - HOUR + minutes * MINUTE;
    const send = (minutes: number, sources: SnapshotInput["sources"]) =>
      ingest([snapshot("sighted", at(minutes), { sources })]);
    const denied = { status: "denied" as const };
    const ok = { status: "ok" as const };
    const sinceOf = async () => {
      const sources = Object.entries((await nodeOf("sighted")).sources ?? {});
      return Object.fromEntries(sources.map(([name, { since }]) => [name, since]));
    };

    await send(0, { meminfo: ok, slabinfo: denied });
    await send(1, { meminfo: { ...ok, readMs: 1 }, slabinfo: denied });
    expect(await sinceOf()).toEqual({ meminfo: at(0), slabinfo: at(0) });
    await send(2, { meminfo: ok, slabinfo: ok, kmsg: denied });
    await send(3, { meminfo: ok, slabinfo: ok, kmsg: denied });
    expect(await sinceOf()).toEqual({ meminfo: at(0), slabinfo: at(2), kmsg: at(2) });
    // One that comes late changes nothing.
    await ingest([snapshot("sighted", at(1) + 1, { sources: { slabinfo: denied } })]);
    expect(await sinceOf()).toMatchObject({ slabinfo: at(2) });
  });

  it("is not there for a node that tells of no sources", async () => {
    await ingest([snapshot("plain", NOW - HOUR), snapshot("plain", NOW - HOUR + MINUTE)]);
    const { sources, details } = await nodeOf("plain");
    expect(sources).toBeNull();
    expect(details.blindSources).toBeUndefined();
  });
});
