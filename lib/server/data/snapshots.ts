import type pg from "pg";
import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { insertMachineMarks, type MachineMark } from "./machine-marks.ts";
import { ensurePartitionsFor, forgetPartitions } from "./partitions.ts";
import { rollUpFrom } from "./rollups.ts";
import { SNAPSHOT_COLUMNS, SPARSE_SOURCES } from "./snapshot-columns.ts";
import { epochMs } from "./sql-time.ts";
import { storableJson } from "./storable-json.ts";
import { errorCode, inTransaction } from "./transaction.ts";

/** One snapshot ready to be stored: identity resolved, counters in the order of `SNAPSHOT_COLUMNS`. */
export interface SnapshotRow {
  readonly nodeId: number;
  readonly atMs: number;
  readonly bootRef: number;
  /** Undefined is "not reported". */
  readonly values: readonly (number | undefined)[];
  readonly slab?: ArraySample<"cacheIds" | "activeObjs" | "numObjs" | "sizeKib">;
  readonly watch?: ArraySample<"pathIds" | "files" | "atLeast">;
  readonly tmpfs?: ArraySample<"pathIds" | "sizeKib" | "usedKib" | "inodes" | "inodesUsed">;
  readonly counters?: CounterArrays;
  /** Given: becomes the node's newest state unless a later one is there. */
  readonly newest?: NewestState;
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

export interface NewestState {
  readonly receivedAtMs: number;
  /** The sections that are not counters; asked of the newest row of each node alone. */
  readonly details: () => object;
  /** How reading each source went, by its name; undefined where the snapshot does not tell. */
  readonly sources: () => object | undefined;
  /** Modules that taint the kernel; undefined of a snapshot that lists no modules, which come once an hour. */
  readonly taintedModules?: readonly string[] | undefined;
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
 * @returns indexes of the rows that were not there before, ascending.
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
): Promise<{ acceptedIndexes: number[] }> {
  if (rows.length === 0) return { acceptedIndexes: [] };
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
        await writeNewest(client, accepted);
      }
      await writeBoots(client, options.boots ?? []);
      await writeConflicts(client, options.conflicts ?? new Map());
      await insertMachineMarks(client, options.marks ?? [], options.nowMs ?? 0);
      return { acceptedIndexes };
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
      select * from unnest($1::int[], $2::timestamptz[], $3::int[], $4::timestamptz[], $5::jsonb[])
      on conflict do nothing`,
    values: [
      numberArray(extras.map((row) => row.nodeId)),
      timeArray(extras.map((row) => row.atMs)),
      numberArray(extras.map((row) => row.bootRef)),
      timeArray(extras.map((row) => row.baseAtMs)),
      textArray(extras.map((row) => row.countersJson)),
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
        from unnest($1::int[], $2::timestamptz[], $3::int[], ${names.map((_, index) => `$${index + 4}::text[]`).join(", ")})
          as sent ("nodeId", "at", "bootRef", ${names.map((name) => `"${name}"`).join(", ")})
        on conflict do nothing`,
      values: [
        numberArray(present.map((row) => row.nodeId)),
        timeArray(present.map((row) => row.atMs)),
        numberArray(present.map((row) => row.bootRef)),
        ...names.map((name) => textArray(literals.map((arrays) => numberArray(arrays[name] ?? [])))),
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
      select "nodeId", "at", "bootRef", "nameIds"::int[], "values"::float8[], nullif("details", '')::jsonb
      from unnest($1::int[], $2::timestamptz[], $3::int[], $4::text[], $5::text[], $6::text[])
        as sent ("nodeId", "at", "bootRef", "nameIds", "values", "details")
      on conflict do nothing`,
    values: [
      numberArray(present.map((row) => row.nodeId)),
      timeArray(present.map((row) => row.atMs)),
      numberArray(present.map((row) => row.bootRef)),
      textArray(present.map(({ counters }) => numberArray(counters.nameIds))),
      textArray(present.map(({ counters }) => numberArray(counters.values))),
      textArray(present.map(({ counters }) => counters.detailsJson ?? "")),
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

/** Columns and the source that says whether they are still read, for those that not every snapshot carries. */
const sparse = SNAPSHOT_COLUMNS.flatMap((column, index) => {
  const source = SPARSE_SOURCES[column];
  return source === undefined ? [] : [{ column, index, source }];
});

/**
 * What the newest state keeps of the one before: counters that come less often than snapshots, within one boot and
 * while their source reads well.
 */
const CARRIED = sparse
  .map(
    ({ column, source }) => `'${column}', case when excluded."sources" #>> '{${source},status}' = 'ok'
          then known."counters" -> '${column}' end`,
  )
  .join(", ");

/** Epoch milliseconds of a time that a row has. */
const KNOWN_AT = `to_jsonb(round(extract(epoch from known."at") * 1000))`;

/** The newest sources, each with the time since which it has the status that it has. */
const SOURCES_SINCE = `(select jsonb_object_agg(source.key,
        case when known."sources" -> source.key ->> 'status' = source.value ->> 'status'
          then source.value || jsonb_build_object('since', coalesce(known."sources" -> source.key -> 'since', ${KNOWN_AT}))
          else source.value end)
      from jsonb_each(excluded."sources") source)`;

/** Of the details before, in one boot, what comes less often than snapshots. */
const CARRIED_DETAILS = `'taintedModules', known."details" -> 'taintedModules'`;

/** A newest state as JSON objects: of `row`, and of the rows before it in the batch what comes less often. */
function newestJson(
  row: SnapshotRow,
  state: NewestState,
  batch: readonly SnapshotRow[],
): { counters: string; details: string; sources: string | undefined } {
  const backwards = [
    row,
    ...batch
      .filter((each) => each.bootRef === row.bootRef && each.atMs < row.atMs)
      .sort((a, b) => b.atMs - a.atMs),
  ];
  const lastOf = <T>(read: (each: SnapshotRow) => T | undefined) =>
    backwards.map(read).find((value) => value !== undefined);
  const values = [...row.values];
  for (const { index } of sparse) values[index] = lastOf((each) => each.values[index]);
  const members = values.flatMap((value, index) =>
    value === undefined ? [] : [`"${SNAPSHOT_COLUMNS[index] ?? ""}":${value}`],
  );
  const taintedModules = lastOf(({ newest }) => newest?.taintedModules);
  const sources = state.sources();
  return {
    counters: `{${members.join(",")}}`,
    details: storableJson({ ...state.details(), taintedModules }),
    sources: sources && storableJson(sources),
  };
}

async function writeNewest(client: pg.PoolClient, rows: readonly SnapshotRow[]): Promise<void> {
  const newest = new Map<number, { row: SnapshotRow; state: NewestState }>();
  const byNode = new Map<number, SnapshotRow[]>();
  for (const row of rows) {
    const batch = byNode.get(row.nodeId);
    if (batch) batch.push(row);
    else byNode.set(row.nodeId, [row]);
    const before = newest.get(row.nodeId);
    if (row.newest && (!before || before.row.atMs < row.atMs)) {
      newest.set(row.nodeId, { row, state: row.newest });
    }
  }
  if (newest.size === 0) return;
  const sorted = [...newest.values()].sort((a, b) => a.row.nodeId - b.row.nodeId);
  const json = sorted.map(({ row, state }) => newestJson(row, state, byNode.get(row.nodeId) ?? []));
  await client.query({
    name: "upsert-newest",
    text: `insert into "NodeNewest" as known ("nodeId", "at", "receivedAt", "bootRef", "counters", "details", "sources")
      select * from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::json[], $6::json[], $7::jsonb[])
      on conflict ("nodeId") do update set "at" = excluded."at", "receivedAt" = excluded."receivedAt",
        "bootRef" = excluded."bootRef", "counters" = case when known."bootRef" = excluded."bootRef"
          then (jsonb_strip_nulls(jsonb_build_object(${CARRIED})) || excluded."counters"::jsonb)::json
          else excluded."counters" end,
        "details" = case when known."bootRef" = excluded."bootRef"
          then (jsonb_strip_nulls(jsonb_build_object(${CARRIED_DETAILS})) || excluded."details"::jsonb)::json
          else excluded."details" end,
        "sources" = ${SOURCES_SINCE}
      where excluded."at" > known."at"`,
    values: [
      numberArray(sorted.map(({ row }) => row.nodeId)),
      timeArray(sorted.map(({ row }) => row.atMs)),
      timeArray(sorted.map(({ state }) => state.receivedAtMs)),
      numberArray(sorted.map(({ row }) => row.bootRef)),
      textArray(json.map(({ counters }) => counters)),
      textArray(json.map(({ details }) => details)),
      textArray(json.map(({ sources }) => sources)),
    ],
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
