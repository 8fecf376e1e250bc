import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { annotation, effect, effectList } from "#lib/contracts/annotation.ts";
import { correlation } from "#lib/contracts/correlation.ts";
import { changePointList } from "#lib/contracts/change-point.ts";
import { decomposition } from "#lib/contracts/decomposition.ts";
import { forecastList } from "#lib/contracts/forecast.ts";
import { nodeList, nodeSummary } from "#lib/contracts/node.ts";
import {
  compositionSeries,
  metricList,
  metricSeries,
  slabSeries,
  snapshotAt,
} from "#lib/contracts/series.ts";
import { trend } from "#lib/contracts/trend.ts";
import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { refreshOutlooks } from "#lib/server/services/refresh-outlooks.ts";
import { refreshTrends } from "#lib/server/services/refresh-trends.ts";
import { rollUpDirtyBuckets } from "#lib/server/services/roll-up-dirty-buckets.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { issueToken } from "../../../../scripts/testing/tokens.ts";
import { POST as annotate } from "../annotations/route.ts";
import { GET as scrape } from "../../../metrics/route.ts";
import { GET as listMetrics } from "../metrics/route.ts";
import { GET as listChangePoints } from "./[nodeId]/changepoints/route.ts";
import { GET as getComposition } from "./[nodeId]/composition/route.ts";
import { GET as getCorrelation } from "./[nodeId]/correlation/route.ts";
import { GET as getDecomposition } from "./[nodeId]/decomposition/route.ts";
import { GET as getEffect } from "./[nodeId]/effects/[annotationId]/route.ts";
import { GET as listEffects } from "./[nodeId]/effects/route.ts";
import { GET as listForecasts } from "./[nodeId]/forecast/route.ts";
import { GET as getNode } from "./[nodeId]/route.ts";
import { GET as getSeries } from "./[nodeId]/series/route.ts";
import { GET as getSlab } from "./[nodeId]/slab/route.ts";
import { GET as getSnapshot } from "./[nodeId]/snapshot/route.ts";
import { GET as getTrend } from "./[nodeId]/trend/route.ts";
import { GET as listNodes } from "./route.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const nowMs = Date.parse("2026-03-01T12:00:00Z");
const startMs = nowMs - 26 * hourMs;
/** When the leak of `leaky` is stopped. */
const stopMs = Date.parse("2026-03-01T04:15:00Z");
/** When `rebooted` boots anew. */
const rebootMs = Date.parse("2026-03-01T00:00:00Z");
const leakKibPerHour = 300 * 1024;
/** Of the node that boots anew in between. */
const slowerKibPerHour = 200 * 1024;
/** On `busy`: a job that starts 600 containers an hour runs for two hours of each three. */
const startedOn = (atMs: number) => {
  const minutes = (atMs - startMs) / minuteMs;
  return 10 * (120 * Math.floor(minutes / 180) + Math.min(120, minutes % 180));
};
/** Each lives for half an hour. */
const aliveOn = (atMs: number) => startedOn(atMs) - startedOn(Math.max(startMs, atMs - hourMs / 2));
/** On `relieved` the same job, which is stopped at `stopMs`; six an hour are left. */
const startedUntilStop = (atMs: number) =>
  startedOn(Math.min(atMs, stopMs)) + Math.floor(Math.max(0, atMs - stopMs) / (10 * minuteMs));
const leftBehindKib = 90;
const heldKib = 250;
const totalKib = 64 * 1024 * 1024;
const local = { local: true };
const lastDay = { from: "now-24h", to: "now" };

let database: TestDatabase;
const ids: Record<string, number> = {};
const read = (name: string) => ({ as: local, params: { nodeId: ids[name] ?? 0 } });

interface Shape {
  cluster?: string;
  leakKib: (atMs: number) => number;
  bootAtMs?: (atMs: number) => number;
  started?: (atMs: number) => number;
  live?: (atMs: number) => number;
  rest?: Partial<SnapshotInput>;
}

/** 26 h of a node, a sample a minute. Every number but the noise is a formula, so the truth is known. */
async function build(
  name: string,
  { cluster = "east", leakKib, bootAtMs = () => startMs - 100 * hourMs, started, live, rest }: Shape,
) {
  const rng = createRng(name.length * 7919);
  const items: SnapshotInput[] = [];
  for (let at = startMs; at <= nowMs; at += minuteMs) {
    const bootedMs = bootAtMs(at);
    const leak = Math.round(leakKib(at) + rng.normal() * 2000);
    const cached = 8_000_000 + Math.round(100_000 * rng.uniform());
    items.push({
      schemaVersion: 1,
      node: name,
      at,
      bootId: `boot-${bootedMs}`,
      uptimeSeconds: (at - bootedMs) / 1000,
      kernelRelease: "4.18.0-305.el8.x86_64",
      cpus: 16,
      pageSizeBytes: 4096,
      meminfo: {
        MemTotal: totalKib,
        MemFree: totalKib - 20_000_000 - cached - leak,
        MemAvailable: totalKib - 20_000_000 - leak,
        Buffers: 100_000,
        Cached: cached,
        AnonPages: 15_000_000,
        Mapped: 400_000,
        Shmem: 50_000,
        SReclaimable: 900_000,
        SUnreclaim: 1_000_000 + leak,
        KernelStack: 50_000,
        PageTables: 80_000,
        Percpu: 500_000,
        Dirty: 10,
        NewKernelKey: 77,
      },
      vmstat: { pgfault: Math.round((at - bootedMs) / 10), nr_mlock: 5 },
      pcpFreePages: 1000,
      cgroups: { mode: "v1", memoryCount: 900, live: 100, dying: 800 },
      slab: [
        { name: "kmalloc-64", activeObjs: leak, numObjs: leak + 5, objSizeBytes: 64, sizeKib: leak + 1000 },
        { name: "dentry", activeObjs: 500, numObjs: 600, objSizeBytes: 192, sizeKib: 4000 },
      ],
      watch: [{ path: "/run/crio/exits", files: Math.floor((at - startMs) / minuteMs) }],
      sources: { meminfo: { status: "ok" }, slabinfo: { status: "denied", detail: "needs root" } },
      ...(started && { containersStarted: started(at) }),
      ...(live && { containersLive: live(at) }),
      ...rest,
    });
  }
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  for (let first = 0; first < items.length; first += 500) {
    const receipt = await ingestSnapshots({
      ctx,
      input: { items: items.slice(first, first + 500), cluster },
    });
    expect(receipt.rejected).toEqual([]);
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  const hours = (fromMs: number, atMs: number) => Math.max(0, atMs - fromMs) / hourMs;
  await build("leaky", {
    leakKib: (at) => 1_000_000 + leakKibPerHour * hours(startMs, Math.min(at, stopMs)),
    started: (at) => Math.floor(hours(startMs, at) * 120),
    rest: { labels: { role: "worker" } },
  });
  await build("still leaking", { leakKib: (at) => 1_000_000 + leakKibPerHour * hours(startMs, at) });
  await build("calm", { leakKib: () => 1_000_000 });
  await build("calm too", { leakKib: () => 1_000_000 });
  await build("rebooted", {
    leakKib: (at) => 500_000 + slowerKibPerHour * hours(at < rebootMs ? startMs : rebootMs, at),
    bootAtMs: (at) => (at < rebootMs ? startMs - hourMs : rebootMs),
  });
  await build("elsewhere", { cluster: "west", leakKib: () => 1_000_000 });
  const system = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  await rollUpDirtyBuckets({ ctx: system, input: {} });
  await refreshOutlooks({ ctx: system });
  for (const window of TREND_WINDOWS) await refreshTrends({ ctx: system, input: { window } });
  const { nodes } = await answerOf(await callRoute(listNodes, { as: local }), nodeList);
  for (const { name, nodeId } of nodes) ids[name] = nodeId;
});
beforeEach(() => {
  useRuntime(database.db, () => nowMs);
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

describe("the fleet", () => {
  const names = async (query: Record<string, string | number>) => {
    const { nodes } = await answerOf(await callRoute(listNodes, { as: local, query }), nodeList);
    return nodes.map(({ name }) => name);
  };

  it("ranks by the certain growth and says what each node does", async () => {
    const { nodes, total } = await answerOf(await callRoute(listNodes, { as: local }), nodeList);
    expect(total).toBe(6);
    expect(nodes[0]).toMatchObject({
      name: "still leaking",
      cluster: "east",
      kernelRelease: "4.18.0-305.el8.x86_64",
      memTotalKib: totalKib,
      silent: false,
      conflict: false,
      cgroups: { count: 900, live: 100, dying: 800, idsHeld: 100, idLimit: 65_535 },
      blindSources: ["slabinfo"],
      trend: { verdict: "leaking", metric: "total.kernelUnreclaimable", unit: "KiB" },
    });
    const growth = nodes[0]?.trend;
    expect(growth?.ci95?.[0]).toBeLessThanOrEqual(leakKibPerHour * 1.001);
    expect(growth?.ci95?.[1]).toBeGreaterThanOrEqual(leakKibPerHour * 0.999);
    expect(growth?.exhaustion).toMatchObject({ what: "memory" });
    expect(nodes[0]?.sparkline.timesMs.length).toBeGreaterThan(20);
    const calm = nodes.filter(({ name }) => name.startsWith("calm") || name === "elsewhere");
    expect(calm.map((node) => node.trend?.verdict)).toEqual(["flat", "flat", "flat"]);
    const leaky = nodes.find(({ name }) => name === "leaky");
    expect(leaky?.containersPerHour).toBeCloseTo(120, -1);
  });

  it("composes the newest state so that the bands add up", async () => {
    const node = await answerOf(await callRoute(getNode, read("calm")), nodeSummary);
    const sum = Object.values(node.bands).reduce<number>((total, value) => total + (value ?? 0), 0);
    expect(sum).toBe(node.memTotalKib);
    expect(node.bands.vmalloc).toBeNull();
  });

  it("says of one node how its sources were read and since when, of a list which are blind", async () => {
    const { nodes } = await answerOf(await callRoute(listNodes, { as: local }), nodeList);
    expect(nodes.find(({ name }) => name === "calm")).not.toHaveProperty("sources");
    const node = await answerOf(await callRoute(getNode, read("calm")), nodeSummary);
    expect(node).toMatchObject({
      blindSources: ["slabinfo"],
      sources: { meminfo: { status: "ok" }, slabinfo: { status: "denied", detail: "needs root" } },
    });
    expect(node.sources.slabinfo?.since).toBeLessThan(node.lastSeenAt);
  });

  it("filters, sorts and pages", async () => {
    expect(await names({ cluster: "west" })).toEqual(["elsewhere"]);
    expect(await names({ name: "calm" })).toEqual(["calm"]);
    expect(await names({ search: "CALM", sort: "name", order: "asc" })).toEqual(["calm", "calm too"]);
    expect(await names({ search: "worker" })).toEqual(["leaky"]);
    expect(await names({ kernel: "5.14.0" })).toEqual([]);
    expect(await names({ sort: "kernelUnreclaimable", pageSize: 1 })).toEqual(["still leaking"]);
    expect(await names({ sort: "name", order: "asc", pageSize: 2, page: 2 })).toEqual(["leaky", "rebooted"]);
    const leaks = await names({ sort: "leaks" });
    expect(leaks.slice(0, 1)).toEqual(["still leaking"]);
    expect((await names({ sort: "leaks", order: "asc" })).at(-1)).toBe("still leaking");
    expect(leaks.toSorted()).toEqual((await names({ sort: "growth" })).toSorted());
    // Unknown rates come last in either direction.
    expect((await names({ sort: "containersPerHour", order: "asc" }))[0]).toBe("leaky");
    expect((await names({ sort: "containersPerHour", order: "desc" }))[0]).toBe("leaky");
  });

  it("calls a node silent by the server's clock", async () => {
    useRuntime(database.db, () => nowMs + 10 * minuteMs);
    expect((await answerOf(await callRoute(getNode, read("calm")), nodeSummary)).silent).toBe(true);
  });

  it("shows a token of one cluster that cluster", async () => {
    const as = { token: await issueToken({ name: "west", cluster: "west", scopes: ["read"] }) };
    const { nodes, total } = await answerOf(await callRoute(listNodes, { as }), nodeList);
    expect([total, nodes.map(({ name }) => name)]).toEqual([1, ["elsewhere"]]);
    for (const route of [getNode, getComposition, getTrend, getSlab, getSnapshot]) {
      expect((await callRoute(route, { ...read("calm"), as })).status, route.facts.path).toBe(404);
    }
  });
});

describe("composition", () => {
  it.each([
    [{ ...lastDay, points: 250 }, "5min"],
    [{ from: "now-1h", to: "now", points: 60 }, "raw"],
    [{ from: "now-30d", to: "now" }, "1h"],
  ])("adds up to MemTotal at each point of %j", async (query, source) => {
    const body = await answerOf(
      await callRoute(getComposition, { ...read("leaky"), query }),
      compositionSeries,
    );
    expect(body.resolution.source).toBe(source);
    expect(body.timesMs.length).toBeGreaterThan(10);
    body.timesMs.forEach((_, point) => {
      const sum = body.bands.reduce((total, { valuesKib }) => total + (valuesKib[point] ?? 0), 0);
      expect(sum).toBeCloseTo(body.totalKib[point] ?? 0, 3);
    });
    expect(body.bands.find(({ key }) => key === "sunrecl")?.reported).toBe(true);
    expect(body.bands.find(({ key }) => key === "vmalloc")).toMatchObject({ reported: false });
    expect(body.notes.join(" ")).toContain("vmalloc");
  });

  it("tells reboots and gaps, and gives no point where there is no sample", async () => {
    const query = { from: String(startMs - 5 * hourMs), to: "now" };
    const body = await answerOf(
      await callRoute(getComposition, { ...read("rebooted"), query }),
      compositionSeries,
    );
    const firstBootMs = startMs - hourMs;
    expect(body.reboots).toEqual([
      { at: firstBootMs, bootId: `boot-${firstBootMs}`, lastSampleAt: null },
      { at: rebootMs, bootId: `boot-${rebootMs}`, lastSampleAt: rebootMs - minuteMs },
    ]);
    expect(body.timesMs[0]).toBeGreaterThanOrEqual(startMs);
  });

  it("is empty and not an error where nothing was stored", async () => {
    const query = { from: "2020-01-01", to: "2020-01-02" };
    const body = await answerOf(
      await callRoute(getComposition, { ...read("calm"), query }),
      compositionSeries,
    );
    expect([body.timesMs, body.totalKib, body.gaps]).toEqual([[], [], []]);
  });

  it.each([
    [{ from: "now", to: "now-1h" }, "to"],
    [{ from: "yesterday" }, "from"],
    [{ timezone: "Mars" }, "timezone"],
    [{ points: 1 }, "points"],
    [{ points: 1e9 }, "points"],
    [{ point: 5 }, ""],
  ])("refuses %j", async (query, path) => {
    const refused = await callRoute(getComposition, {
      ...read("calm"),
      query: query,
    });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });
});

describe("series", () => {
  const series = async (name: string, metric: string[], query: Record<string, string | number> = lastDay) =>
    answerOf(await callRoute(getSeries, { ...read(name), query: { ...query, metric } }), metricSeries);

  it("puts metrics of every kind on one time axis", async () => {
    const metrics = [
      "meminfo.SUnreclaim",
      "band.sunrecl",
      "total.kernelUnreclaimable",
      "meminfo.NewKernelKey",
      "vmstat.pgfault",
      "slab.kmalloc-64.bytes",
      "slab.kmalloc-64.objects",
      "watch./run/crio/exits.files",
      "cgroup.memory.dying",
      "containers.started",
    ];
    const body = await series("leaky", metrics);
    expect(body.series.map(({ metric }) => metric)).toEqual(metrics);
    const last = body.timesMs.length - 2;
    const value = (metric: string) => body.series.find((each) => each.metric === metric)?.values[last] ?? 0;
    for (const { metric, values } of body.series) {
      expect(values, metric).toHaveLength(body.timesMs.length);
      expect(values.filter((each) => each !== null).length, metric).toBeGreaterThan(
        body.timesMs.length * 0.9,
      );
    }
    expect(value("meminfo.NewKernelKey")).toBe(77);
    expect(value("band.sunrecl")).toBe(value("meminfo.SUnreclaim"));
    expect(value("slab.kmalloc-64.bytes") / 1024).toBeCloseTo(value("meminfo.SUnreclaim") - 999_000, -5);
    expect(value("watch./run/crio/exits.files")).toBeCloseTo(
      ((body.timesMs[last] ?? 0) - startMs) / minuteMs,
      -1,
    );
    expect(body.series[0]?.min?.[last]).toBeLessThanOrEqual(value("meminfo.SUnreclaim"));
    expect(body.series[0]?.max?.[last]).toBeGreaterThanOrEqual(value("meminfo.SUnreclaim"));
  });

  it("is all null for what the node never reported, and says why", async () => {
    const names = ["meminfo.SUnreclaim", "slab.no-such.bytes", "meminfo.NoSuch", "watch./none.files"];
    const body = await series("calm", names);
    expect(body.series).toHaveLength(4);
    for (const { values } of body.series.slice(1)) expect(values.every((value) => value === null)).toBe(true);
    expect(body.series.map(({ reason }) => reason)).toEqual([
      undefined,
      "calm reported no such slab cache in this window.",
      "calm reported no such counter in this window.",
      "calm watched no such directory in this window.",
    ]);
    const before = await series("calm", ["meminfo.SUnreclaim"], { from: "now-9d", to: "now-8d" });
    expect(before.series[0]?.reason).toBe("calm sent nothing in this window.");
  });

  it("refuses a metric that no node can have", async () => {
    const refused = await callRoute(getSeries, { ...read("calm"), query: { metric: "cpu.load" } });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).detail).toContain("/api/v1/metrics");
    expect((await callRoute(getSeries, read("calm"))).status).toBe(400);
  });

  it("lists the metrics there are", async () => {
    const { metrics } = await answerOf(await callRoute(listMetrics, { as: local }), metricList);
    expect(metrics.map(({ key }) => key)).toEqual(
      expect.arrayContaining(["total.kernelUnreclaimable", "band.unacc", "slab.<cache>.bytes"]),
    );
  });
});

describe("slab caches and snapshots", () => {
  it("come by change, within the newest boot", async () => {
    const query = { ...lastDay, limit: 1 };
    const { caches } = await answerOf(await callRoute(getSlab, { ...read("rebooted"), query }), slabSeries);
    expect(caches[0]).toMatchObject({ name: "kmalloc-64", objSizeBytes: 64 });
    expect(caches[0]?.changeKib).toBeCloseTo(12 * slowerKibPerHour, -6);
  });

  it("are there whole, with the table of smem", async () => {
    const query = { at: "2026-03-01T04:15:30Z" };
    const body = await answerOf(await callRoute(getSnapshot, { ...read("leaky"), query }), snapshotAt);
    expect(body.at).toBe(stopMs);
    expect(body.meminfo).toMatchObject({ MemTotal: totalKib, NewKernelKey: 77, Shmem: 50_000 });
    expect(body.other["cgroup.memory.dying"]).toBe(800);
    const dynamic = body.smem.find(({ area }) => area.includes("dynamic"));
    const {
      MemTotal = 0,
      MemFree = 0,
      AnonPages = 0,
      Buffers = 0,
      Cached = 0,
      SReclaimable = 0,
    } = body.meminfo;
    expect(dynamic?.noncacheKib).toBe(MemTotal - MemFree - AnonPages - Buffers - Cached - SReclaimable);
    const kubelet = body.usedMemory?.views.find(({ key }) => key === "kubelet-v2");
    expect(kubelet?.kernelLeftOutKib).toBe(body.usedMemory?.kernelKib);
    const before = await callRoute(getSnapshot, { ...read("leaky"), query: { at: "2020-01-01" } });
    expect(before.status).toBe(404);
    expect((await problemOf(before)).detail).toMatch(
      /^Whole samples of leaky are kept since 2026-02-28 10:00 UTC; /,
    );
  });
});

describe("trends", () => {
  const trendOf = async (name: string, query: Record<string, string>) =>
    answerOf(await callRoute(getTrend, { ...read(name), query }), trend);

  it("measure the leak, in the unit of the metric", async () => {
    const kib = await trendOf("still leaking", lastDay);
    expect(kib.verdict).toBe("leaking");
    expect(kib.text).toContain("MiB/h");
    const bytes = await trendOf("still leaking", { ...lastDay, metric: "slab.kmalloc-64.bytes" });
    expect(bytes.unit).toBe("bytes");
    expect((bytes.slopePerHour ?? 0) / 1024).toBeCloseTo(leakKibPerHour, -3);
  });

  it("take no difference across a reboot", async () => {
    const { boots, ci95 } = await trendOf("rebooted", lastDay);
    expect(boots).toHaveLength(2);
    for (const { slopePerHour } of boots) expect(slopePerHour).toBeCloseTo(slowerKibPerHour, -4);
    expect(ci95?.[0]).toBeGreaterThan(0);
    // The first 2 h of the boot are left out.
    expect(boots[1]?.from).toBeGreaterThanOrEqual(rebootMs + 2 * hourMs);
  });

  it("say that the node has nothing of that name", async () => {
    const metric = "slab.no-such.bytes";
    const unknown = await trendOf("calm", { ...lastDay, metric });
    expect(unknown).toMatchObject({ verdict: "insufficient", n: 0 });
    expect(unknown.text).toBe(
      "Cannot say whether slab cache no-such grows: calm reported no such slab cache in this window.",
    );
    const query = { ...lastDay, metric };
    const { text } = await answerOf(
      await callRoute(listChangePoints, { ...read("calm"), query }),
      changePointList,
    );
    expect(text).toContain("calm reported no such slab cache in this window.");
  });

  it("say what is missing instead of guessing", async () => {
    expect(await trendOf("calm", { from: "now-10m", to: "now" })).toMatchObject({
      verdict: "insufficient",
      slopePerHour: null,
      exhaustion: null,
    });
  });
});

describe("effects", () => {
  const markOn = async (names: string[], fields: object) => {
    const scope = { nodes: names.map((name) => ids[name]) };
    const json = { kind: "intervention", scope, ...fields };
    return (await answerOf(await callRoute(annotate, { as: local, json }), annotation)).annotationId;
  };

  it("see the leak stop, compare with nodes that were left alone, and call a later restart no effect", async () => {
    const stopped = await markOn(["leaky"], { at: stopMs, title: "pull-monitor stopped" });
    const restarted = await markOn(["leaky"], { at: stopMs + 4 * hourMs, title: "CRI-O restarted" });
    const query = { before: "6h", after: "4h" };
    const one = await answerOf(
      await callRoute(getEffect, {
        as: local,
        params: { nodeId: ids.leaky ?? 0, annotationId: stopped },
        query,
      }),
      effect,
    );
    expect(one).toMatchObject({ slopeVerdict: "stopped", levelVerdict: "none", unit: "KiB" });
    expect(one.text).toMatch(/pull-monitor was stopped at 04:15 UTC.*stopped, memory not given back/);
    expect(one.controls?.nodes).toBe(4);

    const { effects } = await answerOf(
      await callRoute(listEffects, { ...read("leaky"), query: { ...query, ...lastDay } }),
      effectList,
    );
    expect(effects.map((each) => [each.annotationId, each.slopeVerdict, each.levelVerdict])).toEqual([
      [stopped, "stopped", "none"],
      [restarted, "unchanged", "none"],
    ]);
    expect(effects[1]?.text).toContain("no effect");
    // The list compares as the single answer does, and says so.
    expect(effects[0]?.controls?.nodes).toBe(4);
    expect(
      (effects[0]?.controls?.differencePerHour ?? 0) / (one.controls?.differencePerHour ?? 1),
    ).toBeCloseTo(1, 3);
    expect(effects[0]?.text).toMatch(/Against 4 nodes left alone the change is −300\.\d MiB\/h/);
    expect(one.text).toMatch(/Against 4 nodes left alone the change is −300\.2 MiB\/h/);
    // The window after the first mark ends at the second.
    expect(effects[0]?.after.to).toBeLessThan(stopMs + 4 * hourMs);
    const again = await answerOf(
      await callRoute(getEffect, {
        as: local,
        params: { nodeId: ids.leaky ?? 0, annotationId: restarted },
        query,
      }),
      effect,
    );
    expect(again.slopeVerdict).toBe("unchanged");

    // A mark is judged alike alone, in a wide window and in one that its company lies outside of.
    const short = { before: "1h", after: "1h" };
    const listed = async (range: Record<string, string>) =>
      answerOf(await callRoute(listEffects, { ...read("leaky"), query: { ...short, ...range } }), effectList);
    const wide = (await listed(lastDay)).effects[1];
    expect(wide?.slopeVerdict).toBe("unchanged");
    expect((await listed({ from: String(stopMs + 3 * hourMs), to: "now" })).effects).toEqual([wide]);
    const params = { nodeId: ids.leaky ?? 0, annotationId: restarted };
    const alone = await answerOf(await callRoute(getEffect, { as: local, params, query: short }), effect);
    expect(alone).toEqual(wide);
  });

  it("are too early shortly after, and say when not", async () => {
    const at = nowMs - 4 * minuteMs;
    const fresh = await markOn(["calm"], { at, title: "kubelet restarted" });
    const body = await answerOf(
      await callRoute(getEffect, { as: local, params: { nodeId: ids.calm ?? 0, annotationId: fresh } }),
      effect,
    );
    expect(body.slopeVerdict).toBe("too-early");
    expect(body.enoughAt).toBeGreaterThan(nowMs);
    expect(body.text).toContain("UTC");

    useRuntime(database.db, () => nowMs + 6 * minuteMs);
    const silent = await answerOf(
      await callRoute(getEffect, { as: local, params: { nodeId: ids.calm ?? 0, annotationId: fresh } }),
      effect,
    );
    expect(silent).toMatchObject({ slopeVerdict: "too-early", enoughAt: null });
    expect(silent.text).toContain("the collector is silent since");
  });

  it("of a mark that lies ahead are nothing yet", async () => {
    for (const [at, clock] of [
      [nowMs + hourMs, "13:00 UTC"],
      [nowMs + 48 * hourMs, "2026-03-03 12:00 UTC"],
    ] as const) {
      const mark = await markOn(["calm"], { at, title: "runc upgraded" });
      const params = { nodeId: ids.calm ?? 0, annotationId: mark };
      const ahead = await answerOf(await callRoute(getEffect, { as: local, params }), effect);
      expect(ahead).toMatchObject({ slopeVerdict: "too-early", levelVerdict: "inconclusive" });
      expect(ahead.text).toBe(
        `Nothing can have changed yet for unreclaimable kernel memory: “runc upgraded” is marked for ${clock}.`,
      );
    }
  });

  it("are of nodes that the mark concerns", async () => {
    const mark = await markOn(["calm"], { at: stopMs, title: "x" });
    const params = { nodeId: ids.leaky ?? 0, annotationId: mark };
    expect((await callRoute(getEffect, { as: local, params })).status).toBe(404);
    const refused = await callRoute(listEffects, { ...read("calm"), query: { before: "soon" } });
    expect((await problemOf(refused)).errors?.[0]?.path).toBe("before");
  });
});

describe("change points", () => {
  const changes = async (name: string, query: Record<string, string | number> = lastDay) =>
    answerOf(await callRoute(listChangePoints, { ...read(name), query }), changePointList);

  it("see when the leak stopped, on both sides, and what was marked near", async () => {
    const answer = await changes("leaky");
    expect(answer.verdict).toBe("changed");
    expect(answer.changePoints).toHaveLength(1);
    const [change] = answer.changePoints;
    expect(change?.ci95[0]).toBeLessThanOrEqual(stopMs + 5 * minuteMs);
    expect(change?.ci95[1]).toBeGreaterThanOrEqual(stopMs - 5 * minuteMs);
    expect((change?.slopePerHourBefore ?? 0) / leakKibPerHour).toBeCloseTo(1, 1);
    expect(Math.abs(change?.slopePerHourAfter ?? NaN)).toBeLessThan(0.02 * leakKibPerHour);
    expect(change?.text).toMatch(
      /^Unreclaimable kernel memory grew (299|30\d)(\.\d+)? MiB\/h .* until 04:\d\d UTC/,
    );
    expect(change?.nearby.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^pull-monitor stopped, (at the same time|(\d+ s|\d min) (before|after))$/),
    ]);
    expect(answer.stretches).toHaveLength(2);
    expect(answer.text).toContain("changed once");
  });
  it("are none where growth goes on, where nothing grows, and at a reboot", async () => {
    for (const name of ["still leaking", "calm"]) {
      expect(await changes(name)).toMatchObject({ verdict: "unchanged", changePoints: [] });
    }
    const rebooted = await changes("rebooted");
    expect(rebooted.changePoints).toEqual([]);
    expect(rebooted.stretches.map(({ bootId }) => bootId)).toHaveLength(2);
    expect(rebooted.stretches[1]?.from).toBeGreaterThanOrEqual(rebootMs + 2 * hourMs);
  });
  it("are of any metric, in its unit", async () => {
    const answer = await changes("leaky", { ...lastDay, metric: "slab.kmalloc-64.bytes" });
    expect(answer).toMatchObject({ metric: "slab.kmalloc-64.bytes", unit: "bytes", verdict: "changed" });
    expect((answer.changePoints[0]?.slopePerHourBefore ?? 0) / (1024 * leakKibPerHour)).toBeCloseTo(1, 1);
  });
  it("say what is missing", async () => {
    const young = { from: "now-20m", to: "now" };
    expect(await changes("leaky", young)).toMatchObject({
      verdict: "insufficient",
      text: expect.stringMatching(/^Cannot say .*: \d+ points, 48 needed\.$/) as string,
      changePoints: [],
      stretches: [],
    });
    const before = { from: startMs - 40 * hourMs, to: startMs - 30 * hourMs };
    expect(await changes("leaky", before)).toMatchObject({ verdict: "insufficient" });
    expect(await changes("calm", { ...lastDay, metric: "tmpfs./dev/shm.inodes" })).toMatchObject({
      verdict: "insufficient",
    });
  });
});

describe("decomposition", () => {
  const parts = async (name: string, query: Record<string, string | number> = lastDay) =>
    answerOf(await callRoute(getDecomposition, { ...read(name), query }), decomposition);

  it("shares the growth out, to bands and to caches", async () => {
    const { bands, slab, text, verdict } = await parts("still leaking");
    expect(verdict).toBe("growing");
    expect(bands?.parts[0]).toMatchObject({ key: "sunrecl", label: "slab, unreclaimable" });
    expect(bands?.parts[0]?.share).toBeCloseTo(1, 1);
    expect(bands?.parts.map(({ key }) => key)).not.toContain("vmalloc");
    const sum = bands?.parts.reduce((total, part) => total + part.slopeKibPerHour, 0) ?? 0;
    expect(sum / (bands?.slopeKibPerHour ?? 0)).toBeCloseTo(1, 9);
    expect(slab?.parts[0]?.key).toBe("kmalloc-64");
    expect(slab?.parts.map(({ key }) => key)).not.toContain("dentry");
    expect(text).toMatch(/^(99|100|101) % of the growth is slab, of it kmalloc-64 (99|100|101) %/);
  });
  it("gives no shares of what does not grow, and says so", async () => {
    const { bands, text, verdict } = await parts("calm");
    expect(verdict).toBe("not-growing");
    expect(bands?.parts.every(({ share }) => share === null)).toBe(true);
    expect(text).toContain("did not grow significantly");
  });
  it("pools boots and leaves their first 2 h out", async () => {
    const { bands } = await parts("rebooted");
    expect((bands?.slopeKibPerHour ?? 0) / slowerKibPerHour).toBeCloseTo(1, 1);
  });
  it("says what is missing", async () => {
    const none = await parts("leaky", { from: startMs - 40 * hourMs, to: startMs - 30 * hourMs });
    expect(none).toMatchObject({ verdict: "insufficient", bands: null, slab: null });
    expect(none.text).toContain("leaky sent nothing in this window.");
  });
});

it("has one address for a node", async () => {
  for (const written of ["1.0", "1e0", "01", "+1", "0x1"]) {
    const response = await callRoute(getTrend, {
      ...read("calm"),
      params: { nodeId: written },
      query: lastDay,
    });
    expect(response.status).toBe(404);
    expect((await problemOf(response)).errors?.[0]?.path).toBe("nodeId");
  }
});

describe("a window of which a node covers little", () => {
  const year = { from: nowMs - 365 * 24 * hourMs, to: nowMs };
  it("is judged as what is covered of it", async () => {
    const over = async (query: Record<string, string | number>) =>
      answerOf(await callRoute(getTrend, { ...read("still leaking"), query }), trend);
    const metric = "total.kernelUnreclaimable";
    const [whole, day] = [await over({ metric, ...year }), await over({ metric, ...lastDay })];
    expect(whole).toMatchObject({ verdict: "leaking", from: year.from, to: year.to });
    expect((whole.slopePerHour ?? 0) / (day.slopePerHour ?? 1)).toBeCloseTo(1, 1);
    expect(whole.n).toBeGreaterThan(100);
  });
});

describe("the end that a trend leads to", () => {
  it("is told of a window that reaches the newest sample, and of no earlier one", async () => {
    const endOver = async (query: Record<string, string | number>) =>
      (await answerOf(await callRoute(getTrend, { ...read("still leaking"), query }), trend)).exhaustion;
    const metric = "total.kernelUnreclaimable";
    expect(await endOver({ metric, ...lastDay })).toMatchObject({ what: "memory" });
    const past = { metric, from: nowMs - 20 * hourMs, to: nowMs - 2 * hourMs };
    expect(await endOver(past)).toBeNull();
    expect(await endOver({ ...past, to: nowMs - 4 * minuteMs })).toMatchObject({ what: "memory" });
  });
});

describe("forecasts", () => {
  const ahead = async (name: string, query: Record<string, string | number> = lastDay) =>
    (await answerOf(await callRoute(listForecasts, { ...read(name), query }), forecastList)).forecasts;

  it("fan out from the newest sample to the end, along the line of the trend", async () => {
    const [memory, ids] = await ahead("still leaking");
    expect(memory).toMatchObject({ metric: "total.kernelUnreclaimable", verdict: "leaking", what: "memory" });
    const trendOfIt = await answerOf(
      await callRoute(getTrend, { ...read("still leaking"), query: lastDay }),
      trend,
    );
    expect(memory?.exhaustion).toEqual(trendOfIt.exhaustion);
    expect(memory?.lines).toHaveLength(1);
    expect(memory?.fan?.timesMs[0]).toBe(nowMs);
    expect(memory?.fan?.low.at(-1)).toBeCloseTo(memory?.fan?.limit ?? 0, -3);
    expect(memory?.text).toMatch(
      /^At this rate memory runs out in 5\.\d d, at .* UTC \(95 %: .* to .* UTC\), by its growth since .* UTC\.$/,
    );
    expect(ids).toMatchObject({ metric: "cgroup.memory.live", fan: null, verdict: "flat" });
    expect(ids?.silentBecause).toBe("there is no significant growth in this window");
  });
  it("are silent where nothing grows, and where the window ends long ago", async () => {
    const [calm] = await ahead("calm");
    expect(calm).toMatchObject({ fan: null, exhaustion: null });
    expect(calm?.lines).toHaveLength(1);
    const [old] = await ahead("leaky", { from: startMs, to: stopMs - 2 * hourMs });
    expect(old?.silentBecause).toBe("the window ends before the newest samples");
  });
  it("draw one line a boot, the newest with its own slope", async () => {
    const [memory] = await ahead("rebooted", { ...lastDay, metric: "total.kernelUnreclaimable" });
    expect(memory?.lines).toHaveLength(2);
    const slopes = memory?.lines.map(
      ({ timesMs, values }) =>
        ((values.at(-1) ?? 0) - (values[0] ?? 0)) / ((timesMs.at(-1) ?? 0) - (timesMs[0] ?? 0)),
    );
    expect((slopes?.[0] ?? 0) / (slopes?.[1] ?? 1)).toBeCloseTo(1, 3);
  });
  it("say what is missing", async () => {
    const [none] = await ahead("leaky", { from: startMs - 40 * hourMs, to: startMs - 30 * hourMs });
    expect(none).toMatchObject({ verdict: "insufficient", lines: [], fan: null });
    expect(none?.text).toContain("leaky sent nothing in this window.");
    const [watched] = await ahead("leaky", { ...lastDay, metric: "watch./run/crio/exits.files" });
    expect(watched?.silentBecause).toBe("this metric has no end that is known");
  });
});

describe("analyses of a window", () => {
  const routes = [listChangePoints, getDecomposition, listForecasts] as const;
  it("refuse what is no window, no metric, no node", async () => {
    for (const route of routes) {
      const status = async (nodeId: number, query: Record<string, string>) =>
        (await callRoute(route, { as: local, params: { nodeId }, query })).status;
      expect(await status(ids["calm"] ?? 0, { from: "now", to: "now-1h" })).toBe(400);
      expect(await status(ids["calm"] ?? 0, { from: "NaN" })).toBe(400);
      expect(await status(ids["calm"] ?? 0, { from: "now-1h", timezone: "Mars/Olympus" })).toBe(400);
      expect(await status(2_000_000_000, {})).toBe(404);
      expect(await status(ids["calm"] ?? 0, { from: "1970-01-02T00:00:00Z" })).toBe(400);
      expect(await status(ids["calm"] ?? 0, { from: "now-3y" })).toBe(200);
      expect(await status(ids["calm"] ?? 0, { from: String(nowMs), to: String(nowMs + 1) })).toBe(200);
    }
    for (const route of [listChangePoints, listForecasts]) {
      const query = { metric: "no.such" };
      expect((await callRoute(route, { ...read("calm"), query })).status).toBe(400);
    }
  });
});

describe("Prometheus", () => {
  it("reads gauges of nodes and counts of requests; strangers do not", async () => {
    expect((await callRoute(scrape)).status).toBe(401);
    const response = await callRoute(scrape, { as: local });
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    const text = await response.text();
    expect(text).toContain(
      'plumbline_node_trend_verdict{cluster="east",node="still leaking",verdict="leaking"} 1',
    );
    expect(text).toMatch(/plumbline_node_kernel_unreclaimable_kib\{cluster="west",node="elsewhere"\} \d+/);
    expect(text).toMatch(/plumbline_http_request_seconds_count\{[^}]*path="\/api\/v1\/nodes"/);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
  });
});

describe("correlation with containers", () => {
  const relate = async (name: string, query: Record<string, string>) =>
    answerOf(await callRoute(getCorrelation, { ...read(name), query }), correlation);

  beforeAll(async () => {
    await build("busy", {
      cluster: "south",
      leakKib: (at) => 1_000_000 + leftBehindKib * startedOn(at) + heldKib * aliveOn(at),
      started: startedOn,
      live: aliveOn,
    });
    const { nodes } = await answerOf(
      await callRoute(listNodes, { as: local, query: { name: "busy" } }),
      nodeList,
    );
    ids.busy = nodes[0]?.nodeId ?? 0;
  });

  it("tells what is left behind from what is in use", async () => {
    const found = await relate("busy", lastDay);
    expect(found).toMatchObject({ verdict: "leaves-behind", unit: "KiB", obstacle: null, windowMs: hourMs });
    const [low, high] = found.ci95 ?? [0, 0];
    expect(low).toBeLessThan(leftBehindKib);
    expect(high).toBeGreaterThan(leftBehindKib);
    expect(high - low).toBeLessThan(10);
    expect(found.kibPerContainer).toBeCloseTo(leftBehindKib, -1);
    expect(found.kibPerLiveContainer?.ci95[0]).toBeLessThan(heldKib);
    expect(found.kibPerLiveContainer?.ci95[1]).toBeGreaterThan(heldKib);
    expect(found.pearson).toBeGreaterThan(0.5);
    expect(found.points.length).toBeGreaterThan(20);
    expect(found.n).toBeLessThanOrEqual(600);
    expect(found.line?.points[0]?.[0]).toBeCloseTo(Math.min(...found.points.map(([rate]) => rate)), 6);
    expect(found.text).toContain("left behind per container");
    expect(found.missing).toBeUndefined();
  });
  it("names the intervention that makes a cause of it, and only one that does", async () => {
    expect((await relate("busy", lastDay)).backedBy).toBeNull();
    await build("relieved", {
      cluster: "south",
      leakKib: (at) => 1_000_000 + leftBehindKib * startedUntilStop(at),
      started: startedUntilStop,
      live: () => 40,
    });
    const { nodes } = await answerOf(
      await callRoute(listNodes, { as: local, query: { name: "relieved" } }),
      nodeList,
    );
    ids.relieved = nodes[0]?.nodeId ?? 0;
    const mark = async (at: number, title: string) =>
      answerOf(
        await callRoute(annotate, {
          as: local,
          json: { at, kind: "intervention", title, scope: { nodes: [ids.relieved] } },
        }),
        annotation,
      );
    await mark(stopMs - 7 * hourMs, "CRI-O restarted");
    const unbacked = await relate("relieved", lastDay);
    expect(unbacked).toMatchObject({ verdict: "leaves-behind", backedBy: null });
    expect(unbacked.text).toContain("goes with");
    const stop = await mark(stopMs, "pull-monitor stopped");
    const backed = await relate("relieved", lastDay);
    expect(backed.backedBy).toMatchObject({
      annotationId: stop.annotationId,
      at: stopMs,
      title: "pull-monitor stopped",
      slopeVerdict: "slowed",
    });
    expect(backed.backedBy?.containersPerHourBefore).toBeGreaterThan(300);
    expect(backed.backedBy?.containersPerHourAfter).toBeCloseTo(6, 0);
    expect(backed.text).toMatch(
      /backed by an intervention: when pull-monitor was stopped, creation fell from \d+ to [\d.]+ containers\/h and growth slowed\.$/,
    );
  });
  it("gives the same for a slab cache, whose unit is bytes", async () => {
    const found = await relate("busy", { ...lastDay, metric: "slab.kmalloc-64.bytes", window: "2h" });
    expect(found).toMatchObject({ verdict: "leaves-behind", unit: "KiB", windowMs: 2 * hourMs });
    // A slab cache is read as the last sample of a bucket, so the counts are taken half way to the next.
    expect(Math.abs((found.kibPerContainer ?? 0) - leftBehindKib)).toBeLessThan(0.15 * leftBehindKib);
    expect(found.ci95?.[0]).toBeLessThan(leftBehindKib);
    expect(found.ci95?.[1]).toBeGreaterThan(leftBehindKib);
  });
  it("cannot say without the number alive, nor without a count", async () => {
    const unknown = await relate("leaky", lastDay);
    expect(unknown).toMatchObject({
      verdict: "cannot-separate",
      obstacle: "live-unknown",
      kibPerContainer: null,
      line: null,
      missing: ["containers.live"],
    });
    expect(unknown.text).toContain("what is left behind from what is in use");
    expect(await relate("calm", lastDay)).toMatchObject({
      verdict: "insufficient",
      kibPerContainer: null,
      points: [],
      missing: ["containers.started", "containers.live"],
      text: expect.stringContaining("0 points with a count of containers started") as string,
    });
  });
  it("refuses what it cannot read", async () => {
    for (const query of [
      { metric: "containers.live" },
      { metric: "nonsense" },
      { window: "soon" },
      { window: "48h", ...lastDay },
    ]) {
      const response = await callRoute(getCorrelation, { ...read("busy"), query });
      expect((await problemOf(response)).code).toBe("invalid");
    }
  });
});
