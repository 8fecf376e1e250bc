import type { ImportCounts, ImportStatus } from "#lib/contracts/history-import.ts";
import type { StartedTotal } from "#lib/domain/prometheus/container-counts.ts";
import { textArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { epochMs, iso } from "./sql-time.ts";
import { storableJson } from "./storable-json.ts";

/** A stored import; times in epoch milliseconds. Its token is not in it. */
export interface ImportRow {
  readonly importId: number;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly url: string;
  readonly cluster: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly match: string[];
  readonly nodeLabel: string | null;
  readonly stepSeconds: number | null;
  readonly runner: "worker" | "command line";
  readonly status: ImportStatus;
  readonly statusAtMs: number;
  readonly cursorMs: number;
  readonly started: Readonly<Record<string, StartedTotal>>;
  readonly counts: ImportCounts;
  readonly error: string | null;
}

const COLUMNS = `id as "importId", ${epochMs(`"createdAt"`)} as "createdAtMs", "createdBy", "url", "cluster",
  ${epochMs(`"fromAt"`)} as "fromMs", ${epochMs(`"toAt"`)} as "toMs", "match", "nodeLabel", "stepSeconds", "runner",
  "status", ${epochMs(`"statusAt"`)} as "statusAtMs", ${epochMs(`"cursorAt"`)} as "cursorMs", "started", "counts", "error"`;

type Imports = Pick<Database, "pool">;

/** Stores a new import, queued. @returns its id. */
export async function insertImport(
  db: Imports,
  row: Pick<
    ImportRow,
    "createdBy" | "url" | "cluster" | "fromMs" | "toMs" | "match" | "runner" | "counts"
  > & {
    nowMs: number;
    nodeLabel: string | undefined;
    stepSeconds: number | undefined;
    bearer: string | undefined;
  },
): Promise<number> {
  const { rows } = await db.pool.query<{ id: number }>(
    `insert into "HistoryImport" ("createdAt", "createdBy", "url", "cluster", "fromAt", "toAt", "match", "nodeLabel",
       "stepSeconds", "bearer", "runner", "status", "statusAt", "cursorAt", "started", "counts")
     values ($1, $2, $3, $4, $5, $6, $7::text[], $8, $9, $10, $11, 'queued', $1, $5, '{}', $12::json) returning id`,
    [
      iso(row.nowMs),
      row.createdBy,
      row.url,
      row.cluster,
      iso(row.fromMs),
      iso(row.toMs),
      textArray(row.match),
      row.nodeLabel ?? null,
      row.stepSeconds ?? null,
      row.bearer ?? null,
      row.runner,
      storableJson(row.counts),
    ],
  );
  if (!rows[0]) throw new Error("the import was not stored");
  return rows[0].id;
}

/** Newest first, at most 100. */
export async function listImports(db: Imports): Promise<ImportRow[]> {
  const { rows } = await db.pool.query<ImportRow>(
    `select ${COLUMNS} from "HistoryImport" order by id desc limit 100`,
  );
  return rows;
}

/** One import; undefined when there is none. */
export async function findImport(db: Imports, importId: number): Promise<ImportRow | undefined> {
  const { rows } = await db.pool.query<ImportRow>(`select ${COLUMNS} from "HistoryImport" where id = $1`, [
    importId,
  ]);
  return rows[0];
}

/**
 * Takes an import to run it, unless another process holds it.
 * @param by.importId a certain one; else the oldest that waits for this runner, or whose process has ended.
 * @returns the import and its token; undefined when there is none to take.
 */
export async function claimImport(
  db: Imports,
  by: { runner: ImportRow["runner"]; importId?: number; nowMs: number; leaseMs: number },
): Promise<{ row: ImportRow; bearer: string | null } | undefined> {
  const { rows } = await db.pool.query<ImportRow & { bearer: string | null }>(
    `update "HistoryImport" set "status" = 'running', "statusAt" = $2, "leaseUntil" = $3, "error" = null
     where id = (select id from "HistoryImport"
       where "runner" = $1 and ($4::int is null or id = $4)
         and ("status" = 'queued' or ("status" = 'running' and "leaseUntil" < $2))
       order by id limit 1 for update skip locked)
     returning ${COLUMNS}, "bearer"`,
    [by.runner, iso(by.nowMs), iso(by.nowMs + by.leaseMs), by.importId ?? null],
  );
  const [found] = rows;
  if (!found) return undefined;
  const { bearer, ...row } = found;
  return { row, bearer };
}

/**
 * Notes how far an import has come and keeps it for another while.
 * @returns whether it still runs: false once it was cancelled or taken over.
 */
export async function advanceImport(
  db: Imports,
  importId: number,
  progress: Pick<ImportRow, "cursorMs" | "started" | "counts"> & { leaseUntilMs: number },
): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `update "HistoryImport" set "cursorAt" = $2, "started" = $3::json, "counts" = $4::json, "leaseUntil" = $5
     where id = $1 and "status" = 'running'`,
    [
      importId,
      iso(progress.cursorMs),
      storableJson(progress.started),
      storableJson(progress.counts),
      iso(progress.leaseUntilMs),
    ],
  );
  return rowCount === 1;
}

/**
 * Moves an import on to another status. Its token is kept only for one that waits or runs.
 * @param change.from the statuses that it may have before.
 * @returns whether it had one of them.
 */
export async function setImportStatus(
  db: Imports,
  importId: number,
  change: {
    from: readonly ImportStatus[];
    to: ImportStatus;
    nowMs: number;
    error?: string;
    runner?: ImportRow["runner"];
    bearer?: string | undefined;
  },
): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `update "HistoryImport" set "status" = $3, "statusAt" = $4, "error" = $5, "runner" = coalesce($6, "runner"),
       "leaseUntil" = null, "bearer" = case when $3 = 'queued' then coalesce($7, "bearer") end
     where id = $1 and "status" = any ($2::text[])`,
    [
      importId,
      textArray(change.from),
      change.to,
      iso(change.nowMs),
      change.error ?? null,
      change.runner ?? null,
      change.bearer ?? null,
    ],
  );
  return rowCount === 1;
}

/** The newest import of the same history that was not brought to its end, for who asks for it again. */
export async function findUnfinishedImport(
  db: Imports,
  like: Pick<ImportRow, "url" | "cluster" | "match" | "runner"> & {
    nodeLabel: string | undefined;
    stepSeconds: number | undefined;
  },
): Promise<ImportRow | undefined> {
  const { rows } = await db.pool.query<ImportRow>(
    `select ${COLUMNS} from "HistoryImport"
     where "url" = $1 and "cluster" = $2 and "match" = $3::text[] and "runner" = $4 and "nodeLabel" is not distinct from $5
       and "stepSeconds" is not distinct from $6 and "status" in ('queued', 'running', 'paused', 'failed')
     order by id desc limit 1`,
    [
      like.url,
      like.cluster,
      textArray(like.match),
      like.runner,
      like.nodeLabel ?? null,
      like.stepSeconds ?? null,
    ],
  );
  return rows[0];
}

/**
 * When each node was first reported by a collector of its own: the first snapshot with what only a collector tells. Nodes
 * without one are left out.
 * @returns epoch milliseconds by the node's name.
 */
export async function readFirstOwnSamples(
  db: Imports,
  clusterId: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  const first = (table: string, at: string) =>
    `(select ${epochMs(`"${at}"`)} from "${table}" where "nodeId" = $1
       and ("selfCpuMs" is not null or "pcpFreeKib" is not null) order by "at" limit 1)`;
  const { rows: nodes } = await db.pool.query<{ id: number; name: string }>(
    `select id, "name" from "Node" where "clusterId" = $1 and "name" = any ($2::text[])`,
    [clusterId, textArray(names)],
  );
  const found = new Map<string, number>();
  for (const { id, name } of nodes) {
    const { rows } = await db.pool.query<{ ms: number | null }>({
      name: "first-own-sample",
      text: `select least(${first("SnapshotRollup1h", "firstAt")}, ${first("Snapshot", "at")}) as ms`,
      values: [id],
    });
    const ms = rows[0]?.ms;
    if (ms != null) found.set(name, ms);
  }
  return found;
}
