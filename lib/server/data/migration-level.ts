import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "./client.ts";

/** Names of migrations: those that this program brings, and those that the database has. */
export interface MigrationLevel {
  expected: string[];
  applied: string[];
}

/**
 * Compares the migrations beside the program with those recorded in the database; changes nothing.
 * @throws Error when the database is away or the folder is not there.
 */
export async function readMigrationLevel(
  db: Pick<Database, "pool">,
  folder = join(/* turbopackIgnore: true */ process.cwd(), "prisma", "migrations"),
): Promise<MigrationLevel> {
  const [entries, applied] = await Promise.all([readdir(folder, { withFileTypes: true }), readApplied(db)]);
  return {
    expected: entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort(),
    applied,
  };
}

async function readApplied(db: Pick<Database, "pool">): Promise<string[]> {
  const { rows: found } = await db.pool.query<{ found: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as found`,
  );
  if (found[0]?.found !== true) return [];
  const { rows } = await db.pool.query<{ name: string }>(
    `select migration_name as name from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  return rows.map(({ name }) => name);
}
