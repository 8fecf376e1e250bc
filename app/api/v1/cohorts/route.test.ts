import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cohortComparison } from "#lib/contracts/cohort.ts";
import { nodeList } from "#lib/contracts/node.ts";
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
import { GET as listNodes } from "../nodes/route.ts";
import { GET as compareCohorts } from "./route.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const nowMs = Date.parse("2026-03-01T12:00:00Z");
const totalKib = 64 * 1024 * 1024;
const local = { local: true };

let database: TestDatabase;

/** 25 h of a node, a sample in five minutes. */
async function build(
  name: string,
  {
    cluster = "east",
    mibPerHour = 0,
    hours = 25,
    rest = {},
  }: { cluster?: string; mibPerHour?: number; hours?: number; rest?: Partial<SnapshotInput> },
) {
  const rng = createRng(name.length * 7919 + (name.codePointAt(0) ?? 0));
  const items: SnapshotInput[] = [];
  const startMs = nowMs - hours * hourMs;
  for (let at = startMs; at <= nowMs; at += 5 * minuteMs) {
    const leak = Math.round((mibPerHour * 1024 * (at - startMs)) / hourMs + rng.normal() * 2000);
    items.push({
      schemaVersion: 1,
      node: name,
      at,
      bootId: "boot",
      uptimeSeconds: (at - startMs) / 1000 + 500_000,
      kernelRelease: "4.18.0-305.el8.x86_64",
      cpus: 16,
      meminfo: {
        MemTotal: totalKib,
        MemFree: totalKib - 28_000_000 - leak,
        MemAvailable: totalKib - 20_000_000 - leak,
        Buffers: 100_000,
        Cached: 8_000_000,
        AnonPages: 15_000_000,
        Shmem: 50_000,
        SReclaimable: 900_000,
        SUnreclaim: 2_000_000 + leak,
        KernelStack: 50_000,
        PageTables: 80_000,
        Percpu: 500_000,
      },
      ...rest,
    });
  }
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  expect((await ingestSnapshots({ ctx, input: { items, cluster } })).rejected).toEqual([]);
}

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  for (const [i, name] of ["a", "b", "c", "d", "e", "f"].entries()) {
    await build(`leaky-${name}`, {
      mibPerHour: 60 + 10 * i,
      rest: { versions: { runc: "1.0.0-rc8" }, labels: { zone: i % 2 ? "x" : "y" } },
    });
  }
  for (const [i, name] of ["a", "b", "c", "d", "e", "f", "g"].entries()) {
    await build(`calm-${name}`, {
      cluster: i === 6 ? "west" : "east",
      rest: { versions: { runc: "1.0.0-rc9" }, labels: { zone: i % 2 ? "x" : "y" } },
    });
  }
  await build("young", { hours: 0.2, rest: { versions: { runc: "1.0.0-rc9" } } });
  const system = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => nowMs };
  await rollUpDirtyBuckets({ ctx: system, input: {} });
  await refreshOutlooks({ ctx: system });
  await refreshTrends({ ctx: system, input: { window: "24h" } });
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const compare = async (query: Record<string, string> = {}) =>
  answerOf(await callRoute(compareCohorts, { as: local, query }), cohortComparison);

describe("cohorts", () => {
  it("rank the attributes by how well they separate leaking nodes", async () => {
    const { attributes, counts, text, selected, computedAt, unit } = await compare();
    expect(counts).toEqual({ nodes: 14, leaking: 6, healthy: 7, undecided: 0, unknown: 1 });
    expect(attributes[0]).toMatchObject({
      attribute: "version.runc",
      verdict: "separates",
      separation: 1,
      sameAs: [],
    });
    expect(attributes.map(({ attribute, verdict }) => [attribute, verdict])).toContainEqual([
      "kernelRelease",
      "cannot-say",
    ]);
    expect(attributes.find(({ attribute }) => attribute === "label.zone")?.verdict).toBe("no-difference");
    expect(text).toBe(
      "runc 1.0.0-rc8: 6 of 6 leak; other versions: 0 of 7. 1 node cannot be judged yet; it counts on neither side.",
    );
    expect([selected, computedAt, unit]).toEqual([null, nowMs, "KiB"]);
  });

  it("hold each value of one attribute against the others", async () => {
    const { selected } = await compare({ attribute: "version.runc" });
    expect(
      selected?.values.map(({ value, counts }) => [value, counts.leaking, counts.healthy, counts.unknown]),
    ).toEqual([
      ["1.0.0-rc8", 6, 0, 0],
      ["1.0.0-rc9", 0, 7, 1],
    ]);
    const [leaky] = selected?.values ?? [];
    expect(leaky?.leaking?.difference).toBe(1);
    expect(leaky?.leaking?.ci95[0]).toBeGreaterThan(0.4);
    expect(leaky?.slopes?.superiority).toBe(1);
    expect((leaky?.slopes?.shiftPerHour ?? 0) / 1024).toBeCloseTo(85, -1);
    expect((leaky?.quartilesPerHour?.[1] ?? 0) / 1024).toBeCloseTo(85, -1);
    expect(leaky?.nodes).toHaveLength(6);
    expect(leaky?.nodes[0]).toMatchObject({ cluster: "east", verdict: "leaking" });
  });

  it("say what cannot be said of one cluster, one window, one metric", async () => {
    expect((await compare({ cluster: "west" })).text).toContain("no node leaks");
    expect(await compare({ cluster: "nowhere" })).toMatchObject({
      text: "No node matches: none is in cluster nowhere.",
      counts: { nodes: 0 },
    });
    const week = await compare({ window: "7d", metric: "cgroup.memory.dying" });
    expect(week.counts).toMatchObject({ nodes: 14, unknown: 14 });
    expect(week.computedAt).toBeNull();
  });

  it.each([
    [{ attribute: "version.crun" }, "attribute"],
    [{ attribute: "constructor" }, "attribute"],
    [{ metric: "meminfo.Dirty" }, "metric"],
    [{ metric: "no such" }, "metric"],
    [{ window: "5m" }, "window"],
    [{ windows: "24h" }, "windows"],
  ])("refuse %j and name the field", async (query, path) => {
    const found = await problemOf(await callRoute(compareCohorts, { as: local, query: query }));
    expect([found.status, found.code]).toEqual([400, "invalid"]);
    expect(JSON.stringify([found.detail, found.errors])).toContain(path);
  });

  it("show a token of one cluster that cluster, and nothing to a stranger", async () => {
    const token = await issueToken({ name: "west", cluster: "west", scopes: ["read"] });
    const answer = await callRoute(compareCohorts, { as: { token }, query: { cluster: "east" } });
    expect((await answerOf(answer, cohortComparison)).counts.nodes).toBe(0);
    expect((await callRoute(compareCohorts)).status).toBe(401);
  });
});

describe("the nodes of a value", () => {
  const names = async (query: Record<string, string>) => {
    const { nodes } = await answerOf(await callRoute(listNodes, { as: local, query }), nodeList);
    return nodes.map(({ name }) => name).sort();
  };

  it("are listed, those that do not report it as well", async () => {
    expect(await names({ attribute: "version.runc", value: "1.0.0-rc8" })).toHaveLength(6);
    expect(await names({ attribute: "version.runc", value: "1.0.0-rc" })).toEqual([]);
    expect(await names({ attribute: "label.zone" })).toEqual(["young"]);
  });

  it.each([{ attribute: "kernel" }, { value: "1.0.0-rc8" }])("%j is refused by name", async (query) => {
    const response = await callRoute(listNodes, { as: local, query: query });
    expect(await problemOf(response)).toMatchObject({ status: 400, errors: [{ path: "attribute" }] });
  });
});
