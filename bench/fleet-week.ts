import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import type { Database } from "#lib/server/data/client.ts";
import { ensurePartitionsFor } from "#lib/server/data/partitions.ts";
import { HEADLINE_COLUMNS, SNAPSHOT_COLUMNS } from "#lib/server/data/snapshot-columns.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { inChunks } from "./dataset.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What moves on each node beside its noise, by what its number leaves when divided by ten; hours are since `$1`. */
const MOVES = `case mod(n.id, 10)
  when 0 then 40960 * hours when 1 then 4096 * hours
  when 2 then case when hours > 150 then 1048576 else 0 end
  when 3 then 524288 * sin(hours * pi() / 12)
  else 0 end`;
/** Counters that move: by the above, or by noise alone. */
const MOVING: Readonly<Record<string, string>> = {
  SUnreclaim: "+ moved + noise",
  Slab: "+ moved + noise",
  MemFree: "- moved - noise - 3 * other",
  Percpu: "+ other",
  Shmem: "+ other",
  Cached: "+ other",
  cgroupMemoryCount: "+ other / 10",
  cgroupLive: "+ other / 100",
  cgroupDying: "+ other / 11",
};
const NOISE_KIB = 8192;

/** What the dataset is, for the figures made with it. */
export const FLEET_WEEK =
  "1,000 nodes, 7 d of hourly and 24 h of five-minute roll-ups, inodes of two tmpfs each minute over 24 h; " +
  "of ten nodes two leak, one steps, one has a daily wave, six have noise";

/**
 * A fleet that has reported for a week, written as the roll-ups that its snapshots would have left: one real snapshot for
 * each node through ingest, its counters moved in SQL for every hour, and for every five minutes of the last day unless
 * `fiveMinutesMs` says more.
 * @returns ids of its nodes.
 */
export async function fillFleetWeek(
  db: Database,
  base: SnapshotInput,
  options: { nodes: number; nowMs: number; cluster?: string; fiveMinutesMs?: number },
): Promise<number[]> {
  const { nodes, nowMs, cluster = "week", fiveMinutesMs = DAY_MS } = options;
  const names = Array.from({ length: nodes }, (_, index) => `${cluster}-${index}`);
  const ctx = { db, actor: { kind: "system", name: "bench" } as const, now: () => nowMs };
  const { slab: _slab, ...sample } = base;
  for (const some of inChunks(names, 200)) {
    const items = some.map((node): SnapshotInput => ({
      ...sample,
      node,
      at: nowMs - 15_000,
      bootId: `boot-${node}`,
      uptimeSeconds: 30 * 86_400,
      cgroups: { mode: "v2", memoryCount: 5000, live: 1000, dying: 4000 },
      tmpfs: [
        { mount: "/run", usedKib: 4000, sizeKib: 800_000, inodes: 800_000, inodesUsed: 5000 },
        { mount: "/dev/shm", usedKib: 0, sizeKib: 800_000, inodes: 800_000, inodesUsed: 4 },
      ],
    }));
    const { rejected } = await ingestSnapshots({ ctx, input: { items, cluster } });
    if (rejected[0]) throw new Error(`snapshot refused: ${rejected[0].detail}`);
  }
  await ensurePartitionsFor(
    db,
    Array.from({ length: 9 }, (_, day) => nowMs - day * DAY_MS),
  );
  const { rows } = await db.pool.query<{ id: number }>(
    `select n.id from "Node" n join "Cluster" c on c.id = n."clusterId" where c."name" = $1 order by 1`,
    [cluster],
  );
  const ids = rows.map(({ id }) => id);
  for (const some of inChunks(ids, 100)) {
    await fillRollups(db, some, { table: "SnapshotRollup1h", stepMs: HOUR_MS, spanMs: 7 * DAY_MS, nowMs });
    await fillRollups(db, some, {
      table: "SnapshotRollup5min",
      stepMs: HOUR_MS / 12,
      spanMs: fiveMinutesMs,
      nowMs,
    });
    await fillInodes(db, some, nowMs);
  }
  await db.pool.query(`delete from "DirtyBucket" where "nodeId" = any ($1)`, [ids]);
  await db.pool.query("analyze");
  return ids;
}

async function fillRollups(
  db: Database,
  ids: readonly number[],
  { table, stepMs, spanMs, nowMs }: { table: string; stepMs: number; spanMs: number; nowMs: number },
): Promise<void> {
  const endMs = Math.floor(nowMs / stepMs) * stepMs;
  const value = (column: string) => `s."${column}" ${MOVING[column] ?? ""}`;
  const extremes = HEADLINE_COLUMNS.flatMap((column) => [
    [`min_${column}`, value(column)],
    [`max_${column}`, value(column)],
  ]);
  const columns = SNAPSHOT_COLUMNS.map((column) => [column, value(column)]);
  const all = [...columns, ...extremes];
  await db.pool.query(
    `insert into "${table}" ("nodeId", "at", "bootRef", "samples", "firstAt", "lastAt",
        ${all.map(([name]) => `"${name}"`).join(", ")})
      select s."nodeId", g.at, s."bootRef", $4::int / 15, g.at, g.at + make_interval(secs => $4 - 15),
        ${all.map(([, expression]) => expression).join(", ")}
      from "Node" n join "Snapshot" s on s."nodeId" = n.id and s."at" > $2::timestamptz - interval '1 hour'
        cross join lateral (
          select at, extract(epoch from at - $1::timestamptz)::float8 / 3600 as hours,
            (random() + random() + random() - 1.5) * ${2 * NOISE_KIB} as noise,
            (random() + random() + random() - 1.5) * 1000 as other
          from generate_series($3::timestamptz, $2::timestamptz - make_interval(secs => $4), make_interval(secs => $4)) at) g
        cross join lateral (select ${MOVES} as moved) m
      where n.id = any ($5)
      on conflict ("nodeId", "at", "bootRef") do nothing`,
    [
      new Date(nowMs - 7 * DAY_MS).toISOString(),
      new Date(endMs).toISOString(),
      new Date(endMs - spanMs).toISOString(),
      stepMs / 1000,
      ids,
    ],
  );
}

async function fillInodes(db: Database, ids: readonly number[], nowMs: number): Promise<void> {
  await db.pool.query(
    `insert into "TmpfsSample" ("nodeId", "at", "bootRef", "pathIds", "sizeKib", "usedKib", "inodes", "inodesUsed")
      select t."nodeId", g.at, t."bootRef", t."pathIds", t."sizeKib", t."usedKib", t."inodes",
        array[t."inodesUsed"[1] + (random() * 50)::int, t."inodesUsed"[2]]
      from "TmpfsSample" t cross join generate_series($1::timestamptz, $2::timestamptz, interval '1 minute') as g (at)
      where t."nodeId" = any ($3) and t."at" > $2
      on conflict ("nodeId", "at") do nothing`,
    [new Date(nowMs - DAY_MS).toISOString(), new Date(nowMs - 30_000).toISOString(), ids],
  );
}
