import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { closeDatabase, openDatabase, type Database } from "#lib/server/data/client.ts";
import { errorCode } from "#lib/server/data/transaction.ts";

/** The migrated database without rows and without partitions. */
export const TEMPLATE = "plumbline_template";

export interface TestDatabase {
  url: string;
  db: Database;
  /** Closes all connections and deletes the database. */
  drop: () => Promise<void>;
}

function withName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A new database from PostgreSQL's own template. @returns its address. */
export async function createEmptyDatabase(serverUrl: string, name: string): Promise<string> {
  await asAdmin(serverUrl, `create database "${name}" template template0`);
  return withName(serverUrl, name);
}

const IN_USE = "55006";

/** Waits for connections that are just closing: one that is cut off then raises an error that nobody hears. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let attempt = 1; attempt < 40; attempt += 1) {
    try {
      return await asAdmin(serverUrl, `drop database "${name}"`);
    } catch (error) {
      if (errorCode(error) !== IN_USE) throw error;
      await sleep(25);
    }
  }
  await asAdmin(serverUrl, `drop database "${name}" with (force)`);
}

/** A database of its own for a suite, migrated, empty: call in `beforeAll`, `drop` in `afterAll`. */
export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(serverUrl, `create database "${name}" template "${TEMPLATE}" strategy file_copy`);
  const url = withName(serverUrl, name);
  const db = openDatabase({ url, poolSize: options.poolSize ?? 5 });
  return {
    url,
    db,
    drop: async () => {
      await closeDatabase(db);
      await dropDatabase(serverUrl, name);
    },
  };
}
