import type pg from "pg";
import { numberArray, packTexts, timeArray, unpackTexts } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { insertMachineMarks, type MachineMark } from "./machine-marks.ts";
import { writeNewest, type NewestCandidate, type StoredNewest } from "./newest-states.ts";
import { ensurePartitionsFor, forgetPartitions } from "./partitions.ts";
import { rollUpFrom } from "./rollups.ts";
import { SNAPSHOT_COLUMNS } from "./snapshot-columns.ts";
import { epochMs } from "./sql-time.ts";
import { errorCode, inTransaction } from "./transaction.ts";

/** One snapshot ready to be stored: identity resolved, counters in the order of `SNAPSHOT_COLUMNS`. */
export interface SnapshotRow extends NewestCandidate {
  readonly slab?: ArraySample<"cacheIds" | "activeObjs" | "numObjs" | "sizeKib">;
  readonly watch?: ArraySample<"pathIds" | "files" | "atLeast">;
  readonly tmpfs?: ArraySample<"pathIds" | "sizeKib" | "usedKib" | "inodes" | "inodesUsed">;
  readonly counters?: CounterArrays;
  /** Whether the five-minute bucket of this row must be marked for its roll-up. */
  readonly marksBucket: boolean;
}

/** Arrays of one length. */
export type ArraySample<Field extends string> = Readonly<Record<Field, readonly (number | undefined)[]>>;

/** Numbers by the id of their name in CounterName, as arrays of one length. */
export interface CounterArrays {
  readonly nameIds: readonly (number | undefined)[];
  readonly values: readonly number[];
  /** JSON object of the sections that are kept whole. */
  readonly detailsJson?: string;
}

/** Counters without a column, for one row: see SnapshotExtra. */
export interface ExtraRow {
  readonly nodeId: number;
  readonly atMs: number;
  readonly bootRef: number;
  /** Equals `atMs` for a keyframe. */
  readonly baseAtMs: number;
  /** JSON object of what changed since the row before in the chain. */
  readonly countersJson: string;
}

/** A boot whose known stretch grew. */
export interface BootExtent {
  readonly bootRef: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

const FIVE_MINUTES_MS = 300_000;
/** No partition for a row: another process dropped one since we saw it. */
const NO_PARTITION = "23514";

const columnNames = SNAPSHOT_COLUMNS.map((column) => `"${column}"`).join(", ");
const columnParameters = SNAPSHOT_COLUMNS.map((_, index) => `$${index + 4}::bigint[]`).join(", ");

const insertRows = (table: string) => `
  insert into "${table}" ("nodeId", "at", "bootRef", ${columnNames})
  select * from unnest($1::int[], $2::timestamptz[], $3::int[], ${columnParameters})`;

const INSERT_SNAPSHOTS = `${insertRows("Snapshot")}
  on conflict do nothing
  returning "nodeId", ${epochMs('"at"')} as "atMs"`;

function valuesOf(rows: readonly Pick<SnapshotRow, "nodeId" | "atMs" | "bootRef" | "values">[]): string[] {
  return [
    numberArray(rows.map((row) => row.nodeId)),
    timeArray(rows.map((row) => row.atMs)),
    numberArray(rows.map((row) => row.bootRef)),
    ...SNAPSHOT_COLUMNS.map((_, column) => numberArray(rows.map((row) => row.values[column]))),
  ];
}

/**
 * Stores snapshots and what hangs on them in one transaction, durable when it returns. One statement for each table,
 * whatever the number of rows. A row whose (nodeId, at) is stored already, or stands earlier in `rows`, is a duplicate
 * and changes nothing.
 *
 * @param rows in any order; partitions for their times are made when missing, so they must be within the retention.
 * @param options.extrasOf is asked which other counters to store for the accepted rows (indexes into `rows`). It may be
 *   asked again when the transaction is repeated after a deadlock.
 * @returns indexes of the rows that were not there before, ascending; and by node, what its newest state is now.
 */
export async function insertSnapshots(
  db: Database,
  rows: readonly SnapshotRow[],
  options: {
    extrasOf?: (accepted: readonly number[]) => readonly ExtraRow[];
    boots?: readonly BootExtent[];
    marks?: readonly MachineMark[];
    /** Nodes under whose name two boots report, and when that was seen. */
    conflicts?: ReadonlyMap<number, number>;
    nowMs?: number;
  } = {},
): Promise<{ acceptedIndexes: number[]; newest: ReadonlyMap<number, StoredNewest> }> {
  if (rows.length === 0) return { acceptedIndexes: [], newest: new Map() };
  const write = async () => {
    await ensurePartitionsFor(
      db,
      rows.map((row) => row.atMs),
    );
    return inTransaction(db, async (client) => {
      const acceptedIndexes = await writeSnapshots(client, rows);
      const accepted = acceptedIndexes.flatMap((index) => rows[index] ?? []);
      if (accepted.length > 0) {
        await writeExtras(client, options.extrasOf?.(acceptedIndexes) ?? []);
        await writeArrays(client, accepted);
        await writeCounters(client, accepted);
        await markBuckets(client, accepted);
      }
      const newest = await writeNewest(client, accepted);
      await writeBoots(client, options.boots ?? []);
      await writeConflicts(client, options.conflicts ?? new Map());
      await insertMachineMarks(client, options.marks ?? [], options.nowMs ?? 0);
      return { acceptedIndexes, newest };
    });
  };
  try {
    return await write();
  } catch (error) {
    if (errorCode(error) !== NO_PARTITION) throw error;
    forgetPartitions(db);
    return await write();
  }
}

const AMENDED = SNAPSHOT_COLUMNS.map((column) => `"${column}" = coalesce(s."${column}", sent."${column}")`);

/**
 * Adds counters to snapshots that are stored already; what they hold stays as it is. Rows without such a snapshot are left
 * alone.
 * @returns of which rows there was a snapshot, as indexes.
 */
export async function amendSnapshots(
  db: Database,
  rows: readonly Pick<SnapshotRow, "nodeId" | "atMs" | "bootRef" | "values" | "marksBucket">[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  return inTransaction(db, async (client) => {
    const { rows: found } = await client.query<{ nodeId: number; atMs: number }>(
      `update "Snapshot" s set ${AMENDED.join(", ")}
       from (select * from unnest($1::int[], $2::timestamptz[], $3::int[], ${columnParameters})
         as given ("nodeId", "at", "bootRef", ${columnNames})) sent
       where s."nodeId" = sent."nodeId" and s."at" = sent."at" returning s."nodeId", ${epochMs('s."at"')} as "atMs"`,
      valuesOf(rows),
    );
    const amended = new Set(found.map(({ nodeId, atMs }) => `${nodeId} ${Math.round(atMs)}`));
    const indexes = rows.flatMap((row, index) => (amended.has(`${row.nodeId} ${row.atMs}`) ? [index] : []));
    await markBuckets(
      client,
      indexes.flatMap((index) => rows[index] ?? []),
    );
    return indexes;
  });
}

/** Holds the rows of one transaction while they are rolled up. */
const HISTORY = "SnapshotHistory";

/**
 * Stores the roll-ups of snapshots that are too old to be kept themselves, and what hangs on them, durable when it
 * returns. Each bucket must come whole.
 *
 * @param rows none older than hours are kept, each (nodeId, at) once.
 * @param options.fiveMinutesFromMs older ones become rows of an hour only.
 */
export async function insertHistory(
  db: Database,
  rows: readonly SnapshotRow[],
  options: {
    fiveMinutesFromMs: number;
    boots: readonly BootExtent[];
    marks: readonly MachineMark[];
    nowMs: number;
  },
): Promise<void> {
  if (rows.length === 0) return;
  const moments = rows.map((row) => row.atMs);
  await ensurePartitionsFor(db, moments, "hourDays");
  await ensurePartitionsFor(
    db,
    moments.filter((atMs) => atMs >= options.fiveMinutesFromMs),
    "fiveMinuteDays",
  );
  await inTransaction(db, async (client) => {
    await client.query(`create temporary table "${HISTORY}" (like "Snapshot") on commit drop`);
    await client.query(insertRows(HISTORY), valuesOf(rows));
    await rollUpFrom(client, HISTORY, { seconds: 300, fromMs: options.fiveMinutesFromMs });
    await rollUpFrom(client, HISTORY, { seconds: 3600, fromMs: 0 });
    await writeNewest(client, rows);
    await writeBoots(client, options.boots);
    await insertMachineMarks(client, options.marks, options.nowMs);
  });
}

/** Takes away snapshots before a moment, of which the roll-ups stay. */
export async function forgetSnapshotsBefore(
  db: Database,
  { nodeIds, beforeMs }: { nodeIds: readonly number[]; beforeMs: number },
): Promise<void> {
  await db.pool.query(`delete from "Snapshot" where "nodeId" = any ($1::int[]) and "at" < $2`, [
    numberArray(nodeIds),
    new Date(beforeMs).toISOString(),
  ]);
}

async function writeSnapshots(client: pg.PoolClient, rows: readonly SnapshotRow[]): Promise<number[]> {
  const { rows: inserted } = await client.query<{ nodeId: number; atMs: number }>({
    name: "insert-snapshots",
    text: INSERT_SNAPSHOTS,
    values: valuesOf(rows),
  });
  const fresh = new Set(inserted.map(({ nodeId, atMs }) => `${nodeId} ${Math.round(atMs)}`));
  return rows.flatMap((row, index) => (fresh.delete(`${row.nodeId} ${row.atMs}`) ? [index] : []));
}

async function writeExtras(client: pg.PoolClient, extras: readonly ExtraRow[]): Promise<void> {
  if (extras.length === 0) return;
  await client.query({
    name: "insert-extras",
    text: `insert into "SnapshotExtra" ("nodeId", "at", "bootRef", "baseAt", "counters")
      select * from unnest($1::int[], $2::timestamptz[], $3::int[], $4::timestamptz[], ${unpackTexts("$5")}::jsonb[])
      on conflict do nothing`,
    values: [
      numberArray(extras.map((row) => row.nodeId)),
      timeArray(extras.map((row) => row.atMs)),
      numberArray(extras.map((row) => row.bootRef)),
      timeArray(extras.map((row) => row.baseAtMs)),
      packTexts(extras.map((row) => row.countersJson)),
    ],
  });
}

/** The array tables: which section of a row fills them, and the types of their arrays. */
const ARRAY_TABLES = [
  {
    table: "SlabSample",
    section: "slab",
    fields: { cacheIds: "int", activeObjs: "bigint", numObjs: "bigint", sizeKib: "bigint" },
  },
  { table: "WatchSample", section: "watch", fields: { pathIds: "int", files: "bigint", atLeast: "boolean" } },
  {
    table: "TmpfsSample",
    section: "tmpfs",
    fields: { pathIds: "int", sizeKib: "bigint", usedKib: "bigint", inodes: "bigint", inodesUsed: "bigint" },
  },
] as const;

async function writeArrays(client: pg.PoolClient, rows: readonly SnapshotRow[]): Promise<void> {
  for (const { table, section, fields } of ARRAY_TABLES) {
    const present = rows.filter((row) => row[section] !== undefined);
    if (present.length === 0) continue;
    const names = Object.keys(fields);
    const literals = present.map(
      (row): Readonly<Record<string, readonly (number | undefined)[]>> => row[section] ?? {},
    );
    // An array of arrays would be flattened by unnest: each travels as its text and is cast row by row.
    const casts = Object.entries(fields).map(([name, type]) => `"${name}"::${type}[]`);
    await client.query({
      name: `insert-${section}`,
      text: `insert into "${table}" ("nodeId", "at", "bootRef", ${names.map((name) => `"${name}"`).join(", ")})
        select "nodeId", "at", "bootRef", ${casts.join(", ")}
        from unnest($1::int[], $2::timestamptz[], $3::int[], ${names.map((_, index) => unpackTexts(`$${index + 4}`)).join(", ")})
          as sent ("nodeId", "at", "bootRef", ${names.map((name) => `"${name}"`).join(", ")})
        on conflict do nothing`,
      values: [
        numberArray(present.map((row) => row.nodeId)),
        timeArray(present.map((row) => row.atMs)),
        numberArray(present.map((row) => row.bootRef)),
        ...names.map((name) => packTexts(literals.map((arrays) => numberArray(arrays[name] ?? [])))),
      ],
    });
  }
}

async function writeCounters(client: pg.PoolClient, rows: readonly SnapshotRow[]): Promise<void> {
  const present = rows.flatMap(({ counters, ...row }) =>
    counters === undefined ? [] : [{ ...row, counters }],
  );
  if (present.length === 0) return;
  await client.query({
    name: "insert-counters",
    text: `insert into "CounterSample" ("nodeId", "at", "bootRef", "nameIds", "values", "details")
      select "nodeId", "at", "bootRef", "nameIds"::int[], "values"::float8[], "details"::jsonb
      from unnest($1::int[], $2::timestamptz[], $3::int[], ${unpackTexts("$4")}, ${unpackTexts("$5")}, ${unpackTexts("$6")})
        as sent ("nodeId", "at", "bootRef", "nameIds", "values", "details")
      on conflict do nothing`,
    values: [
      numberArray(present.map((row) => row.nodeId)),
      timeArray(present.map((row) => row.atMs)),
      numberArray(present.map((row) => row.bootRef)),
      packTexts(present.map(({ counters }) => numberArray(counters.nameIds))),
      packTexts(present.map(({ counters }) => numberArray(counters.values))),
      packTexts(present.map(({ counters }) => counters.detailsJson)),
    ],
  });
}

/**
 * Marks are updated rather than left alone when they exist: the row lock makes a roll-up that is about to take the
 * mark wait for this transaction, so that it cannot miss these rows.
 */
async function markBuckets(
  client: pg.PoolClient,
  rows: readonly Pick<SnapshotRow, "nodeId" | "atMs" | "marksBucket">[],
): Promise<void> {
  const buckets = new Map<string, { nodeId: number; atMs: number }>();
  for (const { nodeId, atMs, marksBucket } of rows) {
    const bucketMs = Math.floor(atMs / FIVE_MINUTES_MS) * FIVE_MINUTES_MS;
    if (marksBucket) buckets.set(`${nodeId} ${bucketMs}`, { nodeId, atMs: bucketMs });
  }
  if (buckets.size === 0) return;
  const sorted = [...buckets.values()].sort((a, b) => a.nodeId - b.nodeId || a.atMs - b.atMs);
  await client.query({
    name: "mark-buckets",
    text: `insert into "DirtyBucket" ("nodeId", "seconds", "at", "markedAt")
      select "nodeId", 300, "at", now() from unnest($1::int[], $2::timestamptz[]) as sent ("nodeId", "at")
      on conflict ("nodeId", "seconds", "at") do update set "markedAt" = excluded."markedAt"`,
    values: [numberArray(sorted.map((each) => each.nodeId)), timeArray(sorted.map((each) => each.atMs))],
  });
}

async function writeBoots(client: pg.PoolClient, boots: readonly BootExtent[]): Promise<void> {
  if (boots.length === 0) return;
  const sorted = [...boots].sort((a, b) => a.bootRef - b.bootRef);
  await client.query({
    name: "extend-boots",
    text: `update "Boot" b set "firstAt" = least(b."firstAt", sent."firstAt"), "lastAt" = greatest(b."lastAt", sent."lastAt")
      from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as sent (id, "firstAt", "lastAt")
      where b.id = sent.id`,
    values: [
      numberArray(sorted.map((boot) => boot.bootRef)),
      timeArray(sorted.map((boot) => boot.firstAtMs)),
      timeArray(sorted.map((boot) => boot.lastAtMs)),
    ],
  });
}

async function writeConflicts(client: pg.PoolClient, conflicts: ReadonlyMap<number, number>): Promise<void> {
  if (conflicts.size === 0) return;
  const sorted = [...conflicts].sort(([a], [b]) => a - b);
  await client.query({
    name: "note-conflicts",
    text: `update "NodeNewest" w set "conflictAt" = greatest(w."conflictAt", sent."at")
      from unnest($1::int[], $2::timestamptz[]) as sent ("nodeId", "at") where w."nodeId" = sent."nodeId"`,
    values: [numberArray(sorted.map(([nodeId]) => nodeId)), timeArray(sorted.map(([, atMs]) => atMs))],
  });
}
