import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ingestReceipt } from "#lib/contracts/ingest.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { findNode, findNodeByName } from "#lib/server/data/nodes.ts";
import { readSnapshotAt } from "#lib/server/data/snapshot-at.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { rawBodyOfTree } from "../../../../scripts/testing/fixture-trees.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { issueToken } from "../../../../scripts/testing/tokens.ts";
import { POST as raw } from "./route.ts";

const nowMs = Date.parse("2026-03-01T12:00:00Z");
const el7 = rawBodyOfTree("3.10-el7-x86_64");
const SMALL =
  "==> /proc/meminfo <==\nMemTotal: 1000 kB\n\n==> /proc/uptime <==\n9.5 9\n\n==> /proc/stat <==\ncpu0 1\nprocesses 3\n\n" +
  "==> /proc/sys/kernel/random/boot_id <==\n00000000-1111-4222-8333-444444444444\n\n" +
  "==> /proc/sys/kernel/osrelease <==\n3.10.0\n";

let database: TestDatabase;
let token = "";
let clockMs = nowMs;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => nowMs);
  token = await issueToken({ name: "collectors", cluster: "east", scopes: ["snapshots:write"] });
});
beforeEach(() => {
  clockMs = nowMs;
  useRuntime(database.db, () => clockMs);
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const send = (body: BodyInit, query: Record<string, string | number>, headers: Record<string, string> = {}) =>
  callRoute(raw, { as: { token }, body, query, headers: { "content-type": "text/plain", ...headers } });
const receiptOf = async (response: Response) => answerOf(response, ingestReceipt);

async function stored(name: string, atMs: number) {
  const node = await findNodeByName(database.db, "east", name);
  if (!node) throw new Error(`no node ${name}`);
  return { node, snapshot: await readSnapshotAt(database.db, node.nodeId, atMs) };
}

/** `SMALL` with its time, so many ms before now. */
const sampleAt = (agoMs: number, files = SMALL) => `==> plumbline sample at=${nowMs - agoMs} <==\n${files}\n`;

describe("kernel files of one time", () => {
  it("become a snapshot of the cluster of the token, once", async () => {
    const query = { node: "old node", at: "2026-03-01T11:59:00Z" };
    expect(await receiptOf(await send(el7, query))).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await receiptOf(await send(el7, query))).toMatchObject({ accepted: 0, duplicates: 1 });
    const { node, snapshot } = await stored("old node", nowMs - 60_000);
    expect(node).toMatchObject({
      atMs: nowMs - 60_000,
      kernelRelease: expect.stringContaining("3.10.0") as string,
      cgroupMode: "v1",
      counters: { cgroupMemoryCount: 64_871 },
    });
    const read = await findNode(database.db, node.nodeId);
    expect(read?.sources).toMatchObject({ meminfo: { status: "ok" }, vmallocinfo: { status: "absent" } });
    expect(snapshot?.meminfo.MemTotal).toBeGreaterThan(0);
    expect(snapshot?.slab?.length).toBeGreaterThan(0);
  });

  it("take the time of the server when none is given, whatever curl calls the body, gzip or not", async () => {
    const types = [
      "text/plain; charset=utf-8",
      "application/octet-stream",
      "application/x-www-form-urlencoded",
    ];
    for (const [index, type] of types.entries()) {
      clockMs = nowMs + index * 1000;
      const receipt = await receiptOf(
        await send(gzipSync(el7), { node: "curl" }, { "content-type": type, "content-encoding": "gzip" }),
      );
      expect(receipt).toMatchObject({ accepted: 1 });
    }
    expect((await stored("curl", nowMs)).node.atMs).toBe(nowMs + 2000);
  });

  it("say in the answer what was passed over", async () => {
    const body = `${SMALL}\n==> /proc/vmstat <==\na 1\nodd\n\n==> /proc/swaps <==\n1\n`;
    expect((await receiptOf(await send(body, { node: "warned" }))).warnings).toEqual([
      { index: 0, detail: "not read here: /proc/swaps" },
      { index: 0, detail: "vmstat ok: /proc/vmstat line 2: expected a key and an integer below 2^53" },
    ]);
  });

  it("are 422 with what is missing, and with the codes of ingest", async () => {
    const refused = await send(SMALL.replace("/proc/uptime", "/proc/elsewhere"), { node: "n" });
    expect(refused.status).toBe(422);
    expect(await problemOf(refused)).toMatchObject({
      code: "invalid",
      detail: "a snapshot needs /proc/uptime (absent)",
    });
    const early = await send(SMALL, { node: "n", at: nowMs + 3_600_000 });
    expect((await problemOf(early)).code).toBe("clock_ahead");
    const late = await send(SMALL, { node: "n", at: nowMs - 400 * 86_400_000 });
    expect((await problemOf(late)).code).toBe("too_old");
  });
});

describe("a spool", () => {
  it("is one request, its samples judged one by one", async () => {
    const body = [
      sampleAt(3000),
      sampleAt(2000, "==> /proc/meminfo <==\nMemTotal: 1 kB\n"),
      sampleAt(1000),
      `==> plumbline sample at=yesterday <==\n${SMALL}\n`,
      sampleAt(-3_600_000),
      sampleAt(3000),
    ].join("");
    const receipt = await receiptOf(await send(body, { node: "spool" }));
    expect(receipt).toMatchObject({ accepted: 2, duplicates: 1 });
    expect(receipt.rejected.map(({ index, code, detail }) => [index, code, detail.slice(0, 22)])).toEqual([
      [1, "invalid", "a snapshot needs /proc"],
      [3, "invalid", "at: expected ISO 8601 "],
      [4, "clock_ahead", "at: 3600 s ahead of th"],
    ]);
    expect((await stored("spool", nowMs - 1000)).node.atMs).toBe(nowMs - 1000);
  });

  it("of one sample answers 200 with what it rejected, as a batch does", async () => {
    const receipt = await receiptOf(await send(sampleAt(-3_600_000), { node: "spool" }));
    expect(receipt.rejected).toHaveLength(1);
  });

  it("has a bound", async () => {
    const body = "==> plumbline sample at=1 <==\n".repeat(1001);
    expect((await send(body, { node: "n" })).status).toBe(413);
  });
});

describe("what is refused", () => {
  it("without a token that may, without a node, and of another kind", async () => {
    expect((await callRoute(raw, { body: SMALL, query: { node: "n" } })).status).toBe(401);
    expect((await callRoute(raw, { as: { local: true }, body: SMALL, query: { node: "n" } })).status).toBe(
      401,
    );
    const reader = await issueToken({ name: "reader", cluster: "east", scopes: ["read"] });
    expect((await callRoute(raw, { as: { token: reader }, body: SMALL, query: { node: "n" } })).status).toBe(
      403,
    );
    for (const query of [
      {},
      { node: "" },
      { node: "x".repeat(254) },
      { node: "n", at: "noon" },
      { node: "n", when: 1 },
    ]) {
      expect((await send(SMALL, query as Record<string, string>)).status).toBe(400);
    }
    expect((await send(SMALL, { node: "n" }, { "content-type": "application/json" })).status).toBe(415);
    expect((await send(SMALL, { node: "n" }, { "content-encoding": "br" })).status).toBe(415);
    expect((await send(SMALL, { node: "n" }, { "content-encoding": "gzip" })).status).toBe(400);
    expect((await send("", { node: "n" })).status).toBe(422);
    expect((await send("MemTotal: 1 kB\n", { node: "n" })).status).toBe(422);
    const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, "\n"));
    expect((await send(bomb, { node: "n" }, { "content-encoding": "gzip" })).status).toBe(413);
  });

  it("is 429 with Retry-After beyond the rate of the token, and 503 while the database is away", async () => {
    const { limits } = useRuntime(database.db, () => nowMs);
    useRuntime(database.db, () => nowMs, {
      limits: { ...limits, requests: { take: () => 7, peek: () => 7 } },
    });
    const limited = await send(SMALL, { node: "n" });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    const away = openDatabase({ url: "postgresql://nobody:x@127.0.0.1:1/none", connectTimeoutMs: 500 });
    useRuntime(away, () => nowMs);
    const refused = await send(SMALL, { node: "n" });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await closeDatabase(away);
  });
});

describe("hostile bodies", () => {
  it("never break the server, and never cost a good neighbour", { timeout: 120_000 }, async () => {
    const rng = createRng(20_260_302);
    const below = (most: number) => Math.floor(rng.uniform() * most);
    const words = [
      "\u0000",
      "\ud800",
      "\r",
      "\n==> /proc/vmstat <==\n",
      "\n==> plumbline watch <==\n9 /\u0000\n",
      "-1",
      "9".repeat(30),
      "__proto__ 1\n",
      "kB",
    ];
    let accepted = 0;
    let rejected = 0;
    for (let request = 0; request < 40; request += 1) {
      const samples = Array.from({ length: 10 }, (_, index) => {
        if (index % 5 === 0) return sampleAt(request * 10_000 + index * 1000);
        let text = `${SMALL}\n==> /proc/vmstat <==\na 1\n\n==> /proc/slabinfo <==\ndentry 1 2 3 4 5\n`;
        for (let edits = 1 + below(4); edits > 0; edits -= 1) {
          // Two of three hit what a snapshot can do without.
          const from =
            edits % 3 === 0 ? below(text.length) : SMALL.length + below(text.length - SMALL.length);
          text = text.slice(0, from) + (words[below(words.length)] ?? "") + text.slice(from + below(80));
        }
        return sampleAt(request * 10_000 + index * 1000, text);
      });
      const response = await send(samples.join(""), { node: "fuzz" });
      const receipt = await receiptOf(response);
      for (const { index } of receipt.rejected) expect([0, 5]).not.toContain(index);
      accepted += receipt.accepted;
      rejected += receipt.rejected.length;
      expect(receipt.accepted + receipt.duplicates + receipt.rejected.length).toBe(10);
    }
    expect(accepted).toBeGreaterThan(100);
    expect(rejected).toBeGreaterThan(50);
    for (let each = 0; each < 200; each += 1) {
      const bytes = Uint8Array.from({ length: below(300) }, () => below(256));
      const head = each % 2 === 0 ? "==> /proc/meminfo <==\n" : "";
      const response = await send(Buffer.concat([Buffer.from(head), bytes]), { node: "noise" });
      expect(response.status).toBeLessThan(500);
    }
  });
});
