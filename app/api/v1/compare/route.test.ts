import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { annotation } from "#lib/contracts/annotation.ts";
import { comparison } from "#lib/contracts/compare.ts";
import { nodeList } from "#lib/contracts/node.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { issueToken } from "../../../../scripts/testing/tokens.ts";
import { POST as annotate } from "../annotations/route.ts";
import { GET as listNodes } from "../nodes/route.ts";
import { GET as compare } from "./route.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const nowMs = Date.parse("2026-03-01T12:00:00Z");
const startMs = nowMs - 13 * hourMs;
const rebootMs = nowMs - 5 * hourMs;
const mib = 1024;
const totalKib = 64 * 1024 * 1024;
const local = { local: true };

let database: TestDatabase;
const ids: Record<string, number> = {};
const id = (name: string) => ids[name] ?? 0;

interface Shape {
  cluster?: string;
  kernel?: string;
  labels?: Record<string, string>;
  /** KiB that lie in unreclaimable slab beyond 1 GiB. */
  leakKib: (atMs: number) => number;
  /** KiB of page cache beyond 4 GB. */
  cacheKib?: (atMs: number) => number;
  bootAtMs?: (atMs: number) => number;
  withoutPercpu?: boolean;
}

/** 13 h of a node, a sample a minute, with a noise of 2 MiB: the truth is known. */
async function build(name: string, { cluster = "east", kernel = "5.14.0", labels, leakKib, ...rest }: Shape) {
  const { bootAtMs = () => startMs - 100 * hourMs, withoutPercpu = false, cacheKib = () => 0 } = rest;
  const rng = createRng(name.length * 7919 + name.charCodeAt(name.length - 1));
  const items: SnapshotInput[] = [];
  for (let at = startMs; at <= nowMs; at += minuteMs) {
    const bootedMs = bootAtMs(at);
    const leak = Math.round(leakKib(at) + rng.normal() * 2 * mib);
    const cache = Math.round(cacheKib(at));
    items.push({
      schemaVersion: 1,
      node: name,
      at,
      bootId: `boot-${bootedMs}`,
      uptimeSeconds: (at - bootedMs) / 1000,
      kernelRelease: kernel,
      cpus: 16,
      labels: { ...labels },
      meminfo: {
        MemTotal: totalKib,
        MemFree: totalKib - 20_000_000 - leak - cache,
        Buffers: 100_000,
        Cached: 4_000_000 + cache,
        AnonPages: 12_000_000,
        Shmem: 50_000,
        SReclaimable: 900_000,
        SUnreclaim: 1_000_000 + leak,
        KernelStack: 50_000,
        PageTables: 80_000,
        ...(withoutPercpu ? {} : { Percpu: 500_000 }),
      },
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

const hours = (fromMs: number, atMs: number) => Math.max(0, atMs - fromMs) / hourMs;
const grows = (mibPerHour: number) => (at: number) => mibPerHour * mib * hours(startMs, at);

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  await build("slow", { leakKib: grows(100) });
  // Its page cache grows without any noise, more surely than anything else: it is no part of what is compared.
  await build("fast", { leakKib: grows(310), cacheKib: grows(600), withoutPercpu: true });
  await build("changed", {
    leakKib: (at) => (100 * hours(startMs, at) + 200 * hours(nowMs - 6 * hourMs, at)) * mib,
  });
  await build("rebooted", {
    leakKib: (at) => 300 * mib * hours(at < rebootMs ? startMs : rebootMs, at),
    bootAtMs: (at) => (at < rebootMs ? startMs - hourMs : rebootMs),
  });
  for (const [index, rate] of [90, 100, 115].entries()) {
    await build(`old-${index}`, { kernel: "4.18.0-305", labels: { role: "worker" }, leakKib: grows(rate) });
  }
  for (const [index, rate] of [10, 15, 5].entries()) {
    await build(`new-${index}`, { kernel: "6.1.0", labels: { role: "worker" }, leakKib: grows(rate) });
  }
  await build("elsewhere", { cluster: "west", leakKib: grows(0) });
  const { nodes } = await answerOf(await callRoute(listNodes, { as: local }), nodeList);
  for (const { name, nodeId } of nodes) ids[name] = nodeId;
}, 120_000);

afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

type Query = Record<string, string | number | readonly string[]>;
const ask = async (query: Query) => answerOf(await callRoute(compare, { as: local, query }), comparison);
const refusal = async (query: Query) => problemOf(await callRoute(compare, { as: local, query }));

function slopeOf({ differences }: Awaited<ReturnType<typeof ask>>, metric = "total.kernelUnreclaimable") {
  const found = differences.find((each) => each.metric === metric);
  if (found?.slopePerHour == null || found.level === null) throw new Error(found?.reason ?? "no such metric");
  return { ...found.slopePerHour, levelOf: found.level };
}

describe("GET /api/v1/compare", () => {
  it("says how two nodes differ, with intervals that hold the truth, and where", async () => {
    const answer = await ask({ a: id("slow"), b: id("fast") });
    const slope = slopeOf(answer);
    expect(slope.ci95[0]).toBeLessThan(210 * mib);
    expect(slope.ci95[1]).toBeGreaterThan(210 * mib);
    expect(slope.ci95[1] - slope.ci95[0]).toBeLessThan(10 * mib);
    // In the middle of the last 6 h: 10 h after the start.
    expect(slope.levelOf.value / (2100 * mib)).toBeCloseTo(1, 1);
    expect(answer.text).toMatch(
      /^Side B grows 2\d\d\.\d MiB\/h \(95 %: .+\) more than side A in unreclaimable kernel memory, most clearly in unreclaimable slab/,
    );
    expect(answer.differences[0]?.metric).toBe("total.kernelUnreclaimable");
    expect(answer.differences).toHaveLength(16);
  });
  it("does not take what a kernel does not report for zero", async () => {
    const answer = await ask({ a: id("slow"), b: id("fast") });
    const percpu = answer.differences.find(({ metric }) => metric === "band.percpu");
    expect(percpu).toMatchObject({ level: null, slopePerHour: null });
    expect(percpu?.reason).toBe("0 points in the common stretch on side B, 24 needed");
    const column = answer.b.series.find(({ metric }) => metric === "band.percpu");
    expect(new Set(column?.valuesKib)).toEqual(new Set([null]));
  });
  it("draws both sides on one clock, in buckets of one width", async () => {
    const answer = await ask({
      a: id("changed"),
      b: id("changed"),
      "a.from": "now-12h",
      "a.to": "now-6h",
      points: 60,
    });
    expect(answer.a.timesMs).toEqual(answer.b.timesMs);
    expect(answer.a.timesMs.length).toBeGreaterThan(50);
    expect(answer.a.timesMs.length).toBeLessThan(63);
    expect(answer.a.nodes[0]).toMatchObject({ zeroAt: nowMs - 12 * hourMs });
    expect(answer.b.nodes[0]).toMatchObject({ zeroAt: nowMs - 6 * hourMs });
    const slope = slopeOf(answer);
    expect(slope.value / mib).toBeCloseTo(200, 0);
    expect(answer.notes).toEqual([]);
  });
  it("says when two windows share samples", async () => {
    const answer = await ask({ a: id("changed"), b: id("changed"), "a.from": "now-10h", "a.to": "now-4h" });
    expect(answer.notes[0]).toMatch(/share 2 h/);
  });
  it("compares cohorts by the spread between their nodes", async () => {
    const answer = await ask({ a: "kernelRelease=4.18.0-305", b: "kernelRelease=6.1.0" });
    const slope = slopeOf(answer);
    expect(slope.a.nodes).toBe(3);
    expect(slope.value / mib).toBeCloseTo(10 - (90 + 100 + 115) / 3, -1);
    // t over three nodes each, whose rates differ by 12.6 and 5 MiB/h.
    expect((slope.ci95[1] - slope.ci95[0]) / mib).toBeGreaterThan(25);
    expect(answer.method).toContain("Welch");
    expect(answer.a).toMatchObject({ label: "kernel 4.18.0-305", matched: 3 });
    expect(answer.a.counts.every((count) => count === 3)).toBe(true);
  });
  it("narrows a cohort by several attributes, and takes several nodes", async () => {
    const answer = await ask({
      a: ["label.role=worker", "kernelRelease=6.1.0"],
      b: [String(id("old-0")), String(id("old-1"))],
    });
    expect(answer.a.matched).toBe(3);
    expect(answer.b.label).toBe("old-0, old-1");
    expect(answer.method).toContain("spread alike");
  });
  it("compares the same nodes in two windows node by node", async () => {
    const answer = await ask({
      a: "label.role=worker",
      b: "label.role=worker",
      "a.from": "now-12h",
      "a.to": "now-6h",
    });
    expect(answer.method).toContain("each node with itself");
    expect(Math.abs(slopeOf(answer).value)).toBeLessThan(5 * mib);
  });
  it("aligns two boots of one node, and never counts the reboot as a change", async () => {
    const answer = await ask({ align: "boot", a: id("rebooted"), b: id("rebooted"), "a.to": rebootMs });
    expect(answer.a.nodes[0]?.zeroAt).toBe(startMs - hourMs);
    expect(answer.b.nodes[0]?.zeroAt).toBe(rebootMs);
    expect(answer.common?.fromMs).toBeGreaterThanOrEqual(2 * hourMs);
    expect(Math.abs(slopeOf(answer).value)).toBeLessThan(10 * mib);
    const across = await ask({ a: id("slow"), b: id("rebooted"), from: "now-10h" });
    expect(across.b.nodes[0]?.rebootsMs).toEqual([rebootMs - (nowMs - 10 * hourMs)]);
    expect(slopeOf(across).value / mib).toBeCloseTo(200, -1);
  });
  it("keeps the first hours after boot only where both sides have nothing else, and says so", async () => {
    const answer = await ask({
      align: "boot",
      a: id("rebooted"),
      b: id("rebooted"),
      "a.to": rebootMs,
      to: rebootMs + hourMs * 1.8,
    });
    expect(answer.notes.join(" ")).toContain("first 2 h after boot count here");
    expect(answer.differences[0]?.slopePerHour).not.toBeNull();
  });
  it("aligns at a mark and compares what came after it", async () => {
    const mark = await answerOf(
      await callRoute(annotate, {
        as: local,
        json: {
          at: nowMs - 6 * hourMs,
          kind: "deploy",
          title: "new runc",
          scope: { nodes: [id("changed")] },
        },
      }),
      annotation,
    );
    const answer = await ask({
      align: "mark",
      mark: mark.annotationId,
      a: id("slow"),
      b: id("changed"),
      before: "3h",
    });
    expect(answer.a.timesMs[0]).toBeLessThan(-2.9 * hourMs);
    expect(answer.common?.fromMs).toBeGreaterThanOrEqual(0);
    expect(answer.text).toMatch(/^After the mark, side B grows/);
    const slope = slopeOf(answer);
    expect(slope.value / mib).toBeCloseTo(200, 0);
  });
  it("begins and stops at the neighbouring marks of a node unless it is told how far to look, and says so", async () => {
    const make = async (agoMs: number, title: string) =>
      answerOf(
        await callRoute(annotate, {
          as: local,
          json: { at: nowMs - agoMs, kind: "deploy", title, scope: { nodes: [id("fast")] } },
        }),
        annotation,
      );
    const first = await make(5 * hourMs, "new kubelet");
    const second = await make(3 * hourMs, "new agent");
    const query = { align: "mark", mark: first.annotationId, a: id("slow"), b: id("fast") };
    const stopped = await ask(query);
    expect(stopped.b.nodes[0]?.to).toBe(second.at);
    expect(stopped.a.nodes[0]?.to).toBe(first.at + 6 * hourMs);
    expect(stopped.common?.toMs).toBeLessThanOrEqual(2 * hourMs);
    expect(stopped.notes.join(" ")).toContain(
      "Side B: the window of fast stops 2 h after the mark, at its next mark “new agent”;",
    );
    const told = await ask({ ...query, after: "6h" });
    expect(told.b.nodes[0]?.to).toBe(first.at + 6 * hourMs);
    expect(told.notes.join(" ")).not.toContain("stops");

    const later = { ...query, mark: second.annotationId };
    const begun = await ask(later);
    expect(begun.b.nodes[0]?.from).toBe(first.at);
    expect(begun.a.nodes[0]?.from).toBe(second.at - 6 * hourMs);
    expect(begun.notes.join(" ")).toContain(
      "Side B: the window of fast begins 2 h before the mark, at its mark before “new kubelet”;",
    );
    const back = await ask({ ...later, before: "6h" });
    expect(back.b.nodes[0]?.from).toBe(second.at - 6 * hourMs);
    expect(back.notes.join(" ")).not.toContain("begins");
  });
  it("says what is missing where nothing can be said", async () => {
    const answer = await ask({ a: id("slow"), b: id("fast"), from: "now-10m" });
    expect(answer.text).toMatch(/^Cannot compare: \d+ points in the common stretch on side A, 24 needed\.$/);
    const nothing = await ask({ a: id("slow"), b: id("fast"), "b.from": "now-3d", "b.to": "now-2d" });
    expect(nothing.b.leftOut).toEqual([
      { nodeId: id("fast"), name: "fast", reason: "no sample in its window" },
    ]);
    expect(nothing.common).toBeNull();
    expect(nothing.text).toMatch(/^Cannot compare: 0 minutes/);
  });
  it("lets a token see its own cluster only", async () => {
    const as = { token: await issueToken({ name: "west", cluster: "west", scopes: ["read"] }) };
    expect((await callRoute(compare, { as, query: { a: id("elsewhere"), b: id("slow") } })).status).toBe(404);
    expect(
      (await callRoute(compare, { as, query: { a: id("elsewhere"), b: "kernelRelease=6.1.0" } })).status,
    ).toBe(404);
    expect((await callRoute(compare, { query: { a: id("slow"), b: id("fast") } })).status).toBe(401);
  });
  it.each([
    ["a", 400, (): Query => ({ a: "slow", b: id("fast") })],
    ["a", 400, (): Query => ({ a: ["1", "label.role=worker"], b: id("fast") })],
    ["a", 400, (): Query => ({ a: "99999999999", b: id("fast") })],
    ["a", 400, (): Query => ({ a: Array.from({ length: 21 }, (_, i) => String(i + 1)), b: id("fast") })],
    ["a", 400, (): Query => ({ b: id("fast") })],
    ["a", 404, (): Query => ({ a: 123_456, b: id("fast") })],
    ["b", 404, (): Query => ({ a: id("fast"), b: "version.runc=9" })],
    ["b", 400, (): Query => ({ a: id("fast"), b: id("fast") })],
    ["from", 400, (): Query => ({ a: id("slow"), b: id("fast"), from: "soon" })],
    ["a.from", 400, (): Query => ({ a: id("slow"), b: id("fast"), "a.from": "then" })],
    ["b.to", 400, (): Query => ({ a: id("slow"), b: id("fast"), "b.to": "now-7h" })],
    ["from", 400, (): Query => ({ a: id("slow"), b: id("fast"), align: "boot", from: "now-6h" })],
    ["after", 400, (): Query => ({ a: id("slow"), b: id("fast"), align: "boot", after: "long" })],
    ["mark", 400, (): Query => ({ a: id("slow"), b: id("fast"), align: "mark" })],
    ["mark", 404, (): Query => ({ a: id("slow"), b: id("fast"), align: "mark", mark: 99_999 })],
    [
      "b.mark",
      404,
      (): Query => ({ a: id("slow"), b: id("fast"), align: "mark", mark: 1, "b.mark": 99_999 }),
    ],
    ["timezone", 400, (): Query => ({ a: id("slow"), b: id("fast"), timezone: "Mars/Olympus" })],
    ["align", 400, (): Query => ({ a: id("slow"), b: id("fast"), align: "moon" })],
  ])("names %s with %i", async (path, status, query) => {
    const found = await refusal(query());
    expect(found.status).toBe(status);
    expect(found.errors?.[0]?.path).toBe(path);
  });
  it("bears what nobody means: ends of time, wide windows, odd texts", async () => {
    for (const query of [
      { from: "0", to: "1" },
      { from: "now-9y", to: "now" },
      { from: "now+1d", to: "now+2d" },
      { "a.from": "8639999999999999", "a.to": "8640000000000000" },
      { align: "boot", to: "0" },
      { align: "boot", to: "8640000000000000", after: "3650d" },
      { align: "mark", mark: "1", before: "3650d", after: "3650d" },
      { b: "label.=x" },
      { b: "label.\u0000=x" },
      { b: "label.a=\ud800" },
    ]) {
      const response = await callRoute(compare, {
        as: local,
        query: { a: id("slow"), b: id("fast"), ...query },
      });
      expect(response.status).toBeLessThan(500);
    }
  });
});
