import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspection } from "#lib/contracts/inspection.ts";
import { explainDump } from "#lib/domain/diagnosis/explain.ts";
import { ingestReceipt } from "#lib/contracts/ingest.ts";
import { DUMP_EXAMPLES } from "#lib/charts/dump-examples.ts";
import { inspectRoute } from "#lib/server/http/routes/inspect.ts";
import { keepPastedRoute } from "#lib/server/http/routes/snapshots.ts";
import { answerOf, callRoute, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";

const TEXT = readFileSync("fixtures/cases/017-memcg-ids-near-65535/input.txt", "utf8");

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, Date.now);
});
afterAll(() => database.drop());

const inspect = (body: BodyInit, headers: Record<string, string> = {}) =>
  callRoute(inspectRoute, {
    as: { local: true },
    body,
    headers: { "content-type": "text/plain", ...headers },
  });

describe("POST /api/v1/inspect", () => {
  it("answers what the command line prints", async () => {
    const answer = await answerOf(await inspect(TEXT), inspection);
    expect(answer).toEqual(JSON.parse(JSON.stringify(explainDump(TEXT))));
    expect(answer.verdict).toBe("leak");
  });

  it("takes gzip, and a text that says nothing", async () => {
    const answer = await answerOf(await inspect(gzipSync(TEXT), { "content-encoding": "gzip" }), inspection);
    expect(answer.verdict).toBe("leak");
    expect((await answerOf(await inspect("our nodes die"), inspection)).verdict).toBe("unclear");
  });

  it("refuses what is too long, no text, or asked by nobody", async () => {
    expect((await inspect("x".repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await inspect("{}", { "content-type": "application/json" })).status).toBe(415);
    expect((await callRoute(inspectRoute, { body: TEXT })).status).toBe(401);
  });
});

describe("POST /api/v1/inspect/snapshots", () => {
  const whole = DUMP_EXAMPLES.find(({ title }) => title.includes("ready to save"))?.text ?? "";
  const keep = (body: string, query: Record<string, string>, local = true) =>
    callRoute(keepPastedRoute, {
      ...(local && { as: { local: true } }),
      body,
      query,
      headers: { "content-type": "text/plain" },
    });
  const hourAgo = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000).toISOString();
  const query = { node: "pasted-7", cluster: "pastes", at: hourAgo };

  it("keeps a whole one once, for the person at this machine alone", async () => {
    expect(await answerOf(await keep(whole, query), ingestReceipt)).toMatchObject({
      accepted: 1,
      rejected: [],
    });
    expect(await answerOf(await keep(whole, query), ingestReceipt)).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    expect((await keep(whole, query, false)).status).toBe(401);
    const { rows } = await database.db.pool.query<{ cluster: string }>(
      `select c."name" as cluster from "Node" n join "Cluster" c on c."id" = n."clusterId" where n."name" = 'pasted-7'`,
    );
    expect(rows).toEqual([{ cluster: "pastes" }]);
  });

  it("says what is missing of one that is not whole", async () => {
    const response = await keep("==> /proc/meminfo <==\nMemTotal: 1024 kB\nMemFree: 12 kB\n", query);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("/proc/uptime");
  });
});
