import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { ensurePartitionsAhead, PARTITIONED_TABLES } from "#lib/server/data/partitions.ts";
import { distributeOverCitus } from "./citus.ts";
import { splitStatements } from "./split-statements.ts";

const migrationsDir = join(dirname(fileURLToPath(import.meta.url)), "migrations");

/** Days for which partitions are made when the program starts; the worker keeps it so. */
const DAYS_AHEAD = 3;
/** Any number that nothing else locks: two starts at once migrate one after the other. */
const LOCK_KEY = 5_013_377_246;

export interface Migration {
  name: string;
  /** SHA-256 of the file, hexadecimal, as Prisma keeps it. */
  checksum: string;
  sql: string;
}

export interface MigrationReport {
  /** Applied now, in order; with `check` those that would be. */
  pending: string[];
  /** Partitions made now. */
  partitions: string[];
}

/** The migrations of a folder in the order of their names. */
export async function readMigrations(folder = migrationsDir): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, checksum: createHash("sha256").update(sql).digest("hex"), sql };
    }),
  );
}

/**
 * Brings a database to the present schema: pending migrations, then distribution where Citus is installed, then
 * partitions. Each file is one transaction, its statements sent one by one. Harmless when run twice at once.
 * @param options.check applies nothing, only says what is pending.
 * @param options.partitionsFromMs now, in epoch milliseconds; left out, no partitions are made.
 * @throws Error when a migration fails, an applied one was edited, or the database is ahead of this program.
 */
export async function migrate(options: {
  url: string;
  folder?: string;
  citusShards?: number;
  check?: boolean;
  partitionsFromMs?: number;
}): Promise<MigrationReport> {
  const migrations = await readMigrations(options.folder);
  const pool = new pg.Pool({ connectionString: options.url, max: 2 });
  try {
    const client = await pool.connect();
    try {
      await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
      try {
        const pending = findPending(migrations, await readApplied(client));
        if (options.check) return { pending: pending.map(({ name }) => name), partitions: [] };
        for (const migration of pending) await apply(client, migration);
        await distributeOverCitus(client, {
          tables: PARTITIONED_TABLES.map(({ table }) => table),
          column: "nodeId",
          shards: options.citusShards ?? 16,
        });
        const partitions =
          options.partitionsFromMs === undefined
            ? []
            : await ensurePartitionsAhead({ pool }, options.partitionsFromMs, DAYS_AHEAD);
        return { pending: pending.map(({ name }) => name), partitions };
      } finally {
        await client.query("select pg_advisory_unlock($1)", [LOCK_KEY]).catch(() => undefined);
      }
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}

interface Applied {
  migration_name: string;
  checksum: string;
}

async function readApplied(client: pg.PoolClient): Promise<Applied[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as found`,
  );
  if (!found[0]?.found) return [];
  const { rows } = await client.query<Applied>(
    `select migration_name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  return rows;
}

function findPending(migrations: Migration[], applied: Applied[]): Migration[] {
  const checksums = new Map(applied.map((each) => [each.migration_name, each.checksum]));
  for (const { name, checksum } of migrations) {
    const known = checksums.get(name);
    if (known !== undefined && known !== checksum) {
      throw new Error(`Migration ${name} was edited after it was applied. Restore it and write a new one.`);
    }
    checksums.delete(name);
  }
  const unknown = [...checksums.keys()];
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this program: it has ${unknown.join(", ")}.`);
  }
  const names = new Set(applied.map((each) => each.migration_name));
  const pending = migrations.filter(({ name }) => !names.has(name));
  const last = applied.at(-1)?.migration_name;
  const early = pending.find(({ name }) => last !== undefined && name < last);
  if (early) throw new Error(`Migration ${early.name} sorts before ${last}, which is applied already.`);
  return pending;
}

async function apply(client: pg.PoolClient, { name, checksum, sql }: Migration): Promise<void> {
  const statements = splitStatements(sql);
  if (statements.length === 0) throw new Error(`Migration ${name} holds no statement.`);
  await client.query("begin");
  try {
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
    await client.query(`create table if not exists _prisma_migrations (
      id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
      migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
      started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    for (const [index, statement] of statements.entries()) {
      await client.query(statement).catch((error: unknown) => {
        throw new Error(
          `Migration ${name}, statement ${index + 1}: ${String(error)}\n${statement.slice(0, 500)}`,
          {
            cause: error,
          },
        );
      });
    }
    await client.query(
      `insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       values (gen_random_uuid()::text, $1, clock_timestamp(), $2, $3)`,
      [checksum, name, statements.length],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
