import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { DETAIL_SECTIONS, type DetailSection } from "#lib/domain/snapshot/source-sections.ts";
import { parseNumberArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { SNAPSHOT_COLUMN_SOURCES, SNAPSHOT_COLUMNS, type SnapshotColumn } from "./snapshot-columns.ts";
import { epochMs } from "./sql-time.ts";

/** Everything that is stored of one snapshot. */
export interface StoredSnapshot {
  readonly atMs: number;
  readonly bootId: string;
  readonly columns: Readonly<Record<SnapshotColumn, number | null>>;
  /** KiB, HugePages_* counts: columns and other counters together. */
  readonly meminfo: Readonly<Record<string, number>>;
  readonly vmstat: Readonly<Record<string, number>>;
  /** Sections that this version does not know, as they were sent. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** Time of the sample that the counters without a column are of; null when there is none in this boot. */
  readonly extraAtMs: number | null;
  /** Slab caches of the newest sample that had them, in this boot. */
  readonly slab: readonly {
    name: string;
    objSizeBytes: number;
    activeObjs: number;
    numObjs: number;
    sizeKib: number;
  }[];
  /** Numbers of the sections by the name of their metric: the newest of each in this boot that is at most an hour older. */
  readonly counters: Readonly<Record<string, number>>;
  /** Sections that are kept whole, the newest of each in this boot that is at most a day older. */
  readonly details: { readonly [Name in DetailSection]?: Dated<NonNullable<Snapshot[Name]>> };
}

/** Something and the time of the sample that it came with. */
export interface Dated<T> {
  readonly atMs: number;
  readonly value: T;
}

type Sections = Record<string, Record<string, number>>;

/** The newest snapshot of a node at or before a moment; undefined when there is none. */
export async function readSnapshotAt(
  db: Database,
  nodeId: number,
  atMs: number,
): Promise<StoredSnapshot | undefined> {
  const { rows } = await db.pool.query<
    Record<SnapshotColumn, number | null> & { atMs: number; bootRef: number }
  >({
    name: "snapshot-at",
    text: `select ${epochMs(`"at"`)} as "atMs", "bootRef", ${SNAPSHOT_COLUMNS.map((name) => `"${name}"`).join(", ")}
      from "Snapshot" where "nodeId" = $1 and "at" <= $2 order by "at" desc limit 1`,
    values: [nodeId, new Date(atMs).toISOString()],
  });
  const row = rows[0];
  if (!row) return undefined;
  const { atMs: foundMs, bootRef, ...columns } = row;
  const until = new Date(foundMs).toISOString();
  const [boot, extra, slab, { counters, details }] = await Promise.all([
    db.prisma.boot.findUnique({ where: { id: bootRef }, select: { bootId: true } }),
    readExtraAt(db, nodeId, bootRef, until),
    readSlabAt(db, nodeId, bootRef, until),
    readSectionsAt(db, { nodeId, bootRef, atMs: foundMs }),
  ]);
  const { meminfo = {}, vmstat = {}, ...sections } = extra.counters;
  for (const { column, metric } of SNAPSHOT_COLUMN_SOURCES) {
    const value = columns[column];
    if (value === null) continue;
    if (metric.startsWith("meminfo.")) meminfo[metric.slice("meminfo.".length)] = value;
    else if (metric === `vmstat.${column}`) vmstat[column] = value;
  }
  return {
    atMs: Math.round(foundMs),
    bootId: boot?.bootId ?? "",
    columns,
    meminfo,
    vmstat,
    sections: sections.sections ?? {},
    extraAtMs: extra.atMs,
    slab,
    counters,
    details,
  };
}

/** When the oldest snapshot of a node that is kept was taken; undefined when there is none. */
export async function readFirstSnapshotMs(db: Database, nodeId: number): Promise<number | undefined> {
  const { rows } = await db.pool.query<{ atMs: number | null }>({
    name: "first-snapshot",
    text: `select ${epochMs(`min("at")`)} as "atMs" from "Snapshot" where "nodeId" = $1`,
    values: [nodeId],
  });
  const atMs = rows[0]?.atMs;
  return atMs == null ? undefined : Math.round(atMs);
}

/** Numbers of the sections and those that are kept whole, as they were at a moment of a boot: the newest of each. */
export async function readSectionsAt(
  db: Database,
  { nodeId, bootRef, atMs }: { nodeId: number; bootRef: number; atMs: number },
): Promise<Pick<StoredSnapshot, "counters" | "details">> {
  const until = new Date(atMs).toISOString();
  const [counters, details] = await Promise.all([
    readCountersAt(db, nodeId, bootRef, until),
    readDetailsAt(db, nodeId, bootRef, until),
  ]);
  return { counters, details };
}

/** An hour: longer than between two readings of any source that is not slowed down by what it costs. */
async function readCountersAt(
  db: Database,
  nodeId: number,
  bootRef: number,
  until: string,
): Promise<Record<string, number>> {
  const { rows } = await db.pool.query<{ name: string; value: number }>({
    name: "counters-at",
    text: `select n."name", newest."value" from (
        select distinct on (sent.id) sent.id, sent."value" from "CounterSample" c
          cross join unnest(c."nameIds", c."values") as sent (id, "value")
        where c."nodeId" = $1 and c."bootRef" = $2 and c."at" <= $3::timestamptz
          and c."at" > $3::timestamptz - interval '1 hour'
        order by sent.id, c."at" desc) newest
      join "CounterName" n on n.id = newest.id order by n."name"`,
    values: [nodeId, bootRef, until],
  });
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Rows with details that are looked through: some come every five minutes, the rarest once an hour. */
const MOST_DETAIL_ROWS = 300;

async function readDetailsAt(
  db: Database,
  nodeId: number,
  bootRef: number,
  until: string,
): Promise<StoredSnapshot["details"]> {
  const { rows } = await db.pool.query<{ atMs: number; name: string; value: unknown }>({
    name: "details-at",
    text: `select distinct on (section.key) ${epochMs(`rows."at"`)} as "atMs", section.key as "name", section.value
      from (select "at", "details" from "CounterSample"
        where "nodeId" = $1 and "bootRef" = $2 and "at" <= $3::timestamptz
          and "at" > $3::timestamptz - interval '1 day' and "details" is not null
        order by "at" desc limit ${MOST_DETAIL_ROWS}) rows
      cross join jsonb_each(rows."details") section
      order by section.key, rows."at" desc`,
    values: [nodeId, bootRef, until],
  });
  const known: ReadonlySet<string> = new Set(DETAIL_SECTIONS);
  return Object.fromEntries(
    rows
      .filter(({ name }) => known.has(name))
      .map(({ atMs, name, value }) => [name, { atMs: Math.round(atMs), value }]),
  );
}

/** Puts the counters together again: the keyframe of the newest row's chain, and what changed up to that row. */
async function readExtraAt(
  db: Database,
  nodeId: number,
  bootRef: number,
  until: string,
): Promise<{ atMs: number | null; counters: Sections }> {
  const newest = await db.pool.query<{ at: string; baseAt: string; atMs: number }>({
    name: "extra-newest",
    text: `select "at"::text, "baseAt"::text, ${epochMs(`"at"`)} as "atMs" from "SnapshotExtra"
      where "nodeId" = $1 and "bootRef" = $2 and "at" <= $3 order by "at" desc limit 1`,
    values: [nodeId, bootRef, until],
  });
  const last = newest.rows[0];
  if (!last) return { atMs: null, counters: {} };
  const chain = await db.pool.query<{ counters: Sections }>({
    name: "extra-chain",
    text: `select "counters" from "SnapshotExtra"
      where "nodeId" = $1 and "at" between $2 and $3 and "baseAt" = $2 order by "at"`,
    values: [nodeId, last.baseAt, last.at],
  });
  const counters: Sections = {};
  for (const { counters: changed } of chain.rows) {
    for (const [section, values] of Object.entries(changed))
      counters[section] = { ...counters[section], ...values };
  }
  return { atMs: Math.round(last.atMs), counters };
}

async function readSlabAt(
  db: Database,
  nodeId: number,
  bootRef: number,
  until: string,
): Promise<StoredSnapshot["slab"]> {
  const { rows } = await db.pool.query<[string, string, string, string]>({
    name: "slab-at",
    text: `select "cacheIds"::text, "activeObjs"::text, "numObjs"::text, "sizeKib"::text from "SlabSample"
      where "nodeId" = $1 and "bootRef" = $2 and "at" <= $3 order by "at" desc limit 1`,
    values: [nodeId, bootRef, until],
    rowMode: "array",
  });
  const [ids, activeObjs, numObjs, sizeKib] = rows[0]?.map(parseNumberArray) ?? [];
  if (!ids || !activeObjs || !numObjs || !sizeKib) return [];
  const known = await db.pool.query<{ id: number; name: string; objSizeBytes: number }>(
    `select id, "name", "objSizeBytes" from "SlabCache" where id = any ($1)`,
    [ids],
  );
  const names = new Map(known.rows.map((cache) => [cache.id, cache]));
  return ids.flatMap((id, index) => {
    const cache = names.get(id ?? 0);
    if (!cache) return [];
    const { name, objSizeBytes } = cache;
    const counts = { activeObjs: activeObjs[index] ?? 0, numObjs: numObjs[index] ?? 0 };
    return [{ name, objSizeBytes, ...counts, sizeKib: sizeKib[index] ?? 0 }];
  });
}
