import { numberArray } from "./array-literal.ts";
import type { Database, Queryable } from "./client.ts";
import { ensurePartitionsFor } from "./partitions.ts";
import { HEADLINE_COLUMNS, SNAPSHOT_COLUMNS } from "./snapshot-columns.ts";
import { inTransaction } from "./transaction.ts";
import { epochMs } from "./sql-time.ts";

/** A bucket of time that some nodes' roll-ups are behind in. */
export interface DueBucket {
  readonly seconds: 300 | 3600;
  readonly atMs: number;
}

/** Nodes rolled up in one statement. */
const NODES_AT_ONCE = 2000;

/**
 * Buckets with marks that are over, five-minute ones first, each kind oldest first.
 * @param endedBeforeMs the end that a bucket must have: now, less the time that transactions may take to commit.
 */
export async function listDueBuckets(
  db: Database,
  endedBeforeMs: number,
  limit: number,
): Promise<DueBucket[]> {
  const { rows } = await db.pool.query<DueBucket>({
    name: "due-buckets",
    text: `select "seconds", ${epochMs('"at"')} as "atMs" from "DirtyBucket"
      where "at" + make_interval(secs => "seconds") <= $1 group by 1, "at" order by 1, "at" limit $2`,
    values: [new Date(endedBeforeMs).toISOString(), limit],
  });
  return rows;
}

const keys = `"nodeId", "at", "bootRef"`;
const extremes = HEADLINE_COLUMNS.flatMap((column) => [`min_${column}`, `max_${column}`]);
const targets = ["samples", "firstAt", "lastAt", ...SNAPSHOT_COLUMNS, ...extremes];

function upsertInto(table: string, selection: string): string {
  return `insert into "${table}" as known (${keys}, ${targets.map((name) => `"${name}"`).join(", ")}) ${selection}
    on conflict (${keys}) do update set ${targets.map((name) => `"${name}" = excluded."${name}"`).join(", ")}`;
}

const bucketOf = (seconds: DueBucket["seconds"]) =>
  `date_bin(make_interval(secs => ${seconds}), "at", '2001-01-01T00:00:00Z')`;

/** Fills the buckets that lie within $1 to $2, one or many. */
function insertInto(
  table: string,
  seconds: DueBucket["seconds"],
  expressions: readonly string[],
  from: string,
): string {
  return upsertInto(
    table,
    `select "nodeId", ${bucketOf(seconds)}, "bootRef", ${expressions.join(", ")}
      from "${from}" where "nodeId" = any ($3::int[]) and "at" >= $1 and "at" < $2 group by "nodeId", 2, "bootRef"`,
  );
}

const OF_SNAPSHOTS = [
  `count(*)`,
  `min("at")`,
  `max("at")`,
  ...SNAPSHOT_COLUMNS.map((column) => `avg("${column}"::float8)`),
  ...HEADLINE_COLUMNS.flatMap((column) => [`min("${column}")`, `max("${column}")`]),
];

const FROM_SNAPSHOTS = insertInto("SnapshotRollup5min", 300, OF_SNAPSHOTS, "Snapshot");

/**
 * Rolls up snapshots that are not kept themselves, from a table of the form of Snapshot that holds each bucket whole. A bucket
 * that is there already gives way only to one of more samples: the same history twice changes nothing, and less of
 * it takes nothing away.
 * @param table name of that table.
 * @param range samples from this moment on, epoch milliseconds.
 */
export async function rollUpFrom(
  client: Queryable,
  table: string,
  { seconds, fromMs }: { seconds: DueBucket["seconds"]; fromMs: number },
): Promise<void> {
  await client.query(
    `${upsertInto(
      seconds === 300 ? "SnapshotRollup5min" : "SnapshotRollup1h",
      `select "nodeId", ${bucketOf(seconds)}, "bootRef", ${OF_SNAPSHOTS.join(", ")}
        from "${table}" where "at" >= $1 group by "nodeId", 2, "bootRef"`,
    )} where excluded."samples" > known."samples"`,
    [new Date(fromMs).toISOString()],
  );
}

const FROM_FIVE_MINUTES = insertInto(
  "SnapshotRollup1h",
  3600,
  [
    `sum("samples")`,
    `min("firstAt")`,
    `max("lastAt")`,
    ...SNAPSHOT_COLUMNS.map(
      (column) =>
        `sum("${column}" * "samples") / nullif(sum("samples") filter (where "${column}" is not null), 0)`,
    ),
    ...HEADLINE_COLUMNS.flatMap((column) => [`min("min_${column}")`, `max("max_${column}")`]),
  ],
  "SnapshotRollup5min",
);

/**
 * Computes the roll-ups of all nodes that are marked in a bucket, and takes the marks away. A node whose snapshots are
 * being written right now is left for the next time; two workers at once share the nodes between them.
 * @returns how many nodes were rolled up.
 */
export async function rollUpBucket(db: Database, { seconds, atMs }: DueBucket): Promise<number> {
  await ensurePartitionsFor(db, [atMs]);
  const at = new Date(atMs).toISOString();
  const until = new Date(atMs + seconds * 1000).toISOString();
  let total = 0;
  for (;;) {
    const rolled = await inTransaction(db, async (client) => {
      const { rows } = await client.query<{ nodeId: number }>({
        name: "take-marks",
        text: `with taken as (
            select "nodeId" from "DirtyBucket" where "seconds" = $1 and "at" = $2
            order by "nodeId" limit ${NODES_AT_ONCE} for update skip locked)
          delete from "DirtyBucket" d using taken
          where d."nodeId" = taken."nodeId" and d."seconds" = $1 and d."at" = $2 returning d."nodeId"`,
        values: [seconds, at],
      });
      if (rows.length === 0) return 0;
      const nodeIds = numberArray(rows.map((row) => row.nodeId).sort((a, b) => a - b));
      await client.query({
        name: `roll-up-${seconds}`,
        text: seconds === 300 ? FROM_SNAPSHOTS : FROM_FIVE_MINUTES,
        values: [at, until, nodeIds],
      });
      if (seconds === 300) {
        await client.query({
          name: "mark-hours",
          text: `insert into "DirtyBucket" ("nodeId", "seconds", "at", "markedAt")
            select "nodeId", 3600, date_bin('1 hour', $1::timestamptz, '2001-01-01T00:00:00Z'), now()
            from unnest($2::int[]) as sent ("nodeId")
            on conflict ("nodeId", "seconds", "at") do update set "markedAt" = excluded."markedAt"`,
          values: [at, nodeIds],
        });
      }
      return rows.length;
    });
    total += rolled;
    if (rolled < NODES_AT_ONCE) return total;
  }
}

/** Takes away marks of buckets whose snapshots are gone: rolled up again, they would lose what they hold. */
export async function forgetDirtyBefore(db: Database, beforeMs: number): Promise<void> {
  await db.pool.query(`delete from "DirtyBucket" where "at" < $1`, [new Date(beforeMs).toISOString()]);
}

/**
 * Computes all roll-ups of some nodes over a stretch of whole hours at once, and takes their marks away: for histories that
 * are brought in as a whole, where a statement for each bucket would take minutes. Nobody else may write to these nodes
 * meanwhile.
 */
export async function rollUpStretch(
  db: Database,
  { nodeIds, fromMs, toMs }: { nodeIds: readonly number[]; fromMs: number; toMs: number },
): Promise<void> {
  const values = [new Date(fromMs).toISOString(), new Date(toMs).toISOString(), numberArray(nodeIds)];
  await db.pool.query(FROM_SNAPSHOTS, values);
  await db.pool.query(FROM_FIVE_MINUTES, values);
  await db.pool.query(
    `delete from "DirtyBucket" where "at" >= $1 and "at" + make_interval(secs => "seconds") <= $2
      and "nodeId" = any ($3::int[])`,
    values,
  );
}
