import { numberArray, textArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import type { SnapshotColumn } from "./snapshot-columns.ts";
import { epochMs, soughtMoment } from "./sql-time.ts";

/** What runs on a node, since when. */
export interface NodeRevision {
  readonly sinceMs: number;
  readonly kernelRelease: string;
  readonly cpus: number;
  readonly pageSizeBytes: number | null;
  readonly cgroupMode: "v1" | "v2" | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Newest state of a node; counters as in Snapshot, absent where not reported. */
export interface NodeNewest extends NodeRevision {
  readonly nodeId: number;
  readonly clusterId: number;
  readonly cluster: string;
  readonly name: string;
  readonly firstSeenAtMs: number;
  readonly atMs: number;
  /** By the server's clock. */
  readonly receivedAtMs: number;
  readonly bootId: string;
  readonly bootedAtMs: number;
  /** When two boots were last seen reporting under this name at once. */
  readonly conflictAtMs: number | null;
  readonly counters: Readonly<Partial<Record<SnapshotColumn, number>>>;
  readonly details: NodeDetails;
  /** What the worker derived; null until it did. */
  readonly outlook: NodeOutlook | null;
}

/** How reading one source went; `since` in epoch milliseconds when it got this status, as far as snapshots tell. */
export interface SourceState {
  readonly status: string;
  readonly readMs?: number;
  readonly detail?: string;
  readonly since?: number;
}

/** Newest state of a node, and how reading each of its sources went; null where the snapshot does not tell. */
export interface NodeState extends NodeNewest {
  readonly sources: Readonly<Record<string, SourceState>> | null;
}

/** Sections of the newest snapshot that are not counters, as they were sent, but for `sources`, which are most of it. */
export interface NodeDetails {
  /** Names of the sources that are there and could not be read, sorted; absent where the snapshot does not tell. */
  readonly blindSources?: readonly string[];
  readonly watch?: readonly { path: string; files: number; atLeast?: boolean }[];
  readonly tmpfs?: readonly {
    mount: string;
    usedKib: number;
    sizeKib?: number;
    inodes?: number;
    inodesUsed?: number;
  }[];
  /** Of the newest snapshot of this boot that listed modules. */
  readonly taintedModules?: readonly string[];
  readonly self?: { cpuSeconds: number; rssKib: number; version?: string };
}

export interface NodeOutlook {
  readonly computedAtMs: number;
  /** Over the last hour; null when not known. */
  readonly containersPerHour: number | null;
  /** Unreclaimable kernel memory over the last 24 h, at most 48 points. */
  readonly sparkline: {
    readonly timesMs: readonly number[];
    readonly valuesKib: readonly (number | null)[];
  };
}

const newestSelect = (more = "") => `
  select n.id as "nodeId", n."clusterId", c."name" as cluster, n."name", ${epochMs(`n."firstSeenAt"`)} as "firstSeenAtMs",
    ${epochMs(`w."at"`)} as "atMs", ${epochMs(`w."receivedAt"`)} as "receivedAtMs",
    b."bootId", ${epochMs(`b."startedAt"`)} as "bootedAtMs", ${epochMs(`w."conflictAt"`)} as "conflictAtMs",
    w."counters", w."details",
    ${epochMs(`r."since"`)} as "sinceMs", r."kernelRelease", r."cpus", r."pageSizeBytes", r."cgroupMode",
    r."versions", r."labels",
    ${epochMs(`o."computedAt"`)} as "computedAtMs", o."containersPerHour", o."sparkline"${more}
  from "NodeNewest" w
    join "Node" n on n.id = w."nodeId"
    join "Cluster" c on c.id = n."clusterId"
    join "Boot" b on b.id = w."bootRef"
    join (select distinct on ("nodeId") * from "NodeRevision" order by "nodeId", "since" desc) r on r."nodeId" = n.id
    left join "NodeOutlook" o on o."nodeId" = n.id`;

interface NewestRow extends Omit<NodeNewest, "outlook"> {
  computedAtMs: number | null;
  containersPerHour: number | null;
  sparkline: NodeOutlook["sparkline"];
}

function toNewest<Row extends NewestRow>({ computedAtMs, containersPerHour, sparkline, ...row }: Row) {
  return {
    ...row,
    outlook: computedAtMs === null ? null : { computedAtMs, containersPerHour, sparkline },
  };
}

const BY_NAME = `order by c."name", n."name"`;

/** Newest state of every node, from one row a node: no history is read. By cluster and name. */
export async function listNodesNewest(db: Database): Promise<NodeNewest[]> {
  const { rows } = await db.pool.query<NewestRow>({
    name: "nodes-newest",
    text: `${newestSelect()} ${BY_NAME}`,
  });
  return rows.map(toNewest);
}

/** Newest state of some nodes with their sources, by cluster and name; of those that there are. */
export async function findNodes(db: Database, nodeIds: readonly number[]): Promise<NodeState[]> {
  const isOne = `"nodeId" = any ($1::int[])`;
  const select = newestSelect(`, w."sources"`).replace(
    `from "NodeRevision"`,
    `from "NodeRevision" where ${isOne}`,
  );
  const { rows } = await db.pool.query<NewestRow & Pick<NodeState, "sources">>({
    name: "some-nodes-newest",
    text: `${select} where w.${isOne} ${BY_NAME}`,
    values: [numberArray(nodeIds)],
  });
  return rows.map(toNewest);
}

/** Newest state of one node; undefined when there is no such node, or nothing of it. */
export async function findNode(db: Database, nodeId: number): Promise<NodeState | undefined> {
  return (await findNodes(db, [nodeId]))[0];
}

/** A node by the names that people use; undefined when there is none. */
export async function findNodeByName(
  db: Database,
  cluster: string,
  name: string,
): Promise<NodeState | undefined> {
  const row = await db.prisma.node.findFirst({
    where: { name, cluster: { name: cluster } },
    select: { id: true },
  });
  return row ? findNode(db, row.id) : undefined;
}

/** The nodes of these names that there are; a name that is given twice counts once. */
export async function findNodesByNames(
  db: Pick<Database, "pool">,
  names: readonly { readonly cluster: string; readonly name: string }[],
): Promise<{ nodeId: number; cluster: string; name: string }[]> {
  const { rows } = await db.pool.query<{ nodeId: number; cluster: string; name: string }>({
    name: "nodes-by-names",
    text: `select n.id as "nodeId", c."name" as cluster, n."name" from "Node" n join "Cluster" c on c.id = n."clusterId"
      where (c."name", n."name") in (select * from unnest($1::text[], $2::text[])) order by c."name", n."name"`,
    values: [textArray(names.map(({ cluster }) => cluster)), textArray(names.map(({ name }) => name))],
  });
  return rows;
}

/** Name of a node, and from when to when it was heard of. */
export interface NodeHeard {
  readonly nodeId: number;
  readonly clusterId: number;
  readonly cluster: string;
  readonly name: string;
  readonly firstSeenAtMs: number;
  /** Time of its newest snapshot. */
  readonly atMs: number;
  /** By the server's clock. */
  readonly receivedAtMs: number;
}

/** Names of every node that ever reported, without its state. By cluster and name. */
export async function listNodesHeard(db: Pick<Database, "pool">): Promise<NodeHeard[]> {
  const { rows } = await db.pool.query<NodeHeard>({
    name: "nodes-heard",
    text: `select n.id as "nodeId", n."clusterId", c."name" as cluster, n."name",
        ${epochMs(`n."firstSeenAt"`)} as "firstSeenAtMs", ${epochMs(`w."at"`)} as "atMs",
        ${epochMs(`w."receivedAt"`)} as "receivedAtMs"
      from "NodeNewest" w join "Node" n on n.id = w."nodeId" join "Cluster" c on c.id = n."clusterId" ${BY_NAME}`,
  });
  return rows;
}

/** What annotations need to know of a node. */
export interface NodeName {
  readonly nodeId: number;
  readonly clusterId: number;
  readonly cluster: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Names and labels of every node, without its state. By cluster and name. */
export async function listNodeNames(db: Database): Promise<NodeName[]> {
  const { rows } = await db.pool.query<NodeName>(
    `select n.id as "nodeId", n."clusterId", c."name" as cluster, n."name", coalesce(r."labels", '{}') as labels
     from "Node" n join "Cluster" c on c.id = n."clusterId"
       left join (select distinct on ("nodeId") "nodeId", "labels" from "NodeRevision"
                  order by "nodeId", "since" desc) r on r."nodeId" = n.id
     ${BY_NAME}`,
  );
  return rows;
}

/** How many of these nodes belong to a cluster; one that is named twice counts once. */
export async function countOfCluster(
  db: Database,
  nodeIds: readonly number[],
  clusterId: number,
): Promise<number> {
  const { rows } = await db.pool.query<{ own: number }>({
    name: "nodes-of-cluster",
    text: `select count(*)::int as own from "Node" where id = any ($1::int[]) and "clusterId" = $2`,
    values: [numberArray(nodeIds), clusterId],
  });
  return rows[0]?.own ?? 0;
}

export interface BootRow {
  readonly bootId: string;
  /** By the node's clock: time of the first snapshot less its uptime. */
  readonly startedAtMs: number;
  readonly firstAtMs: number;
  /** At most a minute behind for the boot that still lasts. */
  readonly lastAtMs: number;
}

/** Boots of a node that have samples in a range, oldest first. */
export async function listBoots(
  db: Database,
  nodeId: number,
  fromMs: number,
  toMs: number,
): Promise<BootRow[]> {
  const rows = await db.prisma.boot.findMany({
    where: { nodeId, firstAt: { lt: soughtMoment(toMs) }, lastAt: { gte: soughtMoment(fromMs) } },
    select: { bootId: true, startedAt: true, firstAt: true, lastAt: true },
    orderBy: { firstAt: "asc" },
    take: 1000,
  });
  return rows.map(({ bootId, startedAt, firstAt, lastAt }) => ({
    bootId,
    startedAtMs: startedAt.getTime(),
    firstAtMs: firstAt.getTime(),
    lastAtMs: lastAt.getTime(),
  }));
}

/** Revisions of a node, newest first. */
export async function listRevisions(db: Database, nodeId: number): Promise<NodeRevision[]> {
  const { rows } = await db.pool.query<NodeRevision>(
    `select ${epochMs(`"since"`)} as "sinceMs", "kernelRelease", "cpus", "pageSizeBytes", "cgroupMode", "versions", "labels"
     from "NodeRevision" where "nodeId" = $1 order by "since" desc limit 1000`,
    [nodeId],
  );
  return rows;
}

/** Boot and MemAvailable of a node's newest snapshot: how things were just before a reboot. */
export async function readLastMoment(
  db: Pick<Database, "pool">,
  nodeId: number,
): Promise<{ bootId: string; memAvailableKib: number | undefined } | undefined> {
  const { rows } = await db.pool.query<{ bootId: string; memAvailableKib: number | null }>(
    `select b."bootId", (w."counters" ->> 'MemAvailable')::bigint as "memAvailableKib"
     from "NodeNewest" w join "Boot" b on b.id = w."bootRef" where w."nodeId" = $1`,
    [nodeId],
  );
  const [row] = rows;
  return row && { bootId: row.bootId, memAvailableKib: row.memAvailableKib ?? undefined };
}
