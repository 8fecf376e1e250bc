import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { closeDatabase, openDatabase } from "./client.ts";
import { isDatabaseAway } from "../database-away.ts";
import { inTransaction, withRetry } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.db.pool.query(`alter database "${name}" set timezone to 'Asia/Kolkata'`);
});
afterAll(() => database.drop());

describe("openDatabase", () => {
  it.each(["", "?pgbouncer=true", "?options=-c%20statement_timeout%3D1234"])(
    "keeps times right in a database of another zone (%s)",
    async (query) => {
      const db = openDatabase({ url: database.url + query });
      const createdAt = new Date("2026-03-03T12:34:56.789Z");
      try {
        const name = `zone${query}`;
        await db.prisma.cluster.create({ data: { name, createdAt } });
        const read = await db.prisma.cluster.findUniqueOrThrow({ where: { name } });
        expect(read.createdAt).toEqual(createdAt);
        const { rows } = await db.pool.query(
          `select date_part('epoch', "createdAt") * 1000 as ms from "Cluster" where "name" = $1`,
          [name],
        );
        expect(rows).toEqual([{ ms: createdAt.getTime() }]);
      } finally {
        await closeDatabase(db);
      }
    },
  );

  it("reads bigint as number", async () => {
    const { rows } = await database.db.pool.query(`select 9007199254740991::bigint as a, null::bigint as b`);
    expect(rows).toEqual([{ a: Number.MAX_SAFE_INTEGER, b: null }]);
  });
});

describe("inTransaction", () => {
  it("repeats what a deadlock broke, and leaves nothing of what failed", async () => {
    const { db } = database;
    await db.pool.query(`create table "Counter" (id int primary key, n int)`);
    await db.pool.query(`insert into "Counter" values (1, 0), (2, 0)`);
    const both = (first: number, second: number) =>
      inTransaction(db, async (client) => {
        await client.query(`update "Counter" set n = n + 1 where id = $1`, [first]);
        await client.query("select pg_sleep(0.05)");
        await client.query(`update "Counter" set n = n + 1 where id = $1`, [second]);
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    await expect(
      inTransaction(db, async (client) => {
        await client.query(`update "Counter" set n = 100`);
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect((await db.pool.query(`select n from "Counter"`)).rows).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it("gives up on what stays broken, and at once on what is wrong", async () => {
    let attempts = 0;
    const fail = (code: string) => {
      attempts += 1;
      return Promise.reject(Object.assign(new Error(code), { code }));
    };
    await expect(withRetry(() => fail("40P01"))).rejects.toThrow("40P01");
    expect(attempts).toBe(5);
    await expect(withRetry(() => fail("42601"))).rejects.toThrow("42601");
    expect(attempts).toBe(6);
  });
});

describe("isDatabaseAway", () => {
  it("tells a database that is not there from a statement that is wrong", async () => {
    const db = openDatabase({ url: "postgresql://nobody:x@127.0.0.1:1/none", connectTimeoutMs: 500 });
    const away: unknown = await db.pool.query("select 1").catch((error: unknown) => error);
    expect(isDatabaseAway(away)).toBe(true);
    await closeDatabase(db);
    const wrong: unknown = await database.db.pool.query("select from from").catch((error: unknown) => error);
    expect(isDatabaseAway(wrong)).toBe(false);
    const cut: unknown = await database.db.pool
      .query("select pg_terminate_backend(pg_backend_pid())")
      .catch((error: unknown) => error);
    expect(isDatabaseAway(cut)).toBe(true);
  });
});
