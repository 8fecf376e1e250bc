import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspection } from "#lib/contracts/inspection.ts";
import { explainDump } from "#lib/domain/diagnosis/explain.ts";
import { inspectRoute } from "#lib/server/http/routes/inspect.ts";
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
