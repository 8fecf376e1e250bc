import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StartImport } from "#lib/contracts/history-import.ts";
import type { SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";
import { AppError } from "#lib/errors.ts";
import { findNodeByName, listBoots } from "#lib/server/data/nodes.ts";
import { readSeries } from "#lib/server/data/series.ts";
import {
  startFakePrometheus,
  tellSeries,
  type FakePrometheus,
  type ToldNode,
} from "../../../scripts/testing/fake-prometheus.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import type { Context } from "./context.ts";
import { findUnfinished } from "./find-unfinished-import.ts";
import { ingestSnapshots } from "./ingest-snapshots.ts";
import { markSilentCollectors } from "./mark-silent-collectors.ts";
import { rollUpDirtyBuckets } from "./roll-up-dirty-buckets.ts";
import { runImport } from "./run-import.ts";
import { startImport } from "./start-import.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 3, 12, 2);

let database: TestDatabase;
const running: FakePrometheus[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const each of running) await each.stop();
  await database.drop();
});

function context(nowMs = NOW): Context {
  return { db: database.db, actor: { kind: "system", name: "test" }, now: () => nowMs };
}

async function prometheus(series: readonly SeriesSamples[]): Promise<FakePrometheus> {
  const fake = await startFakePrometheus(series);
  running.push(fake);
  return fake;
}

const node = (instance: string, rest: Partial<ToldNode> = {}) =>
  tellSeries({ instance, fromMs: NOW - 6 * HOUR, toMs: NOW, everyMs: MINUTE, ...rest });

type Wanted = Partial<StartImport> & { url: string; cluster: string };

function importOf(wanted: Wanted): StartImport {
  return { from: NOW - 6 * HOUR, to: NOW, match: [], ...wanted };
}

/** Starts an import and runs it to its end. */
async function bringIn(wanted: Wanted, rest: { signal?: AbortSignal; onProgress?: () => void } = {}) {
  const ctx = context();
  const { importId } = await startImport({ ctx, input: { ...importOf(wanted), runner: "worker" } });
  const ended = await runImport({ ctx, input: { runner: "worker", importId, firstPauseMs: 1, ...rest } });
  if (!ended) throw new Error("nothing was run");
  return ended;
}

async function idOf(name: string, cluster: string): Promise<number> {
  const found = await findNodeByName(database.db, cluster, name);
  if (!found) throw new Error(`no node ${name}`);
  return found.nodeId;
}

async function rowsOf(table: string, nodeId: number) {
  const { rows } = await database.db.pool.query<Record<string, unknown>>(
    // A bucket in which a boot began has two rows.
    `select * from "${table}" as r where "nodeId" = $1 order by "at", to_jsonb(r) ->> 'firstAt'`,
    [nodeId],
  );
  return rows;
}

describe("a history", () => {
  it("is stored as it was scraped, once, however often it is imported", async () => {
    const { url } = await prometheus([
      ...node("10.0.0.1:9100", { growthBytes: 1024 * 1024 }),
      ...node("10.0.0.2:9100"),
    ]);
    const first = await bringIn({ url, cluster: "once" });
    expect(first).toMatchObject({ status: "done", doneShare: 1, error: null });
    expect(first.counts).toMatchObject({
      nodes: 2,
      snapshots: 720,
      rolledUp: 0,
      duplicates: 0,
      incomplete: {},
    });
    const again = await bringIn({ url, cluster: "once" });
    expect(again.counts).toMatchObject({
      nodes: 2,
      names: ["10.0.0.1", "10.0.0.2"],
      snapshots: 0,
      duplicates: 720,
    });

    const nodeId = await idOf("10.0.0.1", "once");
    const rows = await rowsOf("Snapshot", nodeId);
    expect(rows).toHaveLength(360);
    expect(Number(rows.at(-1)?.SUnreclaim) - Number(rows[0]?.SUnreclaim)).toBe(359 * 1024);
    const found = await findNodeByName(database.db, "once", "10.0.0.1");
    expect(found?.labels).toEqual({ imported: "prometheus" });
  });

  it("that is older than snapshots are kept has the roll-ups that its snapshots would have had", async () => {
    const span = {
      fromMs: NOW - 15 * DAY,
      toMs: NOW - 13 * DAY - 20 * HOUR,
      everyMs: MINUTE,
      growthBytes: 4096,
    };
    const boots = [(NOW - 30 * DAY) / 1000, (NOW - 14 * DAY - 12 * HOUR) / 1000];
    const { url } = await prometheus(node("old:9100", { ...span, bootedAt: boots }));
    const wanted = { url, from: span.fromMs, to: span.toMs };
    const { counts } = await bringIn({ ...wanted, cluster: "late" });
    expect(counts.snapshots + counts.rolledUp).toBe((span.toMs - span.fromMs) / MINUTE);
    expect(counts.snapshots).toBeGreaterThan(0);
    // The same, brought in while its snapshots were still kept, and rolled up by the worker.
    const ctx = context(NOW - 12 * DAY);
    const { importId } = await startImport({
      ctx,
      input: { ...importOf({ ...wanted, cluster: "timely" }), runner: "worker" },
    });
    const timely = await runImport({ ctx, input: { runner: "worker", importId } });
    expect(timely?.counts).toMatchObject({ rolledUp: 0, snapshots: (span.toMs - span.fromMs) / MINUTE });
    await rollUpDirtyBuckets({ ctx: context(), input: { maxBuckets: 100_000 } });

    const [late, early] = [await idOf("old", "late"), await idOf("old", "timely")];
    for (const table of ["SnapshotRollup5min", "SnapshotRollup1h"]) {
      const comparable = async (nodeId: number) =>
        (await rowsOf(table, nodeId)).map(({ nodeId: _node, bootRef: _boot, ...row }) =>
          Object.fromEntries(
            Object.entries(row).map(([key, value]) => [
              key,
              typeof value === "number" ? Number(value.toPrecision(12)) : value,
            ]),
          ),
        );
      const rolled = await comparable(late);
      expect(rolled.length).toBeGreaterThan(20);
      expect(rolled).toEqual(await comparable(early));
    }
    const read = (nodeId: number) =>
      readSeries(database.db, {
        nodeId,
        fromMs: span.fromMs,
        toMs: span.toMs,
        points: 200,
        columns: ["SUnreclaim"],
      });
    const [a, b] = [await read(late), await read(early)];
    expect(a.timesMs).toEqual(b.timesMs);
    expect(a.reboots.map(({ at }) => at)).toEqual([(boots[1] ?? 0) * 1000]);
  });

  it("that is imported again in part takes nothing away, and beyond what is kept at all it is counted", async () => {
    const span = { fromMs: NOW - 740 * DAY, toMs: NOW - 729 * DAY, everyMs: 30 * MINUTE };
    const { url } = await prometheus(node("ancient:9100", { ...span, bootedAt: [span.fromMs / 1000 - 1] }));
    const whole = await bringIn({ url, cluster: "ancient", from: span.fromMs, to: span.toMs });
    expect(whole.counts.tooOld).toBeGreaterThan(400);
    expect(whole.counts.rolledUp + whole.counts.tooOld).toBe(11 * 48);
    const nodeId = await idOf("ancient", "ancient");
    const before = await rowsOf("SnapshotRollup1h", nodeId);
    expect(await rowsOf("SnapshotRollup5min", nodeId)).toEqual([]);
    const { url: sparse } = await prometheus(
      node("ancient:9100", { ...span, everyMs: HOUR, bootedAt: [span.fromMs / 1000 - 1] }),
    );
    await bringIn({ url: sparse, cluster: "ancient", from: span.fromMs, to: span.toMs });
    expect(await rowsOf("SnapshotRollup1h", nodeId)).toEqual(before);
  });

  it("goes on where it was stopped", async () => {
    const fake = await prometheus(node("halfway:9100"));
    const stop = new AbortController();
    const stopped = await bringIn(
      { url: fake.url, cluster: "halfway" },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect(stopped).toMatchObject({ status: "queued" });
    expect(stopped.doneShare).toBeGreaterThan(0);
    expect(stopped.doneShare).toBeLessThan(1);
    const ended = await runImport({
      ctx: context(),
      input: { runner: "worker", importId: stopped.importId },
    });
    expect(ended).toMatchObject({ status: "done", counts: { snapshots: 360, duplicates: 0 } });
  });

  it("is taken up by the same command, from its own window", async () => {
    const fake = await prometheus(node("command:9100"));
    const ctx = context();
    const wanted = { ...importOf({ url: fake.url, cluster: "command" }), runner: "command line" as const };
    const begun = await startImport({ ctx, input: wanted });
    const stop = new AbortController();
    const paused = await runImport({
      ctx,
      input: {
        runner: "command line",
        importId: begun.importId,
        signal: stop.signal,
        onProgress: () => stop.abort(),
      },
    });
    expect(paused?.status).toBe("paused");
    const found = await findUnfinished({
      ctx,
      input: { ...wanted, from: NOW - 5 * HOUR } as StartImport & typeof wanted,
    });
    expect(found?.importId).toBe(begun.importId);
    const ended = await runImport({ ctx, input: { runner: "command line", importId: begun.importId } });
    expect(ended?.status).toBe("done");
    expect(await findUnfinished({ ctx, input: wanted })).toBeUndefined();
  });

  it("knows a boot again although its time is a second off, and one that a collector reports", async () => {
    const booted = (NOW - 2 * DAY) / 1000;
    const first = await prometheus(node("boots:9100", { bootedAt: [booted] }));
    await bringIn({ url: first.url, cluster: "boots" });
    const second = await prometheus(node("boots:9100", { bootedAt: [booted + 1], everyMs: 30_000 }));
    await bringIn({ url: second.url, cluster: "boots" });
    const collected = {
      ...{
        schemaVersion: 1,
        node: "boots",
        at: NOW,
        bootId: "f3b2",
        kernelRelease: "6.18.44-fc-v657",
        cpus: 2,
      },
      ...{
        uptimeSeconds: 2 * 86_400 + 0.4,
        pcpFreePages: 1,
        meminfo: { MemTotal: 24_684_092, MemFree: 1000 },
      },
    };
    const items = [collected];
    expect(await ingestSnapshots({ ctx: context(), input: { items, cluster: "boots" } })).toMatchObject({
      accepted: 1,
    });
    const nodeId = await idOf("boots", "boots");
    expect(await listBoots(database.db, nodeId, 0, NOW + 1)).toHaveLength(1);
    const found = await findNodeByName(database.db, "boots", "boots");
    // It reports itself now.
    expect(found).toMatchObject({ conflictAtMs: null, labels: {} });
  });

  it("leaves out the time that the node's own collector reports", async () => {
    const own = Array.from({ length: 30 }, (_, index) => ({
      ...{
        schemaVersion: 1,
        node: "both",
        at: NOW - (30 - index) * MINUTE,
        bootId: "own",
        uptimeSeconds: 9000,
      },
      ...{
        kernelRelease: "6.1",
        cpus: 2,
        pageSizeBytes: 4096,
        pcpFreePages: 10,
        meminfo: { MemTotal: 9000, MemFree: 10 },
      },
    }));
    await ingestSnapshots({ ctx: context(), input: { items: own, cluster: "both" } });
    const { url } = await prometheus(node("both:9100"));
    const { counts } = await bringIn({ url, cluster: "both" });
    expect(counts).toMatchObject({ ownCollector: 30, snapshots: 330 });
  });

  it("is no sign of life, and its end no silence", async () => {
    const { url } = await prometheus(node("quiet:9100", { toMs: NOW - 2 * HOUR }));
    await bringIn({ url, cluster: "quiet", to: NOW - 2 * HOUR });
    const found = await findNodeByName(database.db, "quiet", "quiet");
    expect(found?.receivedAtMs).toBe(NOW - 2 * HOUR - MINUTE);
    await markSilentCollectors({ ctx: context(), input: { silentAfterMs: 5 * MINUTE, upSinceMs: 0 } });
    const marks = await database.db.prisma.annotation.findMany({
      where: { nodeIds: { has: found?.nodeId ?? 0 } },
    });
    expect(marks).toEqual([]);
  });
});

describe("the other side", () => {
  const reply =
    (status: number, body: string, headers: Record<string, string> = {}): FakePrometheus["instead"][number] =>
    (response) =>
      response.writeHead(status, headers).end(body);
  const problem = (errorType: string, error: string) => JSON.stringify({ status: "error", errorType, error });

  it("is waited for when it is busy", async () => {
    const fake = await prometheus(node("busy:9100"));
    fake.instead.push(reply(429, "", { "retry-after": "0" }), reply(503, "starting"), reply(502, ""));
    expect(await bringIn({ url: fake.url, cluster: "busy" })).toMatchObject({
      status: "done",
      counts: { snapshots: 360 },
    });
  });

  it("is asked for less when it was too much at once", async () => {
    const fake = await prometheus([...node("a:9100"), ...node("b:9100")]);
    const tooMuch = reply(
      422,
      problem("execution", "query processing would load too many samples into memory in query execution"),
    );
    // The check, the lists of targets, then the first window of both.
    fake.instead.push(undefined, undefined, undefined, tooMuch);
    expect(await bringIn({ url: fake.url, cluster: "less" })).toMatchObject({
      status: "done",
      counts: { nodes: 2, snapshots: 720 },
    });
    const selectors = fake.asked
      .map(({ query }) => query.get("query") ?? "")
      .filter((query) => query.includes("node_memory"));
    expect(selectors.some((each) => each.includes('instance=~"a:9100"'))).toBe(true);
  });

  it("gets the token, the matchers and the step that were given", async () => {
    const fake = await prometheus(node("asked:9100", { labels: { job: "node", host: "worker-3" } }));
    const ended = await bringIn({
      ...{ url: `${fake.url}/`, cluster: "asked", bearer: "secret", match: ['job="node"'] },
      ...{ stepSeconds: 300, nodeLabel: "host" },
    });
    expect(ended).toMatchObject({ status: "done", counts: { snapshots: 72 } });
    await idOf("worker-3", "asked");
    expect(new Set(fake.asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer secret"]));
    for (const { path, query } of fake.asked.filter(({ path: each }) => each === "/api/v1/query_range")) {
      expect([path, query.get("step")]).toEqual(["/api/v1/query_range", "300"]);
      expect(query.get("query")).toContain('job="node"');
    }
    const { rows } = await database.db.pool.query(`select from "HistoryImport" where "bearer" is not null`);
    expect(rows).toHaveLength(0);
  });

  it.each([
    ["401", reply(401, "Unauthorized"), /refused to answer \(HTTP 401\).*bearer token/],
    [
      "no Prometheus",
      reply(404, "<html>", { "content-type": "text/html" }),
      /not as Prometheus does \(HTTP 404, text\/html\)/,
    ],
    ["JSON of something else", reply(200, '{"ok":true}'), /not as Prometheus does/],
    [
      "a query refused",
      reply(400, problem("bad_data", "parse error")),
      /refused the query \(bad_data\): parse error/,
    ],
  ])("is told apart: %s", async (_, instead, message) => {
    const fake = await prometheus([]);
    fake.instead.push(instead);
    const ended = await bringIn({ url: fake.url, cluster: "faults" });
    expect(ended.status).toBe("failed");
    expect(ended.error).toMatch(message);
  });

  it("is told apart: nobody there, and nothing of what is asked for", async () => {
    const fake = await prometheus([]);
    const nothing = await bringIn({ url: fake.url, cluster: "faults", match: ['job="x"'] });
    expect(nothing.error).toMatch(/no node_memory_MemTotal_bytes of that time that matches job="x"/);
    await fake.stop();
    running.splice(running.indexOf(fake), 1);
    const gone = await bringIn({ url: fake.url, cluster: "faults" });
    expect(gone.error).toMatch(/Nothing answers at .*: the connection was refused/);
  });
});

it("does not begin with a window that lies ahead", async () => {
  const ahead = importOf({ url: "http://prometheus", cluster: "x", from: NOW + DAY, to: NOW + 2 * DAY });
  await expect(startImport({ ctx: context(), input: { ...ahead, runner: "worker" } })).rejects.toBeInstanceOf(
    AppError,
  );
});
