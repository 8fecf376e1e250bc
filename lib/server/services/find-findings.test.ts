import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitFileMoments } from "#lib/domain/scenarios/exit-file-cluster.ts";
import { machineHistory } from "#lib/domain/scenarios/machine.ts";
import { simulatedFleet } from "#lib/domain/scenarios/simulated-fleet.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import { listNodeNames } from "#lib/server/data/nodes.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { acknowledgeFinding } from "./acknowledge-finding.ts";
import type { Context } from "./context.ts";
import { createAnnotation } from "./create-annotation.ts";
import { findFindings } from "./find-findings.ts";
import { followExperiments } from "./follow-experiments.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";
import { listAnnotations } from "./list-annotations.ts";
import { listFindings, listNodeFindings, readFindingBriefs } from "./list-findings.ts";
import { refreshTrends } from "./refresh-trends.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEP = 20 * MINUTE;
const ANCHOR = Date.UTC(2026, 2, 10, 11, 20);
const BEGIN = ANCHOR - 8 * DAY;
const { clusters } = simulatedFleet(ANCHOR, "full");
/** A little before the job is stopped on the node that was looked into. */
const LEAKING = exitFileMoments(ANCHOR).stoppedMs - 10 * MINUTE;

let database: TestDatabase;
const ids: Record<string, number> = {};

function context(nowMs: number, actor: Context["actor"] = { kind: "system", name: "worker" }): Context {
  return { db: database.db, actor, now: () => nowMs };
}

/** What nodes of a simulated cluster tell from one moment to another, as it would have arrived. */
async function tell(cluster: string, names: readonly string[], fromMs: number, toMs: number): Promise<void> {
  const machines = clusters.find(({ name }) => name === cluster)?.machines ?? [];
  for (const machine of machines.filter(({ name }) => names.includes(name))) {
    const times = Array.from({ length: (ANCHOR - BEGIN) / STEP + 1 }, (_, step) => BEGIN + STEP * step);
    const items = [...machineHistory(machine, times)].filter(({ at }) => at >= fromMs && at < toMs);
    const receipt = await ingestSnapshots({ ctx: context(toMs), input: { items, cluster } });
    expect(receipt).toMatchObject({ accepted: items.length, rejected: [] });
  }
}

/** A calm node whose cache of two names grows by 400 MiB a day, under the name that no signature asks for. */
async function tellMerged(name: string): Promise<void> {
  const calm = clusters
    .find((cluster) => cluster.name === "hestia")
    ?.machines.find((each) => each.name === "b01");
  if (calm === undefined) throw new Error("no calm node");
  const times = Array.from({ length: (3 * DAY) / STEP + 1 }, (_, step) => ANCHOR - 3 * DAY + STEP * step);
  const items = [...machineHistory(calm, times)].map((item) => {
    const sizeKib = 50_000 + Math.round(((item.at - (times[0] ?? 0)) / DAY) * 400 * 1024);
    const objects = Math.floor((sizeKib * 1024) / 136);
    const cache = { name: "kvm_async_pf", activeObjs: objects, numObjs: objects, objSizeBytes: 136, sizeKib };
    return {
      ...item,
      node: name,
      slab: [...(item.slab ?? []), cache],
      slabNames: { merged: [["kernfs_node_cache", "kvm_async_pf"]], memcgChildCaches: 0 },
    };
  });
  const receipt = await ingestSnapshots({ ctx: context(ANCHOR + 1), input: { items, cluster: "hestia" } });
  expect(receipt.rejected).toEqual([]);
}

/** All that the worker does until findings are looked for. */
async function work(nowMs: number): Promise<void> {
  for (let first = true, nodes = 1; first || nodes > 0; first = false)
    ({ nodes } = await rollUpDirtyBuckets({ ctx: context(nowMs + 10 * MINUTE), input: {} }));
  for (const { name, nodeId } of await listNodeNames(database.db)) ids[name] = nodeId;
  for (const window of ["7d", "24h"] as const)
    await refreshTrends({ ctx: context(nowMs), input: { window } });
}

const idOf = (name: string) => ids[name] ?? 0;
const found = async (name: string) =>
  listNodeFindings({ ctx: context(ANCHOR), input: { nodeId: idOf(name) } });

beforeAll(async () => {
  database = await createTestDatabase();
  await tell("athena", ["w01"], BEGIN, LEAKING);
  await work(LEAKING);
  await findFindings({ ctx: context(LEAKING), input: { limit: 10 } });
  const [before] = (await found("w01")).findings;
  await acknowledgeFinding({
    ctx: context(LEAKING, { kind: "local", name: "r.hale" }),
    input: { findingId: before?.findingId ?? 0, note: "Looking into pull-monitor." },
  });

  await tell("athena", ["w01"], LEAKING, ANCHOR + 1);
  await tell("athena", ["w02", "w03", "w11"], BEGIN, ANCHOR + 1);
  await tell("hermes", ["h01", "h02", "h11"], BEGIN, ANCHOR + 1);
  await tell("hestia", ["b01", "b04"], BEGIN, ANCHOR + 1);
  await tellMerged("b99");
  // Its collector came long after its boot.
  await tell("athena", ["w12"], ANCHOR - 2 * HOUR, ANCHOR + 1);
  await work(ANCHOR);
  for (const { atMs, kind, title, text } of clusters[0]?.marks ?? []) {
    if (title !== "CRI-O restarted" || atMs > ANCHOR - 2 * DAY) continue;
    const scope = { nodes: [{ cluster: "athena", name: "w03" }] };
    await createAnnotation({
      ctx: context(ANCHOR, { kind: "local", name: "r.hale" }),
      input: { at: atMs, kind, title, ...(text !== undefined && { text }), scope, controls: "auto" },
    });
  }
  await followExperiments({ ctx: context(ANCHOR), input: { limit: 20 } });
  await findFindings({ ctx: context(ANCHOR), input: { limit: 100 } });
}, 120_000);

afterAll(() => database.drop());

describe("findFindings, on histories that came in as snapshots", () => {
  it("names the exit files first and page cache second in the first history, for certain", async () => {
    const { findings, discriminate, askNext, possible } = await found("w02");
    expect(findings.slice(0, 2)).toMatchObject([
      { signature: "S01", certainty: "firm", state: "new", severity: "warning", counterEvidence: [] },
      { signature: "S02" },
    ]);
    const texts = findings[0]?.evidence.map(({ text }) => text).join(" ");
    expect(texts).toMatch(/files in \/run\/crio\/exits rose from [\d,]+ to [\d,]+ in [\d.]+ (h|d)/);
    expect(texts).toContain("dying and containers started move together, rank correlation 1.00");
    expect(findings[1]?.counterEvidence[0]?.text).toContain("files in /run/crio/exits rose");
    expect(discriminate.map(({ signature }) => signature)).toEqual(["S01", "S02"]);
    expect(discriminate[0]?.command).toContain("/run/crio/exits");
    expect(askNext).toBeNull();
    expect(possible.map(({ signature }) => signature)).toContain("S18");
  });

  it("reads a cache that the kernel counts under another name, and says so", async () => {
    const finding = (await found("b99")).findings.find(({ signature }) => signature === "S08");
    expect(finding?.certainty).toBe("suspected");
    expect(finding?.evidence.map(({ text }) => text).join(" ")).toMatch(
      /kernfs_node_cache rose .* SLUB counts kernfs_node_cache under the name kvm_async_pf/,
    );
  });

  it("has read no more of a node than it sent, however long it was up before", async () => {
    const { from, to, notes } = await found("w12");
    expect((to ?? 0) - (from ?? 0)).toBeLessThanOrEqual(2 * HOUR + 1);
    expect(notes).toContain("Its samples reach back less than a day: small growth is not seen yet.");
  });

  it("takes into account that restarting the runtime did nothing", async () => {
    const [first] = (await found("w03")).findings;
    expect(first?.signature).toBe("S01");
    expect(first?.evidence.map(({ text }) => text).join(" ")).toContain(
      "after runtime-restarted the growth of kernel memory, unreclaimable: unchanged",
    );
  });

  it.each(["h01", "h02"])(
    "names the accounting first and the ids second in the second history: %s",
    async (name) => {
      const { findings } = await found(name);
      expect(findings.slice(0, 2).map(({ signature }) => signature)).toEqual(["S01b", "S05"]);
      expect(findings[0]?.certainty).toBe("firm");
    },
  );

  it("knows of the log line on the node whose ids ran out", async () => {
    const { findings } = await found("h01");
    expect(findings[1]?.evidence.map(({ text }) => text).join(" ")).toContain(
      "memory cgroup not made: ENOMEM",
    );
  });

  it.each(["w11", "h11", "b01", "b04"])("finds nothing on a healthy node: %s", async (name) => {
    const { findings, askNext, computedAt } = await found(name);
    expect(findings).toEqual([]);
    expect(askNext).toBeNull();
    expect(computedAt).toBe(ANCHOR);
  });

  it("resolves by itself what has gone, and keeps who said what", async () => {
    const finding = (await found("w01")).findings.find(({ signature }) => signature === "S01");
    expect(finding).toMatchObject({ state: "resolved", firstSeenAt: LEAKING, lastSeenAt: LEAKING });
    expect(finding?.history).toEqual([
      { at: LEAKING, by: "worker", became: "new", note: null },
      { at: LEAKING, by: "worker", became: "firm", note: null },
      { at: LEAKING, by: "r.hale", became: "acknowledged", note: "Looking into pull-monitor." },
      { at: ANCHOR, by: "worker", became: "resolved", note: null },
    ]);
    const audit = await listAudit(database.db.prisma, { limit: 20 });
    expect(audit.filter(({ action }) => action === "finding.acknowledge")).toMatchObject([
      { atMs: LEAKING, actor: "r.hale", subject: `finding ${finding?.findingId ?? 0}` },
    ]);
  });

  it("marks what has become firm on the node's time axis, once", async () => {
    await findFindings({ ctx: context(ANCHOR + MINUTE), input: { limit: 1, nodeIds: [idOf("w02")] } });
    const { annotations } = await listAnnotations({
      ctx: context(ANCHOR),
      input: { fromMs: BEGIN, toMs: ANCHOR + HOUR, nodeId: idOf("w02"), kinds: ["finding"] },
    });
    const exitFiles = annotations.filter(({ tags }) => tags.includes("S01"));
    expect(exitFiles).toMatchObject([{ at: ANCHOR, madeBy: "machine", nodeIds: [idOf("w02")] }]);
    expect(exitFiles[0]?.title).toContain("Exit files of CRI-O");
  });

  it("reads nodes that move each quarter of an hour, the others each hour", async () => {
    const readAt = async (nowMs: number) => {
      await findFindings({ ctx: context(nowMs), input: { limit: 100 } });
      const times = await Promise.all(
        ["w02", "b01"].map(async (name) => (await found(name)).computedAt ?? 0),
      );
      return times.map((timeMs) => timeMs === nowMs);
    };
    expect(await readAt(ANCHOR + 5 * MINUTE)).toEqual([false, false]);
    expect(await readAt(ANCHOR + 16 * MINUTE)).toEqual([true, false]);
    // An hour later nothing was heard of them either.
    expect(await readAt(ANCHOR + 2 * HOUR)).toEqual([false, false]);
  });

  it("counts nodes by signature, and tells the list of nodes the best first", async () => {
    const { findings, signatures, total } = await listFindings({
      ctx: context(ANCHOR),
      input: { cluster: "athena", limit: 1, offset: 0 },
    });
    // What became firm before its growth was stopped stays so while it is seen.
    expect(findings).toMatchObject([{ certainty: "firm", node: "w01", cluster: "athena", simulated: true }]);
    expect(total).toBeGreaterThan(3);
    expect(signatures.find(({ signature }) => signature === "S01")).toMatchObject({
      nodes: 2,
      firm: 2,
      first: 2,
      states: { new: 2, acknowledged: 0, resolved: 0, returned: 0 },
    });
    // Page cache fits all of these nodes as well, and never best.
    expect(signatures[0]?.signature).toBe("S01");
    const briefs = await readFindingBriefs(context(ANCHOR));
    expect(briefs.get(idOf("w02"))?.[0]).toMatchObject({ signature: "S01", certainty: "firm", state: "new" });
    expect(briefs.get(idOf("b01"))).toBeUndefined();
  });
});
