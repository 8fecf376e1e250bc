import { numberArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import type { SnapshotColumn } from "./snapshot-columns.ts";
import { epochMs, iso } from "./sql-time.ts";

/** One roll-up of one node: node id, mean time of its samples (epoch ms), boot, then the means asked for. */
export type RollupRow = [
  nodeId: number,
  timeMs: number,
  bootRef: number,
  ...means: (number | null | undefined)[],
];

const TABLE = { "5min": "SnapshotRollup5min", "1h": "SnapshotRollup1h" } as const;

/** Roll-ups that there are of several nodes, as they are stored, by node and time. What is not rolled up yet is not there. */
export async function readRollups(
  db: Pick<Database, "pool">,
  request: {
    nodeIds: readonly number[];
    source: keyof typeof TABLE;
    columns: readonly SnapshotColumn[];
    /** Start of the first bucket, inclusive. */
    fromMs: number;
    toMs: number;
  },
): Promise<RollupRow[]> {
  const { rows } = await db.pool.query<RollupRow>({
    text: `select "nodeId", (${epochMs(`"firstAt"`)} + ${epochMs(`"lastAt"`)}) / 2, "bootRef"
        ${request.columns.map((column) => `, "${column}"`).join("")}
      from "${TABLE[request.source]}" where "nodeId" = any ($1::int[]) and "at" >= $2 and "at" < $3
      order by "nodeId", "at", 2`,
    values: [numberArray(request.nodeIds), iso(request.fromMs), iso(request.toMs)],
    rowMode: "array",
  });
  return rows;
}

/** Inodes in use on one mount of one node at one moment. */
export interface InodeSample {
  readonly nodeId: number;
  readonly mount: string;
  readonly atMs: number;
  readonly bootRef: number;
  readonly inodesUsed: number;
}

/**
 * Inodes in use on some tmpfs mounts of several nodes: of each stretch of `stepMs` the last sample. Kept as long as raw
 * snapshots. By node, mount and time.
 */
export async function readTmpfsInodes(
  db: Pick<Database, "pool">,
  request: {
    mounts: readonly { readonly nodeId: number; readonly mount: string }[];
    fromMs: number;
    toMs: number;
    stepMs: number;
  },
): Promise<InodeSample[]> {
  if (request.mounts.length === 0) return [];
  const { rows: paths } = await db.pool.query<{ id: number; path: string }>(
    `select id, "path" from "StoredPath" where "path" = any ($1)`,
    [[...new Set(request.mounts.map(({ mount }) => mount))]],
  );
  const idOf = new Map(paths.map(({ id, path }) => [path, id]));
  const wanted = request.mounts.flatMap(({ nodeId, mount }) => {
    const pathId = idOf.get(mount);
    return pathId === undefined ? [] : [{ nodeId, mount, pathId }];
  });
  const bucket = `date_bin(make_interval(secs => $4), "at", '2001-01-01T00:00:00Z')`;
  const pathOf = new Map(paths.map(({ id, path }) => [id, path]));
  const { rows } = await db.pool.query<{
    nodeId: number;
    pathId: number;
    atMs: number;
    bootRef: number;
    inodesUsed: number | null;
  }>({
    // No name: with a plan for any number of nodes and days it would join before it has chosen the samples.
    text: `select s."nodeId", w."pathId", ${epochMs(`s."at"`)} as "atMs", s."bootRef",
        s."inodesUsed"[array_position(s."pathIds", w."pathId")] as "inodesUsed"
      from (select distinct on ("nodeId", ${bucket}) "nodeId", "at", "bootRef", "pathIds", "inodesUsed"
            from "TmpfsSample" where "nodeId" = any ($1::int[]) and "at" >= $2 and "at" < $3
            order by "nodeId", ${bucket}, "at" desc) s
        join unnest($5::int[], $6::int[]) as w ("nodeId", "pathId") on w."nodeId" = s."nodeId"
      order by 1, 2, 3`,
    values: [
      numberArray([...new Set(wanted.map(({ nodeId }) => nodeId))]),
      iso(request.fromMs),
      iso(request.toMs),
      request.stepMs / 1000,
      numberArray(wanted.map(({ nodeId }) => nodeId)),
      numberArray(wanted.map(({ pathId }) => pathId)),
    ],
  });
  return rows.flatMap(({ pathId, inodesUsed, ...row }) => {
    const mount = pathOf.get(pathId);
    return inodesUsed === null || mount === undefined ? [] : [{ ...row, mount, inodesUsed }];
  });
}

/** A boot as time series refer to it. */
export interface FleetBoot {
  readonly id: number;
  readonly nodeId: number;
  readonly bootId: string;
  readonly startedAtMs: number;
}

/** Boots of several nodes that were still seen at a moment or later. */
export async function listFleetBoots(
  db: Pick<Database, "pool">,
  request: { nodeIds: readonly number[]; sinceMs: number },
): Promise<FleetBoot[]> {
  const { rows } = await db.pool.query<FleetBoot>({
    name: "fleet-boots",
    text: `select id, "nodeId", "bootId", ${epochMs(`"startedAt"`)} as "startedAtMs" from "Boot"
      where "nodeId" = any ($1::int[]) and "lastAt" >= $2`,
    values: [numberArray(request.nodeIds), iso(request.sinceMs)],
  });
  return rows;
}
