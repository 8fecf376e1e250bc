import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { insertMachineMarks, type MachineMark } from "./machine-marks.ts";
import { storableJson } from "./storable-json.ts";
import { inTransaction } from "./transaction.ts";
import { epochMs } from "./sql-time.ts";

/** A boot as ingest knows it. */
export interface KnownBoot {
  readonly bootRef: number;
  readonly bootId: string;
  readonly startedAtMs: number;
  firstAtMs: number;
  lastAtMs: number;
}

/** What a revision says; `labels` and `versions` as the collector found them. */
export interface RevisionFields {
  readonly kernelRelease: string;
  readonly cpus: number;
  readonly pageSizeBytes: number | null;
  readonly cgroupMode: string | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

export interface KnownRevision extends RevisionFields {
  readonly sinceMs: number;
}

export interface KnownNode {
  readonly nodeId: number;
  readonly revision: KnownRevision | undefined;
  /** The latest ones, by the time they started. */
  readonly boots: KnownBoot[];
}

export interface NodeIdentity {
  readonly clusterId: number;
  readonly name: string;
}

/** One text for one identity. */
export function identityKey({ clusterId, name }: NodeIdentity): string {
  return `${clusterId} ${name}`;
}

/** Id of a cluster by its name; made when it is not there. */
export async function findOrCreateCluster(
  db: Pick<Database, "pool">,
  name: string,
  nowMs: number,
): Promise<number> {
  await db.pool.query(`insert into "Cluster" ("name", "createdAt") values ($1, $2) on conflict do nothing`, [
    name,
    new Date(nowMs).toISOString(),
  ]);
  const { rows } = await db.pool.query<{ id: number }>(`select id from "Cluster" where "name" = $1`, [name]);
  if (!rows[0]) throw new Error(`cluster ${name} was not stored`);
  return rows[0].id;
}

/** Of each node; older ones are looked up when they are asked for. */
export const BOOTS_KEPT_IN_MIND = 20;

/** Nodes by `identityKey`, with their newest revision and latest boots; those not there are made. */
export async function findOrCreateNodes(
  db: Pick<Database, "pool">,
  wanted: readonly (NodeIdentity & { firstSeenAtMs: number })[],
): Promise<Map<string, KnownNode>> {
  const sorted = [...wanted].sort((a, b) => (identityKey(a) < identityKey(b) ? -1 : 1));
  const identity = [
    numberArray(sorted.map((each) => each.clusterId)),
    textArray(sorted.map((each) => each.name)),
  ];
  const find = () =>
    db.pool.query<NodeIdentity & { id: number }>(
      `select n.id, n."clusterId", n."name" from "Node" n
       join unnest($1::int[], $2::text[]) as sent ("clusterId", "name")
         on n."clusterId" = sent."clusterId" and n."name" = sent."name"`,
      identity,
    );
  let { rows: nodes } = await find();
  if (nodes.length < sorted.length) {
    await db.pool.query(
      `insert into "Node" ("clusterId", "name", "firstSeenAt")
       select * from unnest($1::int[], $2::text[], $3::timestamptz[]) on conflict do nothing`,
      [...identity, timeArray(sorted.map((each) => each.firstSeenAtMs))],
    );
    ({ rows: nodes } = await find());
  }
  const ids = nodes.map((node) => node.id);
  const [revisions, boots] = await Promise.all([readNewestRevisions(db, ids), readLatestBoots(db, ids)]);
  return new Map(
    nodes.map((node) => [
      identityKey(node),
      { nodeId: node.id, revision: revisions.get(node.id), boots: boots.get(node.id) ?? [] },
    ]),
  );
}

const REVISION = `"nodeId", ${epochMs(`"since"`)} as "sinceMs", "kernelRelease", "cpus", "pageSizeBytes", "cgroupMode",
  "versions", "labels"`;

async function readNewestRevisions(
  db: Pick<Database, "pool">,
  nodeIds: readonly number[],
): Promise<Map<number, KnownRevision>> {
  const { rows } = await db.pool.query<KnownRevision & { nodeId: number }>(
    `select distinct on ("nodeId") ${REVISION} from "NodeRevision" where "nodeId" = any ($1::int[])
     order by "nodeId", "since" desc`,
    [numberArray(nodeIds)],
  );
  return new Map(rows.map(({ nodeId, ...revision }) => [nodeId, revision]));
}

const BOOT = `id as "bootRef", "bootId", ${epochMs(`"startedAt"`)} as "startedAtMs",
  ${epochMs(`"firstAt"`)} as "firstAtMs", ${epochMs(`"lastAt"`)} as "lastAtMs"`;

/** The latest boots of each node, by the time they started, oldest first. */
export async function readLatestBoots(
  db: Pick<Database, "pool">,
  nodeIds: readonly number[],
): Promise<Map<number, KnownBoot[]>> {
  const { rows } = await db.pool.query<KnownBoot & { nodeId: number }>(
    `select "nodeId", ${BOOT}
     from (select *, row_number() over (partition by "nodeId" order by "startedAt" desc) as age
           from "Boot" where "nodeId" = any ($1::int[])) latest
     where age <= ${BOOTS_KEPT_IN_MIND} order by "nodeId", "startedAt", id`,
    [numberArray(nodeIds)],
  );
  const byNode = new Map<number, KnownBoot[]>();
  for (const { nodeId, ...boot } of rows) {
    const boots = byNode.get(nodeId);
    if (boots) boots.push(boot);
    else byNode.set(nodeId, [boot]);
  }
  return byNode;
}

/** A boot of a node that began within a minute of a moment; undefined when there is none. */
export async function findBootNear(
  db: Pick<Database, "pool">,
  nodeId: number,
  startedAtMs: number,
): Promise<KnownBoot | undefined> {
  const { rows } = await db.pool.query<KnownBoot>(
    `select ${BOOT} from "Boot" where "nodeId" = $1
       and "startedAt" between $2::timestamptz - interval '1 minute' and $2::timestamptz + interval '1 minute'
     order by id limit 1`,
    [nodeId, new Date(startedAtMs).toISOString()],
  );
  return rows[0];
}

/**
 * Stores a boot and the marks that it deserves, unless another process has. When another boot has started before, its
 * end becomes exact.
 */
export async function createBoot(
  db: Pick<Database, "pool">,
  nodeId: number,
  boot: Omit<KnownBoot, "bootRef">,
  marks: readonly MachineMark[],
  nowMs: number,
): Promise<KnownBoot> {
  return inTransaction(db, async (client) => {
    const values = [
      nodeId,
      boot.bootId,
      ...[boot.startedAtMs, boot.firstAtMs, boot.lastAtMs].map((each) => new Date(each).toISOString()),
    ];
    const { rows } = await client.query<KnownBoot>(
      `insert into "Boot" as known ("nodeId", "bootId", "startedAt", "firstAt", "lastAt") values ($1, $2, $3, $4, $5)
       on conflict ("nodeId", "bootId") do update set "firstAt" = least(known."firstAt", excluded."firstAt"),
         "lastAt" = greatest(known."lastAt", excluded."lastAt")
       returning ${BOOT}`,
      values,
    );
    await insertMachineMarks(client, marks, nowMs);
    const [stored] = rows;
    if (!stored) throw new Error(`boot ${boot.bootId} of node ${nodeId} was not stored`);
    return stored;
  });
}

/**
 * Records what runs on a node from a moment on, if that differs from what is recorded. Processes that see the same
 * change at once record it once.
 * @param marksFor tells which marks the change deserves; asked with the revision that was in force.
 * @returns the revision in force afterwards.
 */
export async function recordRevision(
  db: Pick<Database, "pool">,
  nodeId: number,
  change: {
    sinceMs: number;
    nowMs: number;
    next: (current: KnownRevision | undefined) => RevisionFields | undefined;
    marksFor: (current: KnownRevision, next: RevisionFields) => readonly MachineMark[];
  },
): Promise<KnownRevision | undefined> {
  return inTransaction(db, async (client) => {
    await client.query(`select from "Node" where id = $1 for no key update`, [nodeId]);
    const { rows } = await client.query<KnownRevision & { nodeId: number }>(
      `select ${REVISION} from "NodeRevision" where "nodeId" = $1 order by "since" desc limit 1`,
      [nodeId],
    );
    const [current] = rows;
    const next = change.next(current);
    if (!next || (current && current.sinceMs >= change.sinceMs)) return current;
    await client.query(
      `insert into "NodeRevision" ("nodeId", "since", "kernelRelease", "cpus", "pageSizeBytes", "cgroupMode",
         "versions", "labels") values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        nodeId,
        new Date(change.sinceMs).toISOString(),
        next.kernelRelease,
        next.cpus,
        next.pageSizeBytes,
        next.cgroupMode,
        storableJson(next.versions),
        storableJson(next.labels),
      ],
    );
    if (current) await insertMachineMarks(client, change.marksFor(current, next), change.nowMs);
    return { ...next, sinceMs: change.sinceMs };
  });
}
