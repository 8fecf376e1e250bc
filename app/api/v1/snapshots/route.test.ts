import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ingestReceipt } from "#lib/contracts/ingest.ts";
import { nodeList } from "#lib/contracts/node.ts";
import { createRng, type Rng } from "#lib/domain/statistics/rng.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { issueToken } from "../../../../scripts/testing/tokens.ts";
import { GET as listNodes } from "../nodes/route.ts";
import { POST as ingest } from "./route.ts";

const NDJSON = "application/x-ndjson";
const nowMs = Date.parse("2026-03-01T12:00:00Z");
const local = { local: true };

let database: TestDatabase;
let token = "";
let nextAt = nowMs - 6 * 3_600_000;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  token = await issueToken({ name: "collectors", cluster: "east", scopes: ["snapshots:write"] });
});
beforeEach(() => {
  useRuntime(database.db, () => nowMs);
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

/** A snapshot of a moment that no other has. */
function snapshot(node = "worker", rest: object = {}) {
  nextAt += 1000;
  return {
    schemaVersion: 1,
    node,
    at: nextAt,
    bootId: `boot of ${node}`.slice(0, 64),
    uptimeSeconds: (nextAt - (nowMs - 86_400_000)) / 1000,
    kernelRelease: "4.18.0-305.el8.x86_64",
    cpus: 8,
    meminfo: { MemTotal: 1_000_000, MemFree: 400_000, SUnreclaim: 50_000 },
    ...rest,
  };
}

const send = (json: unknown) => callRoute(ingest, { as: { token }, json });
const sendRaw = (body: BodyInit, headers: Record<string, string>) =>
  callRoute(ingest, { as: { token }, body, headers });
const receiptOf = async (response: Response) => answerOf(response, ingestReceipt);

describe("ingest", () => {
  it("takes one, a batch, lines, and gzip of these; each snapshot once", async () => {
    const one = snapshot();
    expect(await receiptOf(await send(one))).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await receiptOf(await send(one))).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    const batch = { snapshots: [one, snapshot(), snapshot("other")] };
    expect(await receiptOf(await send(batch))).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    const lines = gzipSync([snapshot(), snapshot()].map((each) => JSON.stringify(each)).join("\n"));
    const headers = { "content-type": NDJSON, "content-encoding": "gzip" };
    expect(await receiptOf(await sendRaw(lines, headers))).toMatchObject({ accepted: 2 });
  });

  it("names the place of what it rejects and keeps the neighbours", async () => {
    const lines = [
      JSON.stringify(snapshot()),
      "{",
      JSON.stringify({ ...snapshot(), meminfo: { MemTotal: -1 } }),
      JSON.stringify(snapshot("late", { at: nowMs - 400 * 86_400_000 })),
      JSON.stringify(snapshot("early", { at: nowMs + 3_600_000 })),
      JSON.stringify(snapshot()),
    ].join("\n");
    const receipt = await receiptOf(await sendRaw(lines, { "content-type": NDJSON }));
    expect(receipt.accepted).toBe(2);
    expect(receipt.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, "invalid"],
      [2, "invalid"],
      [3, "too_old"],
      [4, "clock_ahead"],
    ]);
    expect(receipt.rejected[1]?.detail).toContain("meminfo.MemTotal");
  });

  it("answers 422 with the reason when the only one is bad, and 200 when it came in a batch", async () => {
    const bad = { ...snapshot(), cpus: "many" };
    const refused = await send(bad);
    expect(refused.status).toBe(422);
    expect(await problemOf(refused)).toMatchObject({ code: "invalid", status: 422 });
    expect((await problemOf(await send(snapshot("early", { at: nowMs + 3_600_000 })))).code).toBe(
      "clock_ahead",
    );
    expect((await receiptOf(await send({ snapshots: [bad] }))).rejected).toHaveLength(1);
  });

  it("asks for a token that may, and for nobody else", async () => {
    const json = snapshot();
    expect((await callRoute(ingest, { json })).status).toBe(401);
    expect((await callRoute(ingest, { json, as: local })).status).toBe(401);
    const reader = await issueToken({ name: "reader", cluster: "east", scopes: ["read"] });
    expect((await callRoute(ingest, { json, as: { token: reader } })).status).toBe(403);
  });

  it("is 503 with Retry-After while the database is away", async () => {
    const good = snapshot();
    expect((await send(good)).status).toBe(200);
    const away = openDatabase({ url: "postgresql://nobody:x@127.0.0.1:1/none", connectTimeoutMs: 500 });
    useRuntime(away, () => nowMs);
    const refused = await send(snapshot());
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await problemOf(refused)).code).toBe("unavailable");
    await closeDatabase(away);
  });

  it("keeps names of nodes whatever is in them", async () => {
    const names = [
      "a b",
      "ünïcode 🦆",
      "../../etc/passwd",
      '\'; drop table "Node"; --',
      '%00{}[]\\"',
      "\t",
      "<b>",
    ];
    const receipt = await receiptOf(await send({ snapshots: names.map((name) => snapshot(name)) }));
    expect(receipt).toMatchObject({ accepted: names.length, rejected: [] });
    const query = { pageSize: 2000 };
    const { nodes } = await answerOf(await callRoute(listNodes, { as: local, query }), nodeList);
    expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    for (const name of names) {
      const found = await answerOf(await callRoute(listNodes, { as: local, query: { name } }), nodeList);
      expect(found.nodes.map((node) => node.name)).toEqual([name]);
    }
  });
});

/** Values that have broken parsers and databases before. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  -0,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  "",
  "\u0000",
  "\ud800",
  "\u202e🦆",
  "NaN",
  "9".repeat(400),
  "x".repeat(5000),
  [],
  [[[[]]]],
  {},
  { constructor: 1, toString: null },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { at: { at: {} } },
  "2026-03-01T12:00:00Z",
  "2026-02-30T12:00:00Z",
];

const SECTIONS = {
  vmstat: { nr_free_pages: 5, pgfault: 7 },
  pcpFreePages: 10,
  pageSizeBytes: 4096,
  cgroups: { mode: "v1", memoryCount: 9, live: 5, dying: 4 },
  containersStarted: 4,
  containersLive: 2,
  slab: [{ name: "dentry", activeObjs: 1, numObjs: 2, objSizeBytes: 192, sizeKib: 4 }],
  tmpfs: [{ mount: "/run", usedKib: 4, inodes: 100, inodesUsed: 7 }],
  watch: [{ path: "/run/crio/exits", files: 3 }],
  versions: { runtime: "cri-o 1.19" },
  labels: { zone: "a" },
  sources: { meminfo: { status: "ok", readMs: 0.2 } },
  events: [{ at: nowMs - 1000, kind: "oom", title: "killed" }],
  self: { cpuSeconds: 1, rssKib: 2 },
};

/** A good snapshot with up to four of its values, at any depth, replaced, removed or moved. */
function mutate(rng: Rng): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rng.uniform() * list.length)] as T;
  const value: Record<string, unknown> = structuredClone({
    ...snapshot(`fuzz ${Math.floor(rng.uniform() * 9)}`),
    ...SECTIONS,
  });
  for (let changes = 1 + Math.floor(rng.uniform() * 4); changes > 0; changes -= 1) {
    let holder: Record<string, unknown> = value;
    let key = pick(Object.keys(holder));
    while (rng.uniform() < 0.6 && typeof holder[key] === "object" && holder[key] !== null) {
      const below = holder[key] as Record<string, unknown>;
      const keys = Object.keys(below);
      if (keys.length === 0) break;
      holder = below;
      key = pick(keys);
    }
    const action = rng.uniform();
    if (action < 0.15) Reflect.deleteProperty(holder, key);
    else if (action < 0.3) holder[JSON.stringify(pick(HOSTILE))] = structuredClone(pick(HOSTILE));
    else if (action < 0.4) holder[key] = structuredClone(pick(Object.values(value)));
    else holder[key] = structuredClone(pick(HOSTILE));
  }
  return rng.uniform() < 0.05 ? pick(HOSTILE) : value;
}

describe("10,000 mutated snapshots", () => {
  it("never break the server, and never cost a good neighbour", { timeout: 240_000 }, async () => {
    const rng = createRng(20_260_301);
    const total = { sent: 0, rejected: 0, stored: 0 };
    for (let request = 0; request < 50; request += 1) {
      const asLines = request % 2 === 0;
      const items = Array.from({ length: 200 }, (_, index) =>
        index % 10 === 0 ? snapshot("good neighbour") : mutate(rng),
      );
      const texts = items.map((item) => {
        const text = JSON.stringify(item);
        // Of the bad lines some are cut short.
        if (
          !asLines ||
          typeof item !== "object" ||
          (item as { node?: unknown } | null)?.node === "good neighbour"
        )
          return text;
        if (rng.uniform() < 0.1)
          return text.slice(0, Math.floor(rng.uniform() * text.length)).replaceAll("\n", "") || "{";
        return text;
      });
      const response = asLines
        ? await sendRaw(gzipSync(texts.join("\n")), { "content-type": NDJSON, "content-encoding": "gzip" })
        : await sendRaw(`{"snapshots":[${texts.join(",")}]}`, { "content-type": "application/json" });
      const receipt = await receiptOf(response);
      const bad = new Set(receipt.rejected.map(({ index }) => index));
      for (let index = 0; index < items.length; index += 10)
        expect(bad, `request ${request}`).not.toContain(index);
      expect(receipt.accepted + receipt.duplicates + receipt.rejected.length).toBe(items.length);
      total.sent += items.length;
      total.rejected += receipt.rejected.length;
      total.stored += receipt.accepted;
    }
    expect(total.sent).toBe(10_000);
    // The mutations must reach both sides, or nothing was tested.
    expect(total.rejected).toBeGreaterThan(2000);
    expect(total.stored).toBeGreaterThan(1500);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const { nodes } = await answerOf(
      await callRoute(listNodes, { as: local, query: { pageSize: 2000 } }),
      nodeList,
    );
    expect(nodes.some(({ name }) => name === "good neighbour")).toBe(true);
  });

  it("nor do bodies that are no snapshots at all", async () => {
    const rng = createRng(7);
    for (let each = 0; each < 300; each += 1) {
      const bytes = Uint8Array.from({ length: Math.floor(rng.uniform() * 300) }, () =>
        Math.floor(rng.uniform() * 256),
      );
      const type = rng.uniform() < 0.5 ? NDJSON : "application/json";
      const response = await sendRaw(bytes, {
        "content-type": type,
        ...(rng.uniform() < 0.3 && { "content-encoding": "gzip" }),
      });
      expect(response.status).toBeLessThan(500);
    }
  });
});
