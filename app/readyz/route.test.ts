import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveness, readiness } from "#lib/contracts/health.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../../scripts/testing/test-database.ts";
import { answerOf, callRoute, useRuntime } from "../../scripts/testing/route-client.ts";
import { GET as livez } from "../livez/route.ts";
import { GET as readyz } from "./route.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

describe("readiness", () => {
  it("is 200 while the database answers at the level of this program", async () => {
    useRuntime(database.db, () => 0);
    expect(await answerOf(await callRoute(readyz), readiness)).toEqual({ status: "ready" });
    const verbose = await answerOf(await callRoute(readyz, { query: { verbose: "" } }), readiness);
    expect(verbose.checks?.map(({ name, ok }) => [name, ok])).toEqual([
      ["database", true],
      ["migrations", true],
    ]);
  });

  it("is 503 when a migration is missing or unknown", async () => {
    useRuntime(database.db, () => 0);
    const { pool } = database.db;
    await pool.query(`update _prisma_migrations set migration_name = '9999_future'
      where migration_name = (select max(migration_name) from _prisma_migrations)`);
    const response = await callRoute(readyz, { query: { verbose: "1" } });
    expect(response.status).toBe(503);
    const body = readiness.parse(await response.json());
    expect(body.checks?.[1]).toMatchObject({ name: "migrations", ok: false });
    expect(body.checks?.[1]?.detail).toContain("missing");
  });

  it("is 503 when the database is away, and the process still live", async () => {
    const away = openDatabase({ url: "postgresql://nobody:x@127.0.0.1:1/none", connectTimeoutMs: 500 });
    useRuntime(away, () => 0);
    const response = await callRoute(readyz, { query: { verbose: "" } });
    expect(response.status).toBe(503);
    expect(readiness.parse(await response.json()).checks?.[0]).toMatchObject({ name: "database", ok: false });
    expect(await answerOf(await callRoute(livez), liveness)).toEqual({ status: "live" });
    await closeDatabase(away);
  });
});
