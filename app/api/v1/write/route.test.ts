import { gzipSync } from "node:zlib";
import { compress } from "snappyjs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";
import { listBoots, findNodeByName } from "#lib/server/data/nodes.ts";
import { renderMetrics } from "#lib/server/http/metrics.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { settleScrapes } from "#lib/server/services/settle-scrapes.ts";
import { tellSeries } from "../../../../scripts/testing/fake-prometheus.ts";
import { recordedWrite, remoteWriteBody } from "../../../../scripts/testing/remote-write.ts";
import { callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { issueToken } from "../../../../scripts/testing/tokens.ts";
import { POST as write } from "./route.ts";

const NOW = Date.parse("2026-11-30T12:20:00Z");
const MINUTE = 60_000;

let database: TestDatabase;
let token = "";
let clockMs = NOW;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => clockMs);
  token = await issueToken({ name: "prometheus", cluster: "live", scopes: ["snapshots:write"] });
});
beforeEach(() => {
  clockMs = NOW;
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const HEADERS = {
  "content-type": "application/x-protobuf",
  "content-encoding": "snappy",
  "x-prometheus-remote-write-version": "0.1.0",
};

const send = (body: Uint8Array, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
  callRoute(write, { as: { token }, body: Buffer.from(body), headers: { ...HEADERS, ...headers }, query });

/** Sends series, and lets them settle. */
async function tell(series: readonly SeriesSamples[]) {
  expect((await send(remoteWriteBody(series))).status).toBe(204);
  return settle();
}

function settle(afterMs = 11_000) {
  clockMs += afterMs;
  return settleScrapes({
    ctx: { db: database.db, actor: { kind: "system", name: "test" }, now: () => clockMs },
  });
}

async function snapshotsOf(name: string) {
  const node = await findNodeByName(database.db, "live", name);
  const { rows } = await database.db.pool.query<Record<string, number | Date | null>>(
    `select * from "Snapshot" where "nodeId" = $1 order by "at"`,
    [node?.nodeId ?? 0],
  );
  return rows;
}

async function waiting(): Promise<number> {
  const { rows } = await database.db.pool.query<{ count: number }>(
    `select count(*)::int as count from "ScrapePart"`,
  );
  return rows[0]?.count ?? 0;
}

const node = (instance: string, samples = 1) =>
  tellSeries({ instance, fromMs: NOW - samples * MINUTE, toMs: NOW, everyMs: MINUTE });
const named = (name: string) => (each: SeriesSamples) => each.labels.__name__ === name;

describe("what a scrape consists of", () => {
  it("may come in several requests, in any order and twice, and is one snapshot", async () => {
    for (const index of [2, 0, 1, 0]) expect((await send(recordedWrite(index))).status).toBe(204);
    // Nothing before it has settled.
    expect(await settle(5_000)).toMatchObject({ snapshots: 0 });
    const { snapshots } = await settle();
    expect(snapshots).toBeGreaterThan(0);
    const rows = await snapshotsOf("127.0.0.1");
    expect(rows).toHaveLength(snapshots);
    expect(rows[0]).toMatchObject({ MemTotal: 24_684_092, pcpFreeKib: null });
    expect(await settle()).toMatchObject({ snapshots: 0 });
  });

  it("is added to its snapshot when it comes late", async () => {
    const all = node("late:9100");
    const isLate = named("node_memory_SUnreclaim_bytes");
    expect(await tell(all.filter((each) => !isLate(each)))).toMatchObject({ snapshots: 1 });
    expect(await snapshotsOf("late")).toMatchObject([{ SUnreclaim: null }]);
    expect(await tell(all.filter(isLate))).toMatchObject({ snapshots: 0, amended: 1 });
    const [row] = await snapshotsOf("late");
    expect(row?.SUnreclaim).toBeGreaterThan(0);
    // The whole once more, as after an answer that was lost: nothing twice, nothing changed.
    expect(await tell(all)).toMatchObject({ snapshots: 0 });
    expect(await snapshotsOf("late")).toEqual([row]);
  });

  it("may be of two exporters: started containers go on counting over a restart of kubelet", async () => {
    const kubelet = (values: [number, number][]): SeriesSamples => ({
      labels: {
        __name__: "kubelet_started_containers_total",
        container_type: "container",
        instance: "pods:10250",
        node: "w",
      },
      samples: values,
    });
    const at = (minutes: number) => NOW - minutes * MINUTE;
    await tell([
      ...node("pods:9100", 3),
      kubelet([
        [at(3), 70],
        [at(2), 75],
        [at(1), 2],
      ]),
    ]);
    clockMs = NOW + MINUTE;
    const more = tellSeries({
      instance: "pods:9100",
      fromMs: NOW,
      toMs: NOW + 1,
      everyMs: MINUTE,
      bootedAt: [Math.floor(at(3) / 1000) - 86_400],
    });
    await tell([...more, kubelet([[NOW, 4]])]);
    expect((await snapshotsOf("pods")).map(({ containersStarted }) => containersStarted)).toEqual([
      70, 75, 77, 79,
    ]);
  });

  it("is stored without values that no kernel has, or refused where it needs them", async () => {
    const all = node("broken:9100");
    const replaced = (name: string, value: number) =>
      all.map((each) =>
        named(name)(each) ? { ...each, samples: each.samples.map(([atMs]) => [atMs, value] as const) } : each,
      );
    const before = await waiting();
    const lost = { snapshots: 0, impossible: 1, refused: 1 };
    expect(await tell(replaced("node_memory_MemFree_bytes", 9e18))).toMatchObject(lost);
    expect(await tell(replaced("node_boot_time_seconds", 1e300))).toMatchObject(lost);
    expect(await waiting()).toBe(before);
    const kept = { snapshots: 1, impossible: 1, refused: 0 };
    expect(await tell(replaced("node_memory_SUnreclaim_bytes", 9e18))).toMatchObject(kept);
    expect(await snapshotsOf("broken")).toMatchObject([{ SUnreclaim: null }]);
  });

  it("that gives no valid snapshot is refused, and said", async () => {
    const all = node("long:9100").map((each) =>
      named("node_uname_info")(each)
        ? { ...each, labels: { ...each.labels, release: "6".repeat(300) } }
        : each,
    );
    const before = await waiting();
    expect(await tell(all)).toMatchObject({ snapshots: 0, refused: 1 });
    expect(await waiting()).toBe(before);
  });

  it("without the time of the boot is no snapshot, and is forgotten", async () => {
    const before = await waiting();
    const broken = node("bootless:9100").filter((each) => !named("node_boot_time_seconds")(each));
    expect(await tell(broken)).toMatchObject({ snapshots: 0 });
    expect(await waiting()).toBe(before + 1);
    expect((await settle(61 * MINUTE)).forgotten).toBeGreaterThan(0);
    expect(await waiting()).toBe(0);
    expect(await snapshotsOf("bootless")).toEqual([]);
  });

  it("is left out where the node's own collector reports", async () => {
    const own = {
      ...{
        schemaVersion: 1,
        node: "own",
        at: NOW - 2 * MINUTE,
        bootId: "own",
        uptimeSeconds: 9000,
        kernelRelease: "6.1",
      },
      ...{ cpus: 2, pageSizeBytes: 4096, pcpFreePages: 10, meminfo: { MemTotal: 9000, MemFree: 10 } },
    };
    const ctx = { db: database.db, actor: { kind: "system" as const, name: "test" }, now: () => NOW };
    await ingestSnapshots({ ctx, input: { items: [own], cluster: "live" } });
    expect(await tell(node("own:9100"))).toMatchObject({ snapshots: 0, ownCollector: 1 });
    expect(await snapshotsOf("own")).toHaveLength(1);
  });

  it("ends with a marker that is no reading", async () => {
    const stale = new DataView(new ArrayBuffer(8));
    stale.setBigUint64(0, 0x7ff0000000000002n);
    const ended = node("gone:9100").map(({ labels, samples }): SeriesSamples => ({
      labels,
      samples: [...samples, [NOW, stale.getFloat64(0)]],
    }));
    expect(await tell(ended)).toMatchObject({ snapshots: 1 });
    const found = await findNodeByName(database.db, "live", "gone");
    expect(await listBoots(database.db, found?.nodeId ?? 0, 0, NOW + 1)).toHaveLength(1);
  });
});

test("series that are not needed are dropped and counted", async () => {
  const other: SeriesSamples = {
    labels: { __name__: "node_network_up", instance: "x:9100" },
    samples: [
      [NOW, 1],
      [NOW, 1],
    ],
  };
  const counted = async () =>
    Number(
      /remote_write_samples_total\{outcome="dropped"\} (\d+)/.exec(await renderMetrics([], []))?.[1] ?? 0,
    );
  const before = await counted();
  await tell([other]);
  expect((await counted()) - before).toBe(2);
  expect(await waiting()).toBe(0);
});

describe("what is no remote write 1.0", () => {
  const body = remoteWriteBody(node("x:9100"));
  test.each([
    [
      "2.0",
      body,
      { "content-type": "application/x-protobuf;proto=io.prometheus.write.v2.Request" },
      415,
      /1\.0/,
    ],
    ["2.0 by its version", body, { "x-prometheus-remote-write-version": "2.0.0" }, 415, /1\.0/],
    ["JSON", body, { "content-type": "application/json" }, 415, /application\/x-protobuf/],
    ["gzip", gzipSync("x"), { "content-encoding": "gzip" }, 415, /snappy/],
    ["damaged Snappy", body.subarray(0, 40), {}, 400, /Snappy/],
    ["no protobuf", compress(Buffer.from("no protobuf at all")), {}, 400, /WriteRequest/],
    ["a bomb", Buffer.from([0xff, 0xff, 0xff, 0x7f, 0]), {}, 413, /larger/],
  ])("is refused: %s", async (_, bytes, headers, status, detail) => {
    const answered = await problemOf(await send(bytes, headers));
    expect(answered.status).toBe(status);
    expect(answered.detail).toMatch(detail);
  });

  it("needs a token that may write snapshots", async () => {
    expect((await callRoute(write, { as: { local: true }, body, headers: HEADERS })).status).toBe(401);
    const reader = await issueToken({ name: "reader", cluster: "live", scopes: ["read"] });
    expect((await callRoute(write, { as: { token: reader }, body, headers: HEADERS })).status).toBe(403);
  });
});
