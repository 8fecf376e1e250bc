import { numberArray, timeArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { epochMs, iso } from "./sql-time.ts";

/** A node that nothing was received of since a moment. */
export interface Silence {
  readonly nodeId: number;
  /** Time of its newest snapshot, by the node's clock. */
  readonly lastAtMs: number;
}

/**
 * Nodes whose newest snapshot was received before a moment and after another, so that what is long gone is left out. So
 * is a node whose history was brought in: nothing was awaited of it.
 */
export async function listSilentNodes(
  db: Database,
  received: { beforeMs: number; afterMs: number },
): Promise<Silence[]> {
  const { rows } = await db.pool.query<Silence>(
    `select "nodeId", ${epochMs(`"at"`)} as "lastAtMs" from "NodeNewest"
     where "receivedAt" < $1 and "receivedAt" >= $2 and "details" ->> 'history' is null order by "nodeId"`,
    [iso(received.beforeMs), iso(received.afterMs)],
  );
  return rows.map(({ nodeId, lastAtMs }) => ({ nodeId, lastAtMs: Math.round(lastAtMs) }));
}

/**
 * Ends the marks of silences that are over, at the first snapshot after them. Where the collector had kept the
 * snapshots and only delivered them late there was no silence, and the mark is hidden.
 * @returns how many ended.
 */
export async function endSilences(
  db: Database,
  { nowMs, atLeastMs }: { nowMs: number; atLeastMs: number },
): Promise<number> {
  const { rows: over } = await db.pool.query<{ id: number; nodeId: number; atMs: number }>(
    `select a.id, w."nodeId", ${epochMs(`a."at"`)} as "atMs" from "Annotation" a
     join "NodeNewest" w on w."nodeId" = a."nodeIds"[1]
     where a."kind" = 'collector-silent' and a."endsAt" is null and a."deletedAt" is null and w."at" > a."at"
     order by a.id limit 1000`,
  );
  const ends = await Promise.all(over.map(({ nodeId, atMs }) => firstSnapshotAfter(db, nodeId, atMs)));
  const ended = over.flatMap((mark, index) => {
    const endMs = ends[index];
    return endMs === undefined ? [] : [{ ...mark, endMs }];
  });
  if (ended.length === 0) return 0;
  const { rows } = await db.pool.query(
    `update "Annotation" a set "endsAt" = sent."endsAt", "updatedAt" = $3,
       "deletedAt" = case when sent."endsAt" - a."at" < make_interval(secs => $4) then $3::timestamptz end
     from unnest($1::int[], $2::timestamptz[]) as sent (id, "endsAt")
     where a.id = sent.id and a."endsAt" is null returning a.id`,
    [
      numberArray(ended.map(({ id }) => id)),
      timeArray(ended.map(({ endMs }) => endMs)),
      iso(nowMs),
      atLeastMs / 1000,
    ],
  );
  return rows.length;
}

async function firstSnapshotAfter(db: Database, nodeId: number, atMs: number): Promise<number | undefined> {
  const { rows } = await db.pool.query<{ atMs: number }>({
    name: "first-snapshot-after",
    text: `select ${epochMs(`"at"`)} as "atMs" from "Snapshot" where "nodeId" = $1 and "at" > $2 order by "at" limit 1`,
    values: [nodeId, iso(Math.round(atMs))],
  });
  return rows[0] && Math.round(rows[0].atMs);
}
