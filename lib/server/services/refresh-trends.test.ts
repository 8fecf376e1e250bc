import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { trend as trendSchema } from "#lib/contracts/trend.ts";
import { readDailyRanges } from "#lib/server/data/daily-ranges.ts";
import {
  readExhaustions,
  readNodeTrendAnswers,
  readNodeTrends,
  writeNodeTrends,
} from "#lib/server/data/node-trends.ts";
import { listNodeNames } from "#lib/server/data/nodes.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import type { Context } from "./context.ts";
import { getTrend } from "./get-trend.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";
import { refreshTrends } from "./refresh-trends.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 10, 12, 2);
const UNRECLAIMABLE = "total.kernelUnreclaimable";
const MIB = 1024;

let database: TestDatabase;
const ids: Record<string, number> = {};

function context(nowMs: number): Context {
  return { db: database.db, actor: { kind: "system", name: "worker" }, now: () => nowMs };
}

interface Shape {
  days: number;
  /** KiB of unreclaimable slab beyond the usual, hours after the start. */
  slabKib?: (hour: number) => number;
  rest?: (hour: number) => Partial<SnapshotInput>;
  labels?: Record<string, string>;
}

/** A node with a sample every ten minutes until NOW. */
async function build(node: string, { days, slabKib = () => 0, rest = () => ({}), labels }: Shape) {
  const rng = createRng(node.length * 104_729);
  const items: SnapshotInput[] = [];
  for (let at = NOW - days * DAY; at <= NOW; at += 10 * MINUTE) {
    const hour = (at - (NOW - days * DAY)) / HOUR;
    const slab = Math.round(1_000_000 + slabKib(hour) + 500 * rng.normal());
    items.push({
      schemaVersion: 1,
      ...{ node, at, bootId: "boot-a", uptimeSeconds: (at - (NOW - 30 * DAY)) / 1000, cpus: 4 },
      kernelRelease: "5.14.0",
      meminfo: {
        ...{ MemTotal: 32_000_000, MemFree: 20_000_000 - slab, AnonPages: 4_000_000, Buffers: 1000 },
        ...{ Cached: 3_000_000, Shmem: 50_000, SReclaimable: 100_000, SUnreclaim: slab, Percpu: 40_000 },
      },
      cgroups: { mode: "v2", memoryCount: 500, live: 400, dying: 100 },
      ...(labels && { labels }),
      ...rest(hour),
    });
  }
  for (let first = 0; first < items.length; first += 500) {
    const receipt = await ingestSnapshots({
      ctx: context(NOW),
      input: { items: items.slice(first, first + 500) },
    });
    expect(receipt.rejected).toEqual([]);
  }
}

const wave = (sizeKib: number) => (hour: number) => (sizeKib / 2) * Math.sin((2 * Math.PI * hour) / 24);

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 8 });
  const large = { "node.kubernetes.io/instance-type": "large" };
  await build("leaking", { days: 8, slabKib: (hour) => 20 * MIB * hour, labels: large });
  await build("waving", { days: 8, slabKib: wave(900 * MIB), labels: large });
  await build("young", { days: 0.4, slabKib: (hour) => 60 * MIB * hour, labels: large });
  await build("young elsewhere", { days: 0.4, slabKib: (hour) => 60 * MIB * hour });
  await build("filling", {
    days: 2,
    rest: (hour) => ({
      cgroups: {
        mode: "v2",
        memoryCount: 30_500 + Math.round(200 * hour),
        live: 30_000 + Math.round(200 * hour),
        dying: 500,
      },
      tmpfs: [
        { mount: "/run", usedKib: 900, sizeKib: 4000, inodes: 100_000, inodesUsed: 20_000 + 1000 * hour },
        { mount: "/dev/shm", usedKib: 0, sizeKib: 4000, inodes: 100_000, inodesUsed: 4 },
        { mount: "/unlimited", usedKib: 0, inodes: 0, inodesUsed: 900 },
      ].map((mount) => ({ ...mount, inodesUsed: Math.round(mount.inodesUsed) })),
    }),
  });
  for (let first = true, nodes = 1; first || nodes > 0; first = false) {
    ({ nodes } = await rollUpDirtyBuckets({ ctx: context(NOW + 10 * MINUTE), input: {} }));
  }
  for (const { name, nodeId } of await listNodeNames(database.db)) ids[name] = nodeId;
  // The days before the ranges are needed come first, as they do where the worker runs all along.
  for (const window of ["7d", "6h", "24h"] as const) {
    await refreshTrends({ ctx: context(NOW), input: { window } });
  }
});
afterAll(() => database.drop());

const stored = async (name: string, metric: string, window: "6h" | "24h" | "7d") =>
  (await readNodeTrends(database.db, { metric, window })).find(({ nodeId }) => nodeId === ids[name]);

describe("refreshTrends", () => {
  it("stores a trend of each headline metric over each window, equal to that on demand", async () => {
    for (const [window, spanMs, points] of [
      ["6h", 6 * HOUR, 36],
      ["24h", 24 * HOUR, 144],
      ["7d", 7 * DAY, 166],
    ] as const) {
      const row = await stored("leaking", UNRECLAIMABLE, window);
      expect(row).toMatchObject({ computedAtMs: NOW, verdict: "leaking" });
      expect(row?.slopePerHour).toBeCloseTo(20 * MIB, -3);
      expect(row?.n).toBeGreaterThan(points - 3);
      expect(row?.n).toBeLessThan(points + 3);
      expect(row?.lower).toBeLessThan(row?.slopePerHour ?? 0);
      expect(row?.upper).toBeGreaterThan(row?.slopePerHour ?? 0);
      expect(row?.exhaustion?.what).toBe("memory");
      const input = { nodeId: ids.leaking ?? 0, metric: UNRECLAIMABLE, fromMs: NOW - spanMs, toMs: NOW };
      const fresh = await getTrend({ ctx: context(NOW), input });
      expect(fresh.verdict).toBe("leaking");
      expect(row?.slopePerHour).toBeCloseTo(fresh.slopePerHour ?? 0, -3);
      const answers = await readNodeTrendAnswers(database.db, { metric: UNRECLAIMABLE, window });
      expect(trendSchema.parse(answers.get(ids.leaking ?? 0))).toMatchObject({ n: row?.n, to: NOW });
    }
  });

  it("keeps what a node never reported away, and what it reports too shortly as insufficient", async () => {
    const metrics = async (window: "24h" | "7d") => {
      const { rows } = await database.db.pool.query<{ metric: string; verdict: string }>(
        `select "metric", "verdict" from "NodeTrend" where "window" = $1 and "nodeId" = $2 order by 1`,
        [window, ids.young],
      );
      return rows;
    };
    const day = await metrics("24h");
    expect(day.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(["band.percpu", "cgroup.memory.dying", UNRECLAIMABLE]),
    );
    expect(day.some(({ metric }) => metric.startsWith("tmpfs."))).toBe(false);
    expect((await metrics("7d")).every(({ verdict }) => verdict === "insufficient")).toBe(true);
  });

  it("says when memory-cgroup ids and inodes run out, from the counts that hold them", async () => {
    const ends = (await readExhaustions(database.db, "24h")).filter(({ nodeId }) => nodeId === ids.filling);
    expect(ends.map(({ metric, what }) => [metric, what])).toEqual([
      ["cgroup.memory.live", "memory-cgroup ids"],
      ["tmpfs./run.inodes", "inodes of /run"],
    ]);
    for (const [index, left] of [(65_535 - 39_600) / 200, (100_000 - 68_000) / 1000].entries()) {
      const end = ends[index];
      expect(((end?.atMs ?? 0) - NOW) / HOUR).toBeCloseTo(left, -1);
      expect(end?.fromMs).toBeLessThanOrEqual(end?.atMs ?? 0);
      expect(end?.toMs).toBeGreaterThanOrEqual(end?.atMs ?? 0);
      expect(Math.abs((end?.sinceMs ?? 0) - (NOW - DAY))).toBeLessThan(HOUR);
    }
  });

  it("learns the daily range of a node, and lends it to its peers that are too young to have one", async () => {
    const ranges = await readDailyRanges(database.db, { metric: UNRECLAIMABLE });
    const of = (name: string) => ranges.find(({ nodeId }) => nodeId === ids[name]);
    expect(of("waving")?.days).toBeGreaterThanOrEqual(6);
    expect(of("waving")?.own).toBeGreaterThan(800 * MIB);
    expect(of("waving")?.own).toBeLessThan(1000 * MIB);
    expect(of("leaking")?.known).toBe(of("leaking")?.own);
    expect(of("leaking")?.known).toBeLessThan(20 * MIB);
    expect(of("young")).toMatchObject({ days: 0, own: null, known: of("waving")?.own });
    expect(of("young elsewhere")).toMatchObject({ days: 0, own: null, known: null });
  });

  it("holds a rise against the daily range, stored and on demand", async () => {
    // 6 h of 20 MiB/h are more than three times what the node runs through in a day; of a wave they are a part.
    expect((await stored("leaking", UNRECLAIMABLE, "6h"))?.verdict).toBe("leaking");
    expect((await stored("waving", UNRECLAIMABLE, "6h"))?.verdict).not.toBe("leaking");
    expect((await stored("young", UNRECLAIMABLE, "6h"))?.verdict).toBe("growing");
    const demand = async (name: string) => {
      const input = { nodeId: ids[name] ?? 0, metric: UNRECLAIMABLE, fromMs: NOW - 6 * HOUR, toMs: NOW };
      return (await getTrend({ ctx: context(NOW), input })).verdict;
    };
    expect(await demand("leaking")).toBe("leaking");
    expect(await demand("young")).toBe("growing");
  });

  it("judges some nodes alone, and leaves the others as they were", async () => {
    const later = NOW + MINUTE;
    const input = { window: "24h", nodeIds: [ids.leaking ?? 0] } as const;
    expect(await refreshTrends({ ctx: context(later), input })).toMatchObject({ nodes: 1 });
    expect(await stored("leaking", UNRECLAIMABLE, "24h")).toMatchObject({
      computedAtMs: later,
      verdict: "leaking",
    });
    expect((await stored("waving", UNRECLAIMABLE, "24h"))?.computedAtMs).toBe(NOW);
  });

  it("forgets what a node no longer has; a node that is silent keeps what it had", async () => {
    const trend = {
      metric: "tmpfs./gone.inodes",
      verdict: "flat" as const,
      slopePerHour: 0,
      lower: -1,
      upper: 1,
      pValue: 1,
      n: 12,
      exhaustion: null,
      answer: {},
    };
    const trends = [ids.filling ?? 0, ids.young ?? 0].map((nodeId) => ({ ...trend, nodeId }));
    await writeNodeTrends(database.db, { trends, window: "6h", nowMs: NOW });
    await ingestSnapshots({
      ctx: context(NOW + 8 * HOUR),
      input: {
        items: [
          {
            schemaVersion: 1,
            ...{ node: "filling", at: NOW + 8 * HOUR, bootId: "boot-a", uptimeSeconds: 31 * 86_400, cpus: 4 },
            kernelRelease: "5.14.0",
            meminfo: { MemTotal: 32_000_000, MemFree: 20_000_000 },
          },
        ],
      },
    });
    await refreshTrends({ ctx: context(NOW + 8 * HOUR), input: { window: "6h" } });
    expect(await stored("filling", trend.metric, "6h")).toBeUndefined();
    expect(await stored("young", trend.metric, "6h")).toMatchObject({ computedAtMs: NOW });
  });

  it("does not overwrite a newer trend with an older one", async () => {
    const before = await stored("leaking", UNRECLAIMABLE, "24h");
    await refreshTrends({ ctx: context(NOW - HOUR), input: { window: "24h" } });
    expect(await stored("leaking", UNRECLAIMABLE, "24h")).toEqual(before);
  });
});
