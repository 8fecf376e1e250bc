import { numberArray, textArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import type { SnapshotColumn } from "./snapshot-columns.ts";
import { epochMs, iso } from "./sql-time.ts";

/** Means of some counters of one node over one stretch of time. */
export interface FleetBucket {
  readonly nodeId: number;
  readonly atMs: number;
  readonly columns: Readonly<Partial<Record<SnapshotColumn, number | null>>>;
}

/** Nodes that were heard of since a moment, with what their kernel is called. */
export async function listNodesHeardSince(
  db: Database,
  sinceMs: number,
): Promise<{ nodeId: number; kernelRelease: string }[]> {
  const { rows } = await db.pool.query<{ nodeId: number; kernelRelease: string }>(
    `select w."nodeId", r."kernelRelease" from "NodeNewest" w
     join (select distinct on ("nodeId") "nodeId", "kernelRelease" from "NodeRevision"
           order by "nodeId", "since" desc) r on r."nodeId" = w."nodeId"
     where w."at" >= $1 order by w."nodeId"`,
    [iso(sinceMs)],
  );
  return rows;
}

/** Means of several nodes over the same round stretches, from the five-minute roll-ups; ascending for each node. */
export async function readFleetBuckets(
  db: Database,
  request: {
    nodeIds: readonly number[];
    columns: readonly SnapshotColumn[];
    fromMs: number;
    toMs: number;
    bucketSeconds: number;
  },
): Promise<FleetBucket[]> {
  const { rows } = await db.pool.query<[number, number, ...(number | null)[]]>({
    text: `select "nodeId", ${epochMs(`date_bin(make_interval(secs => $4), "at", '2001-01-01T00:00:00Z')`)} as bucket
        ${request.columns.map((column) => `, avg("${column}")`).join("")}
      from "SnapshotRollup5min" where "nodeId" = any ($1::int[]) and "at" >= $2 and "at" < $3
      group by 1, 2 order by 1, 2`,
    values: [numberArray(request.nodeIds), iso(request.fromMs), iso(request.toMs), request.bucketSeconds],
    rowMode: "array",
  });
  return rows.map(([nodeId, atMs, ...means]) => ({
    nodeId,
    atMs: Math.round(atMs),
    columns: Object.fromEntries(request.columns.map((column, index) => [column, means[index] ?? null])),
  }));
}

/**
 * Containers started by each node between two moments, and over how long that was seen: summed over boots, for the
 * count begins anew with each. Nodes that do not report it are not there.
 */
export async function readContainersStarted(
  db: Database,
  request: { nodeIds: readonly number[]; fromMs: number; toMs: number },
): Promise<Map<number, { started: number; seenMs: number }>> {
  const { rows } = await db.pool.query<{ nodeId: number; started: number; seenMs: number }>(
    `select "nodeId", sum(started) as started, sum("seenMs") as "seenMs" from (
       select "nodeId", max("max_containersStarted") - min("min_containersStarted") as started,
         ${epochMs(`max("lastAt")`)} - ${epochMs(`min("firstAt")`)} as "seenMs"
       from "SnapshotRollup5min"
       where "nodeId" = any ($1::int[]) and "at" >= $2 and "at" < $3 and "max_containersStarted" is not null
       group by "nodeId", "bootRef") boots
     group by "nodeId"`,
    [numberArray(request.nodeIds), iso(request.fromMs), iso(request.toMs)],
  );
  return new Map(rows.map(({ nodeId, started, seenMs }) => [nodeId, { started, seenMs }]));
}

export interface OutlookRow {
  readonly nodeId: number;
  readonly containersPerHour: number | null;
  readonly sparkline: { readonly timesMs: readonly number[]; readonly valuesKib: readonly (number | null)[] };
}

/** Stores what the fleet page shows of the last day. */
export async function writeOutlooks(
  db: Database,
  outlooks: readonly OutlookRow[],
  nowMs: number,
): Promise<void> {
  if (outlooks.length === 0) return;
  const sorted = [...outlooks].sort((a, b) => a.nodeId - b.nodeId);
  await db.pool.query(
    `insert into "NodeOutlook" as known ("nodeId", "computedAt", "containersPerHour", "sparkline")
     select "nodeId", $4, "containersPerHour", "sparkline"
     from unnest($1::int[], $2::float8[], $3::json[]) as sent ("nodeId", "containersPerHour", "sparkline")
     on conflict ("nodeId") do update set "computedAt" = excluded."computedAt",
       "containersPerHour" = excluded."containersPerHour", "sparkline" = excluded."sparkline"
     where excluded."computedAt" >= known."computedAt"`,
    [
      numberArray(sorted.map((each) => each.nodeId)),
      numberArray(sorted.map((each) => each.containersPerHour)),
      textArray(sorted.map((each) => JSON.stringify(each.sparkline))),
      iso(nowMs),
    ],
  );
}
