import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeHistory, scenarioTruth, type NodeHistoryOptions } from "#lib/domain/scenarios/node-history.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import { findNodeByName } from "#lib/server/data/nodes.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import type { Context } from "./context.ts";
import { createAnnotation } from "./create-annotation.ts";
import { followExperiments } from "./follow-experiments.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";
import { getFollowUps, listExperiments } from "./list-experiments.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";
import { updateAnnotation } from "./update-annotation.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GIB = 1024 * 1024;
const START = Date.UTC(2026, 2, 1, 12);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 8 });
});
afterAll(() => database.drop());

function at(nowMs: number, kind: "local" | "system" = "system"): Context {
  return {
    db: database.db,
    actor: { kind, name: kind === "system" ? "worker" : "r.hale" },
    now: () => nowMs,
  };
}

async function send(items: SnapshotInput[], nowMs: number): Promise<void> {
  for (let first = 0; first < items.length; first += 1000) {
    const { rejected } = await ingestSnapshots({
      ctx: at(nowMs),
      input: { items: items.slice(first, first + 1000) },
    });
    expect(rejected).toEqual([]);
  }
}

/** A node a snapshot every two minutes, whose unreclaimable slab is a formula and a little noise. */
async function node(
  name: string,
  slabKib: (atMs: number) => number,
  [fromMs, toMs]: [number, number],
): Promise<number> {
  const rng = createRng(name.length * 31 + fromMs / HOUR);
  const items: SnapshotInput[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += 2 * MINUTE) {
    const slab = Math.round(slabKib(atMs) + 4000 * rng.normal());
    items.push({
      ...{
        schemaVersion: 1,
        node: name,
        at: atMs,
        bootId: `boot of ${name}`,
        kernelRelease: "4.18.0-305.el8",
      },
      ...{ uptimeSeconds: (atMs - START + 20 * DAY) / 1000, cpus: 8, pageSizeBytes: 4096 },
      meminfo: {
        MemTotal: 64 * GIB,
        MemFree: 40 * GIB - slab,
        AnonPages: 20 * GIB,
        Cached: 2 * GIB,
        SUnreclaim: slab,
      },
    });
  }
  await send(items, toMs);
  return idOf(name);
}

async function idOf(name: string): Promise<number> {
  const found = await findNodeByName(database.db, "default", name);
  if (found === undefined) throw new Error(`no node ${name}`);
  return found.nodeId;
}

async function mark(nodeIds: number[], atMs: number, title: string, more: object = {}): Promise<number> {
  const { annotationId } = await createAnnotation({
    ctx: at(atMs, "local"),
    input: { at: atMs, scope: { nodes: nodeIds }, controls: "auto", kind: "intervention", title, ...more },
  });
  return annotationId;
}

/** Looks until nothing is due, as the worker does minute by minute. */
async function look(nowMs: number): Promise<void> {
  for (;;) {
    const { looked } = await followExperiments({ ctx: at(nowMs), input: { limit: 50 } });
    if (looked === 0) return;
  }
}

const HEADLINE = "total.kernelUnreclaimable";

const history = (annotationId: number) => getFollowUps({ ctx: at(START), input: { annotationId } });

/** All that was found of the headline metric after an hour. */
async function afterAnHour(annotationId: number) {
  const { followUps } = await history(annotationId);
  return followUps.filter(({ metric, horizon }) => metric === HEADLINE && horizon === "1h");
}

/** Horizon and verdicts of the headline metric, of one node or of all treated as one. */
async function verdicts(annotationId: number, nodeId: number | null): Promise<string[]> {
  const { followUps } = await history(annotationId);
  return followUps
    .filter((each) => each.metric === HEADLINE && each.nodeId === nodeId)
    .filter(({ supersededAt }) => supersededAt === null)
    .map(({ horizon, effect }) => `${horizon}: ${effect.slopeVerdict}, ${effect.levelVerdict}`);
}

describe("History 1: an exit-file leak", () => {
  const options: NodeHistoryOptions = {
    scenario: "exit-file-leak",
    seed: 11,
    node: "magnesia",
    startMs: START,
    durationMs: 24 * HOUR,
    stepMs: MINUTE,
  };
  const endMs = START + 24 * HOUR;
  const [stop, restart, removal] = scenarioTruth(options).marks;
  if (stop === undefined || restart === undefined || removal === undefined) throw new Error("three marks");
  let nodeId: number;
  const marks: number[] = [];

  beforeAll(async () => {
    await send([...nodeHistory(options)], endMs);
    for (const seed of [21, 22, 23]) {
      const control = {
        ...options,
        scenario: "flat",
        seed,
        node: `quiet-${seed}`,
        stepMs: 2 * MINUTE,
      } as const;
      await send([...nodeHistory(control)], endMs);
    }
    nodeId = await idOf("magnesia");
    for (const { atMs, title } of [stop, restart, removal]) marks.push(await mark([nodeId], atMs, title));
  });

  it("is followed by itself: stopped; the restart did nothing; removing the files freed memory", async () => {
    const [stopped = 0, restarted = 0, removed = 0] = marks;
    await look(stop.atMs + HOUR + MINUTE);
    expect(await verdicts(stopped, nodeId)).toEqual([]);
    await look(stop.atMs + HOUR + 4 * MINUTE);
    expect(await verdicts(stopped, nodeId)).toEqual(["1h: stopped, none"]);
    await look(endMs);
    // The window after the stop ends at the restart, 2.25 h later: 24 h could say no more than 6 h.
    expect(await verdicts(stopped, nodeId)).toEqual(["1h: stopped, none", "6h: stopped, none"]);
    expect(await verdicts(restarted, nodeId)).toEqual(["1h: unchanged, none", "6h: unchanged, none"]);
    expect((await verdicts(removed, nodeId))[0]).toMatch(/^1h: \w+, freed$/);
    const standing = await Promise.all(marks.map(async (id) => (await history(id)).status));
    expect(standing).toEqual(["settled", "settled", "following"]);
    const restartFound = (await history(restarted)).followUps.at(-1)?.effect;
    expect(restartFound?.text).toMatch(/2026-03-02 .* UTC.*: no effect\. /);
  });

  it("keeps the windows and the nodes it was compared with, and follows what else was growing", async () => {
    const { followUps, metrics, controlNodes } = await history(marks[0] ?? 0);
    expect(metrics[0]).toBe(HEADLINE);
    expect(metrics.length).toBeLessThanOrEqual(3);
    expect(metrics).toContain("watch./run/crio/exits.files");
    expect(controlNodes.map(({ name }) => name)).toEqual(["quiet-21", "quiet-22", "quiet-23"]);
    const [first] = followUps;
    expect(first?.effect.before.from).toBeGreaterThanOrEqual(stop.atMs - 6 * HOUR);
    expect(first?.effect.after.to).toBeLessThanOrEqual(stop.atMs + HOUR);
    expect(first?.effect.controls?.nodes).toBe(3);
    expect(first?.effect.controls?.ci95[1]).toBeLessThan(-200 * 1024);
    expect(first?.dataHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("leaves an audit line for each change of standing", async () => {
    const lines = (await listAudit(database.db.prisma, { limit: 100 })).filter(({ action }) =>
      action.startsWith("experiment."),
    );
    expect(lines.map(({ action, subject }) => `${action} ${subject}`).sort()).toEqual(
      [`experiment.settled annotation ${marks[0]}`, `experiment.settled annotation ${marks[1]}`].sort(),
    );
  });

  it("is found by status, title and node", async () => {
    const list = async (query: object) => {
      const { experiments } = await listExperiments({
        ctx: at(endMs),
        input: { limit: 50, offset: 0, ...query },
      });
      return experiments.map(({ title }) => title);
    };
    expect(await list({ search: "magnes" })).toEqual([
      "exit files removed",
      "CRI-O restarted",
      "pull-monitor stopped",
    ]);
    expect(await list({ search: "cri-o", status: "settled" })).toEqual(["CRI-O restarted"]);
    expect(await list({ search: "100%" })).toEqual([]);
    expect(await list({ nodeId, kind: "deploy" })).toEqual([]);
    expect(await list({ nodeId, limit: 1, offset: 1 })).toEqual(["CRI-O restarted"]);
  });
});

describe("an experiment", () => {
  const stopMs = START + 30 * HOUR;
  const leak = 200 * 1024;
  const until = (atMs: number, endMs: number) => (leak * (Math.min(atMs, endMs) - START)) / HOUR;

  it("is reopened when the slope returns, once, with since when", async () => {
    const backMs = stopMs + 40 * HOUR;
    const nodeId = await node(
      "relapse",
      (atMs) => 2 * GIB + until(atMs, stopMs) + (leak * Math.max(0, atMs - backMs)) / HOUR,
      [START, backMs + 20 * HOUR],
    );
    const id = await mark([nodeId], stopMs, "job stopped", { controls: "none" });
    await look(stopMs + 25 * HOUR);
    expect(await verdicts(id, nodeId)).toEqual([
      "1h: stopped, none",
      "6h: stopped, none",
      "24h: stopped, none",
    ]);
    expect((await history(id)).status).toBe("following");
    await look(backMs);
    expect((await history(id)).status).toBe("following");
    let hour = 0;
    while (hour < 20 && (await history(id)).status !== "returned") {
      hour += 1;
      await look(backMs + hour * HOUR);
    }
    const { status, returnedAt, followUps } = await history(id);
    expect(status).toBe("returned");
    expect(hour).toBeLessThanOrEqual(12);
    expect(Math.abs((returnedAt ?? 0) - backMs)).toBeLessThan(2 * HOUR);
    const evidence = followUps.filter(({ horizon }) => horizon === "return");
    expect(evidence).toHaveLength(1);
    expect(evidence[0]?.effect.text).toMatch(
      /^Unreclaimable kernel memory grows again since about 2026-03-0/,
    );
    await look(backMs + 20 * HOUR);
    expect((await history(id)).followUps.filter(({ horizon }) => horizon === "return")).toHaveLength(1);
  });

  it("pools treated nodes, and is told what all nodes did as well", async () => {
    const range: [number, number] = [START, stopMs + 8 * HOUR];
    const treated: number[] = [];
    for (const name of ["t1", "t22", "t333"]) {
      treated.push(await node(name, (atMs) => GIB + until(atMs, stopMs) * (0.9 + name.length / 30), range));
    }
    const controls: number[] = [];
    for (const name of ["same-1", "same-22", "same-333"]) {
      controls.push(await node(name, (atMs) => GIB + until(atMs, stopMs) * (0.9 + name.length / 60), range));
    }
    const id = await mark(treated, stopMs, "sysctl set", { controls: { nodes: controls } });
    await look(stopMs + 7 * HOUR);
    expect(await verdicts(id, null)).toEqual(["1h: stopped, none", "6h: stopped, none"]);
    const { followUps, treatedCount, controlNodes } = await history(id);
    const pooled = followUps.findLast(({ nodeId }) => nodeId === null);
    expect(treatedCount).toBe(3);
    expect(controlNodes.map(({ nodeId }) => nodeId)).toEqual(controls);
    expect(pooled?.treatedNodeIds).toEqual(treated);
    expect(pooled?.effect.text).toMatch(/on 3 nodes grew.*No difference to 3 nodes left alone can be told/);
    const [lower, upper] = pooled?.effect.controls?.ci95 ?? [1, -1];
    expect(lower).toBeLessThan(0);
    expect(upper).toBeGreaterThan(0);
  });

  it("is computed again when data came late, and keeps what it had said", async () => {
    const goneMs = stopMs + 20 * MINUTE;
    const late = (fromMs: number, toMs: number) =>
      node("late", (atMs) => GIB + until(atMs, stopMs), [fromMs, toMs]);
    const nodeId = await late(START, goneMs);
    const id = await mark([nodeId], stopMs, "agent stopped", { controls: "none" });
    await look(stopMs + HOUR + 5 * MINUTE);
    const before = await afterAnHour(id);
    expect(before).toHaveLength(1);
    await late(goneMs, stopMs + 2 * HOUR + 30 * MINUTE);
    await look(stopMs + 2 * HOUR + MINUTE);
    const after = await afterAnHour(id);
    expect(after).toHaveLength(2);
    expect(after[0]).toEqual({ ...before[0], supersededAt: stopMs + 2 * HOUR + MINUTE });
    expect(after[1]?.supersededAt).toBe(null);
    expect(after[1]?.effect.after.n).toBeGreaterThan((after[0]?.effect.after.n ?? 0) * 2);
    expect(after[1]?.dataHash).not.toBe(after[0]?.dataHash);
    // Nothing more came: the same data are not found anew, from the roll-ups neither.
    await rollUpDirtyBuckets({ ctx: at(stopMs + 7 * HOUR), input: {} });
    await look(stopMs + 7 * HOUR + MINUTE);
    expect(await afterAnHour(id)).toHaveLength(2);
  });

  it("keeps its verdict after the data are gone", async () => {
    const { experiments } = await listExperiments({
      ctx: at(START),
      input: { search: "magnesia", limit: 50, offset: 0 },
    });
    const [{ annotationId = 0 } = {}] = experiments;
    const before = await history(annotationId);
    await database.db.pool.query(`delete from "Snapshot" where "nodeId" = $1`, [
      experiments[0]?.treated[0]?.nodeId,
    ]);
    await look(START + 100 * DAY);
    const kept = await history(annotationId);
    expect(
      kept.followUps.slice(0, before.followUps.length).map(({ effect, dataHash }) => [effect, dataHash]),
    ).toEqual(before.followUps.map(({ effect, dataHash }) => [effect, dataHash]));
  });

  it("begins anew when its mark is moved, and sets aside what it had found", async () => {
    const nodeId = await idOf("relapse");
    const id = await mark([nodeId], stopMs - 4 * HOUR, "wrong hour", { controls: "none" });
    await look(stopMs - 2 * HOUR);
    const [old] = await afterAnHour(id);
    expect(old?.supersededAt).toBe(null);
    await updateAnnotation({
      ctx: at(stopMs - HOUR, "local"),
      input: { annotationId: id, changes: { title: "still the wrong hour" } },
    });
    expect((await afterAnHour(id))[0]?.supersededAt).toBe(null);
    await updateAnnotation({
      ctx: at(stopMs, "local"),
      input: { annotationId: id, changes: { at: stopMs - 3 * HOUR } },
    });
    const after = await history(id);
    expect(after.status).toBe("following");
    expect(await afterAnHour(id)).toEqual([{ ...old, supersededAt: stopMs }]);
    await look(stopMs - 2 * HOUR + 30 * MINUTE);
    const followUps = await afterAnHour(id);
    expect(followUps).toHaveLength(2);
    expect(followUps[1]?.effect.at).toBe(stopMs - 3 * HOUR);
  });

  it("waits for a mark in the future, and cannot say where there are no data", async () => {
    const nodeId = await idOf("relapse");
    const nowMs = stopMs + 61 * HOUR;
    const planned = await mark([nodeId], nowMs + 5 * HOUR, "kernel upgrade planned");
    const early = await mark([nodeId], START - 5 * DAY, "before the collector came");
    const edge = await mark([nodeId], START + 2 * MINUTE, "at the edge of the data");
    await look(nowMs);
    expect(await history(planned)).toMatchObject({
      status: "following",
      followUps: [],
      nextLookAt: nowMs + 5 * HOUR,
    });
    for (const id of [early, edge]) {
      const { status, followUps } = await history(id);
      expect(status).toBe("cannot-say");
      expect(followUps[0]?.effect.text).toMatch(/Cannot say what changed .* needed\./);
    }
  });

  it("is of a deed, not of a note", async () => {
    const id = await mark([await idOf("relapse")], stopMs, "looked at dmesg", { kind: "note" });
    await expect(history(id)).rejects.toThrow(/is of kind note; only intervention and deploy are followed/);
  });
});
