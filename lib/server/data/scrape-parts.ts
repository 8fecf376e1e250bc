import type { StartedTotal } from "#lib/domain/prometheus/container-counts.ts";
import type { ScrapeFields } from "#lib/domain/prometheus/series-fields.ts";
import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { epochMs, iso } from "./sql-time.ts";
import { storableJson } from "./storable-json.ts";
import { withRetry } from "./transaction.ts";

/** What is known so far of one moment of one node. */
export interface ScrapePart {
  readonly clusterId: number;
  readonly node: string;
  readonly atMs: number;
  readonly host: string | undefined;
  readonly fields: ScrapeFields;
}

/** A part as it is stored; `version` changes with each request that adds to it. */
export interface StoredPart extends ScrapePart {
  readonly version: string;
}

type Parts = Pick<Database, "pool">;

/** Adds to what is known of moments, durable when it returns. Parts of one moment may come in any order, and twice. */
export async function mergeScrapeParts(
  db: Parts,
  parts: readonly ScrapePart[],
  nowMs: number,
): Promise<void> {
  if (parts.length === 0) return;
  const sorted = [...parts].sort((a, b) => (a.node < b.node ? -1 : a.node > b.node ? 1 : a.atMs - b.atMs));
  await withRetry(() =>
    db.pool.query({
      name: "merge-scrape-parts",
      text: `insert into "ScrapePart" as known ("clusterId", "node", "at", "host", "fields", "receivedAt")
        select "clusterId", "node", "at", nullif("host", ''), "fields", $6
        from unnest($1::int[], $2::text[], $3::timestamptz[], $4::text[], $5::jsonb[])
          as sent ("clusterId", "node", "at", "host", "fields")
        on conflict ("clusterId", "node", "at") do update set "fields" = known."fields" || excluded."fields",
          "host" = coalesce(excluded."host", known."host"), "receivedAt" = excluded."receivedAt"`,
      values: [
        numberArray(sorted.map((part) => part.clusterId)),
        textArray(sorted.map((part) => part.node)),
        timeArray(sorted.map((part) => part.atMs)),
        textArray(sorted.map((part) => part.host ?? "")),
        textArray(sorted.map((part) => storableJson(part.fields))),
        iso(nowMs),
      ],
    }),
  );
}

const COLUMNS = `"clusterId", "node", ${epochMs(`"at"`)} as "atMs", "host", "fields", xmin::text || ' ' || ctid::text as version`;

interface PartRow extends Omit<StoredPart, "host"> {
  host: string | null;
}

const toPart = ({ host, atMs, ...row }: PartRow): StoredPart => ({
  ...row,
  atMs: Math.round(atMs),
  host: host ?? undefined,
});

/** What a snapshot cannot do without. */
const NEEDED = `"fields" ?& array['meminfo MemTotal', 'meminfo MemFree', 'boot time']`;

/** Moments to which nothing was added since `settledMs`, oldest first: those that make a snapshot, or the others. */
export async function listSettledParts(
  db: Parts,
  which: { settledMs: number; sinceMs: number; isWhole: boolean; limit: number },
): Promise<StoredPart[]> {
  const { rows } = await db.pool.query<PartRow>(
    `select ${COLUMNS} from "ScrapePart"
     where "receivedAt" <= $1 and "receivedAt" >= $2 and (${NEEDED}) = $3 order by "at" limit $4`,
    [iso(which.settledMs), iso(which.sinceMs), which.isWhole, which.limit],
  );
  return rows.map(toPart);
}

/** Moments without memory in a stretch of time: what kubelets and runtimes told. */
export async function listPartsBeside(
  db: Parts,
  range: { clusterIds: readonly number[]; fromMs: number; toMs: number },
): Promise<StoredPart[]> {
  const { rows } = await db.pool.query<PartRow>(
    `select ${COLUMNS} from "ScrapePart" where "clusterId" = any ($1::int[]) and "at" between $2 and $3
       and not "fields" ? 'meminfo MemTotal' order by "at" limit 20000`,
    [numberArray(range.clusterIds), iso(Math.max(0, range.fromMs)), iso(range.toMs)],
  );
  return rows.map(toPart);
}

/** Takes away parts that were made use of, unless something was added to them meanwhile. */
export async function deleteParts(db: Parts, parts: readonly StoredPart[]): Promise<void> {
  if (parts.length === 0) return;
  await db.pool.query(
    `delete from "ScrapePart" p using unnest($1::int[], $2::text[], $3::timestamptz[], $4::text[])
       as sent ("clusterId", "node", "at", version)
     where p."clusterId" = sent."clusterId" and p."node" = sent."node" and p."at" = sent."at"
       and p.xmin::text || ' ' || p.ctid::text = sent.version`,
    [
      numberArray(parts.map((part) => part.clusterId)),
      textArray(parts.map((part) => part.node)),
      timeArray(parts.map((part) => part.atMs)),
      textArray(parts.map((part) => part.version)),
    ],
  );
}

/** Takes away what nothing came of. @returns how many moments. */
export async function deletePartsBefore(db: Parts, receivedBeforeMs: number): Promise<number> {
  const { rowCount } = await db.pool.query(`delete from "ScrapePart" where "receivedAt" < $1`, [
    iso(receivedBeforeMs),
  ]);
  return rowCount ?? 0;
}

/** How far the containers of a node are counted, and up to when. */
export interface ScrapeCount {
  readonly clusterId: number;
  readonly node: string;
  readonly atMs: number;
  readonly started: StartedTotal;
}

/** Counts of the nodes of some clusters. */
export async function listScrapeCounts(db: Parts, clusterIds: readonly number[]): Promise<ScrapeCount[]> {
  const { rows } = await db.pool.query<ScrapeCount>(
    `select "clusterId", "node", ${epochMs(`"at"`)} as "atMs", "started" from "ScrapeCount"
     where "clusterId" = any ($1::int[])`,
    [numberArray(clusterIds)],
  );
  return rows;
}

/** Notes how far containers are counted; an older count never replaces a newer one. */
export async function saveScrapeCounts(db: Parts, counts: readonly ScrapeCount[]): Promise<void> {
  if (counts.length === 0) return;
  await db.pool.query(
    `insert into "ScrapeCount" as known ("clusterId", "node", "at", "started")
     select * from unnest($1::int[], $2::text[], $3::timestamptz[], $4::json[])
     on conflict ("clusterId", "node") do update set "at" = excluded."at", "started" = excluded."started"
     where excluded."at" > known."at"`,
    [
      numberArray(counts.map((count) => count.clusterId)),
      textArray(counts.map((count) => count.node)),
      timeArray(counts.map((count) => count.atMs)),
      textArray(counts.map((count) => storableJson(count.started))),
    ],
  );
}

/** Nodes, as `clusterId name`, whose newest snapshot is of a collector of their own and not older than a moment. */
export async function listOwnReporters(db: Parts, receivedSinceMs: number): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ clusterId: number; name: string }>(
    `select n."clusterId", n."name" from "NodeNewest" w join "Node" n on n.id = w."nodeId"
     where w."receivedAt" >= $1
       and (w."counters" ->> 'pcpFreeKib' is not null or w."details" ->> 'self' is not null)`,
    [iso(receivedSinceMs)],
  );
  return new Set(rows.map(({ clusterId, name }) => `${clusterId} ${name}`));
}
