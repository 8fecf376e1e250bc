import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nodeList } from "#lib/contracts/node.ts";
import { fleetRanking } from "#lib/contracts/ranking.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { writeNodeTrends, type NodeTrendToStore } from "#lib/server/data/node-trends.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { refreshTrends } from "#lib/server/services/refresh-trends.ts";
import { rollUpDirtyBuckets } from "#lib/server/services/roll-up-dirty-buckets.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../scripts/testing/test-database.ts";
import { issueToken } from "../../../../../scripts/testing/tokens.ts";
import { GET as listNodes } from "../../nodes/route.ts";
import { GET as rank } from "./route.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse("2026-03-01T12:00:00Z");
const MIB = 1024;
const local = { local: true };

let database: TestDatabase;
const ids: Record<string, number> = {};

interface Shape {
  cluster?: string;
  /** Of unreclaimable slab. */
  kibPerHour?: number;
  idsPerHour?: number;
  silentSinceMs?: number;
}

async function build(
  node: string,
  { cluster = "east", kibPerHour = 0, idsPerHour = 0, silentSinceMs = NOW }: Shape,
) {
  const rng = createRng(node.length * 7919);
  const items: SnapshotInput[] = [];
  for (let at = NOW - 25 * HOUR; at <= silentSinceMs; at += 5 * MINUTE) {
    const hours = (at - (NOW - 25 * HOUR)) / HOUR;
    const slab = Math.round(1_000_000 + kibPerHour * hours + 500 * rng.normal());
    const live = 20_000 + Math.round(idsPerHour * hours + 3 * rng.normal());
    items.push({
      schemaVersion: 1,
      ...{ node, at, bootId: "a", uptimeSeconds: 900_000 + hours * 3600, kernelRelease: "6.1.0", cpus: 4 },
      meminfo: {
        ...{ MemTotal: 32_000_000, MemFree: 24_000_000 - slab, AnonPages: 2_000_000, Buffers: 1000 },
        ...{ Cached: 3_000_000, Shmem: 50_000, SReclaimable: 100_000, SUnreclaim: slab, Percpu: 40_000 },
      },
      cgroups: { mode: "v2", memoryCount: live + 100, live, dying: 100 },
    });
  }
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => silentSinceMs };
  const receipt = await ingestSnapshots({ ctx, input: { items, cluster } });
  expect(receipt.rejected).toEqual([]);
}

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => NOW);
  await build("slow leak", { kibPerHour: 30 * MIB });
  await build("fast leak", { kibPerHour: 300 * MIB });
  await build("out of ids", { idsPerHour: 1000 });
  await build("calm", {});
  await build("gone", { kibPerHour: 900 * MIB, silentSinceMs: NOW - 3 * HOUR });
  await build("elsewhere", { cluster: "west" });
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => NOW };
  await rollUpDirtyBuckets({ ctx, input: {} });
  for (const window of ["6h", "24h"] as const) await refreshTrends({ ctx, input: { window } });
  const { nodes } = await answerOf(await callRoute(listNodes, { as: local }), nodeList);
  for (const { name, nodeId } of nodes) ids[name] = nodeId;
});
beforeEach(() => useRuntime(database.db, () => NOW));
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

type Query = Record<string, string | number>;
const ranking = async (query: Query = {}) =>
  answerOf(await callRoute(rank, { as: local, query }), fleetRanking);
const namesOf = ({ nodes }: { nodes: readonly { name: string }[] }) => nodes.map(({ name }) => name);

describe("the ranking", () => {
  it("puts leaks first, by the lower end, and says so", async () => {
    const body = await ranking();
    expect(namesOf(body).slice(0, 3)).toEqual(["gone", "fast leak", "slow leak"]);
    expect(body.nodes.map(({ rank: place }) => place)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(body).toMatchObject({ window: "24h", source: "stored", unit: "KiB", total: 6, to: NOW });
    expect(body.from).toBe(NOW - 24 * HOUR);
    expect(body.sorted.text).toContain("lower end of the 95 % interval");
    expect(body.nodes[1]).toMatchObject({ verdict: "leaking", silent: false, computedAt: NOW });
    expect(body.nodes[1]?.slopePerHour).toBeCloseTo(300 * MIB, -3);
  });

  it("tells the time left of whatever runs out, and which node to drain first", async () => {
    const body = await ranking({ sort: "timeLeft" });
    const ends = body.nodes.flatMap(({ timeLeft }) => timeLeft?.[0]?.at ?? []);
    expect(ends).toHaveLength(4);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(namesOf(body).slice(0, 2)).toEqual(["gone", "out of ids"]);
    const out = body.nodes.find(({ name }) => name === "out of ids");
    expect(out?.timeLeft).toMatchObject([{ what: "memory-cgroup ids" }]);
    const end = out?.timeLeft?.[0];
    // It started with 20,000 and takes 1,000 an hour.
    expect(((end?.at ?? 0) - NOW) / HOUR).toBeCloseTo((65_535 - 45_000) / 1000, 0);
    expect(end?.ci95[0]).toBeLessThanOrEqual(end?.at ?? 0);
    expect(body.nodes.find(({ name }) => name === "calm")?.timeLeft).toBeNull();
    // What is silent cannot be drained on what it said last.
    expect(body.drain.nodeIds).toEqual([ids["out of ids"], ids["fast leak"], ids["slow leak"]]);
    expect(body.drain.text).toMatch(/^Drain or reboot out of ids first: memory-cgroup ids run out/);
    expect(body.drain.text).toContain("Then fast leak (");
    expect(body.drain.text).toMatch(/ gone \([^)]+\) is silent and was going to run out/);
  });

  it("ranks by another metric and window, and keeps to a cluster and a limit", async () => {
    const body = await ranking({ metric: "cgroup.memory.live", window: "6h", cluster: "east", limit: 2 });
    expect(body).toMatchObject({ metric: "cgroup.memory.live", unit: "count", window: "6h", total: 5 });
    expect(body.nodes).toHaveLength(2);
    expect(body.nodes[0]).toMatchObject({ name: "out of ids" });
  });

  it("is computed anew over a range of its own, as it is stored over the same", async () => {
    const stored = await ranking();
    const computed = await ranking({ from: "now-24h", to: "now" });
    expect(computed).toMatchObject({ window: null, source: "recomputed", from: NOW - 24 * HOUR, to: NOW });
    expect(namesOf(computed)).toEqual(namesOf(stored));
    expect(computed.nodes.map(({ slopePerHour }) => slopePerHour)).toEqual(
      stored.nodes.map(({ slopePerHour }) => slopePerHour),
    );
    expect(computed.nodes.map(({ timeLeft }) => timeLeft?.map(({ what }) => what) ?? [])).toEqual(
      stored.nodes.map(({ timeLeft }) => timeLeft?.map(({ what }) => what) ?? []),
    );
    expect(computed.drain).toEqual(stored.drain);
    const earlier = await ranking({ from: "now-12h", to: "now-6h", metric: "meminfo.SUnreclaim" });
    expect(earlier.nodes[0]?.computedAt).toBe(NOW);
    expect(earlier.nodes[0]?.slopePerHour).toBeCloseTo(900 * MIB, -4);
  });

  it("does not say that nothing is to be drained where the window cannot tell", async () => {
    const past = await ranking({ from: "now-12h", to: "now-6h", cluster: "west" });
    expect(past.drain.text).toBe(
      "Cannot say which node to drain: the window ends before the newest samples.",
    );
    const short = await ranking({ from: "now-20m", to: "now", cluster: "west" });
    expect(short.drain.text).toBe("Cannot say which node to drain: there is too little data in the window.");
  });

  it("says that no node matches, and names silent nodes where only they run out of something", async () => {
    const none = await ranking({ cluster: "nope" });
    expect(none.drain).toEqual({ text: "No node matches: none is in cluster nope.", nodeIds: [] });
    useRuntime(database.db, () => NOW + 2 * HOUR);
    const { nodes, drain } = await ranking();
    expect(nodes.every(({ silent }) => silent)).toBe(true);
    expect(drain.nodeIds).toEqual([]);
    expect(drain.text).toMatch(
      /^Nothing to drain: no node that still reports runs out of anything\. gone \(/,
    );
    expect(drain.text).toContain("are silent");
  });

  it("names shmem where that alone fills memory, so that no flat node runs out without a reason", async () => {
    const trend: NodeTrendToStore = {
      ...{ nodeId: ids["calm"] ?? 0, metric: "band.shmem", verdict: "growing", slopePerHour: 1, lower: 0.5 },
      ...{ upper: 2, pValue: 0.001, n: 20, answer: {} },
      exhaustion: { what: "memory", atMs: NOW + 9 * HOUR, fromMs: NOW + 8 * HOUR, toMs: null },
    };
    await writeNodeTrends(database.db, { trends: [trend], window: "6h", nowMs: NOW });
    const body = await ranking({ window: "6h" });
    const calm = body.nodes.find(({ name }) => name === "calm");
    expect(calm?.verdict).toBe("flat");
    expect(calm?.timeLeft).toMatchObject([{ what: "memory (shmem)", at: NOW + 9 * HOUR }]);
    expect(body.drain.text).toContain("calm first: memory (shmem) runs out in 9 h");
  });

  it("shows a token its cluster", async () => {
    const as = { token: await issueToken({ name: "west", cluster: "west", scopes: ["read"] }) };
    for (const query of [{}, { from: "now-24h" }]) {
      const body = await answerOf(await callRoute(rank, { as, query }), fleetRanking);
      expect([body.total, namesOf(body), body.drain.nodeIds]).toEqual([1, ["elsewhere"], []]);
    }
    expect((await callRoute(rank)).status).toBe(401);
  });

  it.each<[Query, string]>([
    [{ window: "5h" }, "window"],
    [{ metric: "no.such" }, "metric"],
    [{ metric: "slab.dentry.bytes" }, "metric"],
    [{ metric: "meminfo.MemFree" }, "metric"],
    [{ metric: "slab.dentry.bytes", from: "now-24h" }, "metric"],
    [{ sort: "luck" }, "sort"],
    [{ limit: 0 }, "limit"],
    [{ window: "6h", from: "now-6h" }, "window"],
    [{ from: "yesterday" }, "from"],
    [{ from: "now-90d" }, "from"],
    [{ from: "now", to: "now-1h" }, "to"],
    [{ windows: "6h" }, ""],
  ])("refuses %j", async (query, path) => {
    const refused = await callRoute(rank, { as: local, query });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });
});

describe("the list of nodes", () => {
  const list = async (query: Query) => answerOf(await callRoute(listNodes, { as: local, query }), nodeList);

  it("sorts by the time left, soonest first, what has no end last in either order", async () => {
    const sooner = await list({ sort: "timeLeft" });
    expect(sooner.sorted).toMatchObject({ by: "timeLeft", order: "asc", window: "24h" });
    const ends = sooner.nodes.flatMap(({ timeLeft }) => timeLeft?.[0]?.at ?? []);
    expect(ends).toHaveLength(4);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(sooner.nodes.slice(4).map(({ timeLeft }) => timeLeft)).toEqual([null, null]);
    const later = await list({ sort: "timeLeft", order: "desc" });
    expect(namesOf(later).slice(0, 4)).toEqual(namesOf(sooner).slice(0, 4).toReversed());
    expect(later.nodes.at(-1)?.timeLeft).toBeNull();
  });

  it("shows and sorts by the metric and window asked for", async () => {
    const body = await list({ metric: "cgroup.memory.live", window: "6h" });
    expect(body.sorted).toMatchObject({
      by: "leaks",
      order: "desc",
      metric: "cgroup.memory.live",
      window: "6h",
    });
    expect(body.sorted.text).toContain("memory cgroups, live over 6h");
    expect(body.nodes[0]).toMatchObject({ name: "out of ids", trend: { metric: "cgroup.memory.live" } });
    const node = await list({ name: "calm", window: "7d" });
    expect(node.nodes[0]?.trend).toBeNull();
  });

  it("does not put a doubtful large growth above a leak", async () => {
    const before = await list({ name: "calm" });
    const said = { verdict: "growing", slopePerHour: 9e6 } as const;
    const doubtful: NodeTrendToStore = {
      ...said,
      nodeId: ids.calm ?? 0,
      metric: "total.kernelUnreclaimable",
      lower: 8e6,
      upper: 9.5e6,
      pValue: 0.001,
      n: 100,
      exhaustion: null,
      answer: { ...before.nodes[0]?.trend, ...said, ci95: [8e6, 9.5e6] },
    };
    await writeNodeTrends(database.db, { trends: [doubtful], window: "24h", nowMs: NOW });
    const order = namesOf(await list({}));
    expect(order.indexOf("calm")).toBeGreaterThan(order.indexOf("slow leak"));
    expect(namesOf(await ranking()).indexOf("calm")).toBe(order.indexOf("calm"));
  });

  it.each<[Query, string]>([
    [{ window: "12h" }, "window"],
    [{ metric: "meminfo.Slab" }, "metric"],
    [{ metric: "nothing" }, "metric"],
    [{ sort: "time" }, "sort"],
  ])("refuses %j", async (query, path) => {
    const refused = await callRoute(listNodes, { as: local, query });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });
});
