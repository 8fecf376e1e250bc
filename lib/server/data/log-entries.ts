import type { EntryKind } from "#lib/contracts/investigation.ts";
import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import type { Tables } from "./records.ts";
import { epochMs, iso, readMomentMs } from "./sql-time.ts";
import {
  createdColumns,
  nextVersion,
  readWritten,
  writtenColumns,
  type StoredWritten,
  type Writer,
  type Written,
} from "./written.ts";

/** A line of the log; times in epoch milliseconds. */
export interface EntryRow extends Written {
  entryId: number;
  investigationId: number;
  atMs: number;
  kind: string;
  text: string;
  madeBy: string;
  annotationId: number | null;
  nodeIds: number[];
}

const select = {
  id: true,
  investigationId: true,
  at: true,
  kind: true,
  text: true,
  madeBy: true,
  annotationId: true,
  nodeIds: true,
  ...writtenColumns,
} as const;

type Selected = Omit<EntryRow, "entryId" | "atMs" | keyof Written> & StoredWritten & { id: number; at: Date };

function toEntry({ id, at, ...rest }: Selected): EntryRow {
  return { entryId: id, atMs: readMomentMs(at), ...readWritten(rest) };
}

/** Appends what people wrote or did. */
export async function insertEntry(
  tables: Pick<Tables, "logEntry">,
  investigationId: number,
  entry: { atMs: number; kind: "note" | "change"; text: string; madeBy: "person" | "api" },
  writer: Writer,
): Promise<EntryRow> {
  const { atMs, ...rest } = entry;
  const data = { investigationId, ...rest, at: new Date(atMs), nodeIds: [], ...createdColumns(writer) };
  return toEntry(await tables.logEntry.create({ data, select }));
}

/** Changes a note, if it still has that version; undefined when someone else was faster. */
export async function replaceEntry(
  tables: Pick<Tables, "logEntry">,
  entryId: number,
  version: number,
  { atMs, text }: { atMs: number; text: string },
  writer: Writer,
): Promise<EntryRow | undefined> {
  const [row] = await tables.logEntry.updateManyAndReturn({
    ...nextVersion(entryId, version, { at: new Date(atMs), text }, writer),
    select,
  });
  return row === undefined ? undefined : toEntry(row);
}

/** One entry of an investigation that is not hidden. */
export async function findEntry(
  tables: Pick<Tables, "logEntry">,
  investigationId: number,
  entryId: number,
): Promise<EntryRow | undefined> {
  const row = await tables.logEntry.findFirst({
    where: { id: entryId, investigationId, deletedAt: null },
    select,
  });
  return row === null ? undefined : toEntry(row);
}

/** Entries of an investigation that are not hidden, newest first, and how many there are. */
export async function listEntries(
  tables: Pick<Tables, "logEntry">,
  investigationId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: EntryRow[]; total: number }> {
  const where = { investigationId, deletedAt: null };
  const [rows, total] = await Promise.all([
    tables.logEntry.findMany({
      where,
      orderBy: [{ at: "desc" }, { id: "desc" }],
      take: limit,
      skip: offset,
      select,
    }),
    tables.logEntry.count({ where }),
  ]);
  return { rows: rows.map(toEntry), total };
}

/** What the program writes: once for each investigation and key, also when a person took it away. */
export interface ProgramEntry {
  readonly investigationId: number;
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly text: string;
  readonly annotationId: number;
  readonly nodeIds: readonly number[];
  readonly dedupeKey: string;
}

/** Stores what is not there yet. Safe to repeat, and from several processes at once. @returns the investigations that gained one. */
export async function insertProgramEntries(
  db: Pick<Database, "pool">,
  entries: readonly ProgramEntry[],
  nowMs: number,
): Promise<number[]> {
  if (entries.length === 0) return [];
  // One order for all processes, so that none waits for another in turn; of one time as they were given.
  const ordered = entries.toSorted((a, b) => a.investigationId - b.investigationId || a.atMs - b.atMs);
  const { rows } = await db.pool.query<{ investigationId: number }>(
    `insert into "LogEntry" ("investigationId", "at", "kind", "text", "madeBy", "annotationId", "nodeIds", "dedupeKey",
        "createdBy", "createdAt", "updatedBy", "updatedAt")
     select "investigationId", "at", "kind", "text", 'machine', "annotationId", "nodeIds"::int[], "dedupeKey",
        'plumbline', $8, 'plumbline', $8
     from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[])
       as sent ("investigationId", "at", "kind", "text", "annotationId", "nodeIds", "dedupeKey")
     on conflict ("investigationId", "dedupeKey") do nothing
     returning "investigationId"`,
    [
      numberArray(ordered.map(({ investigationId }) => investigationId)),
      timeArray(ordered.map(({ atMs }) => atMs)),
      textArray(ordered.map(({ kind }) => kind)),
      textArray(ordered.map(({ text }) => text)),
      numberArray(ordered.map(({ annotationId }) => annotationId)),
      textArray(ordered.map(({ nodeIds }) => numberArray(nodeIds))),
      textArray(ordered.map(({ dedupeKey }) => dedupeKey)),
      iso(nowMs),
    ],
  );
  return [...new Set(rows.map(({ investigationId }) => investigationId))];
}

/** A mark within scope and window of an investigation that its log does not have yet. */
export interface UnloggedMark {
  investigationId: number;
  annotationId: number;
  atMs: number;
  kind: string;
  title: string;
  text: string | null;
  author: string;
  madeBy: string;
  /** Those of both the mark and the investigation. */
  nodeIds: number[];
}

/** Investigations that go on: what happens goes to their log. */
const GOES_ON = `i."deletedAt" is null and i."status" <> 'resolved'`;

/** Marks that the logs of investigations that go on lack, oldest first; of one investigation where it is named. */
export async function listUnloggedMarks(
  db: Pick<Database, "pool">,
  { nowMs, limit, investigationId }: { nowMs: number; limit: number; investigationId?: number | undefined },
): Promise<UnloggedMark[]> {
  const { rows } = await db.pool.query<UnloggedMark>(
    `select i."id" as "investigationId", a."id" as "annotationId", ${epochMs(`a."at"`)} as "atMs", a."kind", a."title", a."text",
        a."author", a."madeBy", array(select unnest(a."nodeIds") intersect select unnest(i."nodeIds")) as "nodeIds"
     from "Investigation" i join "Annotation" a on a."nodeIds" && i."nodeIds"
       left join "LogEntry" e on e."investigationId" = i."id" and e."dedupeKey" = 'mark:' || a."id"
     where ${GOES_ON} and ($3::int is null or i."id" = $3)
       and a."deletedAt" is null and a."at" >= i."windowFrom" and a."at" <= coalesce(i."windowTo", $1)
       and e."id" is null
     order by a."at", a."id", i."id" limit $2`,
    [iso(nowMs), limit, investigationId ?? null],
  );
  return rows;
}

/** What a followed mark was found to have done, that a log does not have yet. */
export interface UnloggedVerdict {
  investigationId: number;
  annotationId: number;
  title: string;
  horizon: string;
  slopeVerdict: string;
  levelVerdict: string;
  /** The sentence, with numbers. */
  sentence: string;
  atMs: number;
  nodeIds: number[];
  dedupeKey: string;
}

/**
 * Verdicts on the leading metric of followed marks within scope and window that logs lack, oldest first: one a mark and horizon,
 * of all treated nodes as one where there are several, and again only where the words of the verdict differ. Growth that
 * returned is told of resolved investigations too.
 */
export async function listUnloggedVerdicts(
  db: Pick<Database, "pool">,
  { nowMs, limit, investigationId }: { nowMs: number; limit: number; investigationId?: number | undefined },
): Promise<UnloggedVerdict[]> {
  const { rows } = await db.pool.query<UnloggedVerdict>(
    `select i."id" as "investigationId", a."id" as "annotationId", a."title", f."horizon", f."slopeVerdict", f."levelVerdict",
        coalesce(f."effect"->>'text', '') as sentence, ${epochMs(`f."computedAt"`)} as "atMs",
        array(select unnest(a."nodeIds") intersect select unnest(i."nodeIds")) as "nodeIds", f."key" as "dedupeKey"
     from "Investigation" i join "Annotation" a on a."nodeIds" && i."nodeIds"
       join "Experiment" x on x."annotationId" = a."id"
       join (select *, concat_ws(':', 'verdict', "annotationId", "horizon", "slopeVerdict", "levelVerdict") as "key"
             from "FollowUp" where "supersededAt" is null) f
         on f."annotationId" = a."id" and f."metric" = x."metrics"[1]
            and (f."nodeId" is null or cardinality(f."treatedNodeIds") = 1 or f."horizon" = 'return')
       left join "LogEntry" e on e."investigationId" = i."id" and e."dedupeKey" = f."key"
     where i."deletedAt" is null and (i."status" <> 'resolved' or f."horizon" = 'return' and f."computedAt" > i."updatedAt")
       and ($3::int is null or i."id" = $3)
       and a."deletedAt" is null and a."at" >= i."windowFrom" and a."at" <= coalesce(i."windowTo", $1)
       and f."slopeVerdict" <> 'too-early' and e."id" is null
     order by f."computedAt", f."dueAt", f."id", i."id" limit $2`,
    [iso(nowMs), limit, investigationId ?? null],
  );
  return rows;
}
