import type pg from "pg";
import type { Retention } from "#lib/server/config.ts";
import type { Database } from "./client.ts";
import { inTransaction } from "./transaction.ts";

const DAY_MS = 86_400_000;

/** A time-series table, how long a stretch one partition holds, and which retention ends it. */
interface PartitionedTable {
  readonly table: string;
  readonly widthDays: number;
  readonly keptFor: keyof Retention;
}

export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { table: "Snapshot", widthDays: 1, keptFor: "rawDays" },
  { table: "SnapshotExtra", widthDays: 1, keptFor: "rawDays" },
  { table: "SlabSample", widthDays: 1, keptFor: "rawDays" },
  { table: "WatchSample", widthDays: 1, keptFor: "rawDays" },
  { table: "TmpfsSample", widthDays: 1, keptFor: "rawDays" },
  { table: "CounterSample", widthDays: 1, keptFor: "rawDays" },
  { table: "SnapshotRollup5min", widthDays: 7, keptFor: "fiveMinuteDays" },
  { table: "SnapshotRollup1h", widthDays: 28, keptFor: "hourDays" },
];

export interface Partition {
  readonly table: string;
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The partition of `table` that holds `atMs`; stretches are counted from the epoch, in UTC. */
export function partitionAt({ table, widthDays }: PartitionedTable, atMs: number): Partition {
  const width = widthDays * DAY_MS;
  const fromMs = Math.floor(atMs / width) * width;
  const day = new Date(fromMs).toISOString().slice(0, 10).replaceAll("-", "");
  return { table, name: `${table}_p${day}`, fromMs, toMs: fromMs + width };
}

/** Partitions known to be there; one that is dropped elsewhere is only of a time that ingest no longer accepts. */
const known = new WeakMap<pg.Pool, Set<string>>();

function knownTo(db: Pick<Database, "pool">): Set<string> {
  let set = known.get(db.pool);
  if (!set) known.set(db.pool, (set = new Set()));
  return set;
}

/** Forgets what is known about partitions, after an insert found none for a row. */
export function forgetPartitions(db: Pick<Database, "pool">): void {
  known.delete(db.pool);
}

/**
 * Makes the partitions of all time-series tables that hold the given moments, unless they are there.
 * @param keptFor only those of the tables that are kept so long.
 * @returns names of those made. Harmless when run twice at once.
 */
export async function ensurePartitionsFor(
  db: Pick<Database, "pool">,
  momentsMs: Iterable<number>,
  keptFor?: keyof Retention,
): Promise<string[]> {
  const there = knownTo(db);
  const wanted = new Map<string, Partition>();
  const days = new Set<number>();
  for (const atMs of momentsMs) days.add(Math.floor(atMs / DAY_MS));
  for (const day of days) {
    for (const table of PARTITIONED_TABLES) {
      if (keptFor !== undefined && table.keptFor !== keptFor) continue;
      const partition = partitionAt(table, day * DAY_MS);
      if (!there.has(partition.name)) wanted.set(partition.name, partition);
    }
  }
  if (wanted.size === 0) return [];
  const { rows } = await db.pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where c.relname = any($1) and c.relnamespace = current_schema()::regnamespace`,
    [[...wanted.keys()]],
  );
  for (const { name } of rows) {
    there.add(name);
    wanted.delete(name);
  }
  for (const partition of [...wanted.values()].sort((a, b) => a.fromMs - b.fromMs)) {
    await createPartition(db, partition);
    there.add(partition.name);
  }
  return [...wanted.keys()];
}

const utc = (ms: number) => `'${new Date(ms).toISOString()}'`;

/**
 * A table made beside and then attached neither waits for writers of the parent nor holds them up, as
 * `create table … partition of` does. On Citus several of these in one transaction need the sequential mode.
 */
async function createPartition(db: Pick<Database, "pool">, partition: Partition): Promise<void> {
  await inTransaction(
    db,
    async (client) => {
      await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
      await client.query("set local lock_timeout to '5s'");
      await client.query("select pg_advisory_xact_lock(hashtext($1))", [
        `plumbline partition ${partition.name}`,
      ]);
      const { rows } = await client.query<{ attached: boolean }>(
        `select exists (select from pg_inherits where inhrelid = to_regclass($1)) as attached`,
        [`"${partition.name}"`],
      );
      if (rows[0]?.attached) return;
      await client.query(`create table "${partition.name}" (like "${partition.table}" including all)`);
      await client.query(
        `alter table "${partition.table}" attach partition "${partition.name}"
         for values from (${utc(partition.fromMs)}) to (${utc(partition.toMs)})`,
      );
    },
    { alsoRetryOn: ["55P03"] },
  );
}

/** Partitions for today and `daysAhead` days. @returns names of those made. */
export async function ensurePartitionsAhead(
  db: Pick<Database, "pool">,
  nowMs: number,
  daysAhead: number,
): Promise<string[]> {
  return ensurePartitionsFor(
    db,
    Array.from({ length: daysAhead + 1 }, (_, day) => nowMs + day * DAY_MS),
  );
}

/** All partitions that exist, oldest first. */
export async function listPartitions(db: Pick<Database, "pool">): Promise<Partition[]> {
  const { rows } = await db.pool.query<{ table: string; name: string }>(
    `select p.relname as "table", c.relname as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relname = any($1) and p.relnamespace = current_schema()::regnamespace and p.relkind = 'p'`,
    [PARTITIONED_TABLES.map(({ table }) => table)],
  );
  return rows
    .flatMap(({ table, name }) => {
      const definition = PARTITIONED_TABLES.find((each) => each.table === table);
      const day = /_p(\d{4})(\d\d)(\d\d)$/.exec(name);
      if (!definition || !day) return [];
      return [partitionAt(definition, Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])))];
    })
    .sort((a, b) => a.fromMs - b.fromMs || a.name.localeCompare(b.name));
}

/**
 * Drops the partitions whose whole stretch is older than its table is kept.
 * @returns names of those dropped. One that a reader holds is left for the next time.
 */
export async function dropPartitionsBefore(
  db: Pick<Database, "pool">,
  nowMs: number,
  retention: Retention,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const partition of await listPartitions(db)) {
    const definition = PARTITIONED_TABLES.find((each) => each.table === partition.table);
    if (!definition || partition.toMs > nowMs - retention[definition.keptFor] * DAY_MS) continue;
    await inTransaction(
      db,
      async (client) => {
        await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
        await client.query("set local lock_timeout to '2s'");
        await client.query(`drop table if exists "${partition.name}"`);
      },
      { alsoRetryOn: ["55P03"] },
    );
    dropped.push(partition.name);
  }
  if (dropped.length > 0) forgetPartitions(db);
  return dropped;
}
