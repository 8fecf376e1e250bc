import type pg from "pg";
import { numberArray, packTexts, timeArray, unpackTexts } from "./array-literal.ts";
import type { SourceState } from "./nodes.ts";
import { SNAPSHOT_COLUMNS, SPARSE_SOURCES, type SnapshotColumn } from "./snapshot-columns.ts";
import { epochMs } from "./sql-time.ts";
import { storableJson } from "./storable-json.ts";

/** A snapshot that may become the newest state of its node, or that has what one before it lacks. */
export interface NewestCandidate {
  readonly nodeId: number;
  readonly atMs: number;
  readonly bootRef: number;
  /** In the order of `SNAPSHOT_COLUMNS`. */
  readonly values: readonly (number | undefined)[];
  /** Given: becomes the node's newest state unless a later one is there. */
  readonly newest?: NewestState;
}

export interface NewestState {
  readonly receivedAtMs: number;
  /** The sections that are not counters; asked of the newest row of each node alone. */
  readonly details: () => object;
  /** How reading each source went, by its name; undefined where the snapshot does not tell. */
  readonly sources: Sources | undefined;
  /** Modules that taint the kernel; undefined of a snapshot that lists no modules, which come once an hour. */
  readonly taintedModules?: readonly string[] | undefined;
  /** What this process stored for the node last; undefined when it does not know. */
  readonly before?: StoredNewest | undefined;
}

/** As in a snapshot; `since` in those that are stored. */
type Sources = Readonly<
  Record<string, { [Key in keyof SourceState]: SourceState[Key] | undefined } & { status: string }>
>;

/** What of a stored newest state goes over into the one after it. */
export interface StoredNewest {
  readonly atMs: number;
  readonly bootRef: number;
  /** The counters that come less often than snapshots. */
  readonly sparse: Readonly<Partial<Record<SnapshotColumn, number>>>;
  readonly taintedModules: readonly string[] | undefined;
  /** As they are stored, each with its `since`. */
  readonly sources: Sources | undefined;
  /** Of the snapshot whose `sources` are stored. */
  readonly sourcesAtMs: number;
}

/** How old the stored durations of reading may become while nothing else about the sources changes. */
const SOURCES_FRESH_MS = 58_000;

/** Columns and the source that says whether they are still read, for those that not every snapshot carries. */
const sparseColumns = SNAPSHOT_COLUMNS.flatMap((column, index) => {
  const source = SPARSE_SOURCES[column];
  return source === undefined ? [] : [{ column, index, source }];
});

interface Successor {
  readonly row: NewestCandidate;
  readonly receivedAtMs: number;
  readonly countersJson: string;
  readonly detailsJson: string;
  /** Undefined where the snapshot does not tell, and where what is stored may stay. */
  readonly sourcesJson: string | undefined;
  readonly keepsSources: boolean;
  readonly stored: StoredNewest;
}

/**
 * The state that follows: of the row, of the rows before it in the batch what comes less often than snapshots, and within one
 * boot the same of the state before, as far as its source still reads well.
 */
function succeed(before: StoredNewest | undefined, { row, state, batch }: Newest): Successor {
  const backwards = [
    row,
    ...batch
      .filter((each) => each.bootRef === row.bootRef && each.atMs < row.atMs)
      .sort((a, b) => b.atMs - a.atMs),
  ];
  const lastOf = <T>(read: (each: NewestCandidate) => T | undefined) =>
    backwards.map(read).find((value) => value !== undefined);
  const sameBoot = before?.bootRef === row.bootRef ? before : undefined;

  const values = [...row.values];
  const sparse: Partial<Record<SnapshotColumn, number>> = {};
  for (const { column, index, source } of sparseColumns) {
    const carried = state.sources?.[source]?.status === "ok" ? sameBoot?.sparse[column] : undefined;
    const value = lastOf((each) => each.values[index]) ?? carried;
    values[index] = value;
    if (value !== undefined) sparse[column] = value;
  }
  let members = "";
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value !== undefined)
      members += `${members === "" ? "" : ","}"${SNAPSHOT_COLUMNS[index] ?? ""}":${value}`;
  }
  const taintedModules = lastOf(({ newest }) => newest?.taintedModules) ?? sameBoot?.taintedModules;
  const keepsSources = before !== undefined && sourcesMayStay(before, state.sources, row.atMs);
  const sources = keepsSources ? before.sources : sourcesSince(before, state.sources, row.atMs);
  return {
    row,
    receivedAtMs: state.receivedAtMs,
    countersJson: `{${members}}`,
    detailsJson: storableJson({ ...state.details(), taintedModules }),
    sourcesJson: keepsSources || sources === undefined ? undefined : storableJson(sources),
    keepsSources,
    stored: {
      atMs: row.atMs,
      bootRef: row.bootRef,
      sparse,
      taintedModules,
      sources,
      sourcesAtMs: keepsSources ? before.sourcesAtMs : row.atMs,
    },
  };
}

/** Whether nothing that is worth a write distinguishes the sources from those that are stored. */
function sourcesMayStay(before: StoredNewest, sources: Sources | undefined, atMs: number): boolean {
  if (sources === undefined || before.sources === undefined) return sources === before.sources;
  if (atMs - before.sourcesAtMs >= SOURCES_FRESH_MS) return false;
  const names = Object.keys(sources);
  return (
    names.length === Object.keys(before.sources).length &&
    names.every((name) => {
      const known = before.sources?.[name];
      return known?.status === sources[name]?.status && known?.detail === sources[name]?.detail;
    })
  );
}

/** Each with the time since which it has the status that it has, as far as snapshots tell. */
function sourcesSince(
  before: StoredNewest | undefined,
  sources: Sources | undefined,
  atMs: number,
): Sources | undefined {
  if (sources === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => {
      const known = before?.sources?.[name];
      const since = known?.status === source.status ? (known.since ?? before?.atMs ?? atMs) : atMs;
      return [name, { ...source, since }];
    }),
  );
}

interface Newest {
  readonly row: NewestCandidate;
  readonly state: NewestState;
  readonly batch: readonly NewestCandidate[];
}

/**
 * Writes the newest state of each node that has a newer one among the rows. What goes over from the state before is worked out
 * here: a state that stands as this process left it is followed in one statement, any other is read first.
 * @returns by node, what is stored now; without those whose row was not the newest after all. Holds once the transaction is
 *   committed.
 */
export async function writeNewest(
  client: pg.PoolClient,
  rows: readonly NewestCandidate[],
): Promise<Map<number, StoredNewest>> {
  const sought = new Map(newestOf(rows).map((each) => [each.row.nodeId, each]));
  const written = new Map<number, StoredNewest>();
  const take = (successors: readonly Successor[], nodeIds: readonly number[]) => {
    const stored = new Map(successors.map((each) => [each.row.nodeId, each.stored]));
    for (const nodeId of nodeIds) {
      const state = stored.get(nodeId);
      if (state) written.set(nodeId, state);
      sought.delete(nodeId);
    }
  };

  const following = [...sought.values()].flatMap((each) =>
    each.state.before && each.state.before.atMs < each.row.atMs ? [succeed(each.state.before, each)] : [],
  );
  take(following, await follow(client, following));
  if (sought.size === 0) return written;

  const known = await readStored(client, [...sought.keys()]);
  const replacing = [...sought.values()].flatMap((each) => {
    const before = known.get(each.row.nodeId);
    return before && before.atMs >= each.row.atMs ? [] : [succeed(before, each)];
  });
  take(replacing, await replace(client, replacing));
  return written;
}

/** By node, ascending, so that two processes never wait for each other. */
function newestOf(rows: readonly NewestCandidate[]): Newest[] {
  const byNode = new Map<number, NewestCandidate[]>();
  for (const row of rows) {
    const batch = byNode.get(row.nodeId);
    if (batch) batch.push(row);
    else byNode.set(row.nodeId, [row]);
  }
  return [...byNode.values()]
    .flatMap((batch): Newest[] => {
      const newest = batch
        .filter((row) => row.newest)
        .reduce(
          (latest: NewestCandidate | undefined, row) => (latest && latest.atMs >= row.atMs ? latest : row),
          undefined,
        );
      return newest?.newest ? [{ row: newest, state: newest.newest, batch }] : [];
    })
    .sort((a, b) => a.row.nodeId - b.row.nodeId);
}

const SENT = ["nodeId", "at", "receivedAt", "bootRef", "counters", "details", "sources"].map(
  (each) => `"${each}"`,
);
const SENT_ARRAYS = `$1::int[], $2::timestamptz[], $3::timestamptz[], $4::int[], ${unpackTexts("$5")}::json[],
  ${unpackTexts("$6")}::json[], ${unpackTexts("$7")}::jsonb[]`;

function valuesOf(successors: readonly Successor[]): string[] {
  return [
    numberArray(successors.map(({ row }) => row.nodeId)),
    timeArray(successors.map(({ row }) => row.atMs)),
    timeArray(successors.map(({ receivedAtMs }) => receivedAtMs)),
    numberArray(successors.map(({ row }) => row.bootRef)),
    packTexts(successors.map(({ countersJson }) => countersJson)),
    packTexts(successors.map(({ detailsJson }) => detailsJson)),
    packTexts(successors.map(({ sourcesJson }) => sourcesJson)),
  ];
}

/** @returns the nodes whose state stood as it was left, and is followed now. */
async function follow(client: pg.PoolClient, successors: readonly Successor[]): Promise<number[]> {
  if (successors.length === 0) return [];
  const { rows } = await client.query<{ nodeId: number }>({
    name: "follow-newest",
    text: `update "NodeNewest" known set "at" = sent."at", "receivedAt" = sent."receivedAt", "bootRef" = sent."bootRef",
        "counters" = sent."counters", "details" = sent."details",
        "sources" = case when sent."keepsSources" then known."sources" else sent."sources" end
      from unnest(${SENT_ARRAYS}, $8::boolean[], $9::timestamptz[])
        as sent (${SENT.join(", ")}, "keepsSources", "beforeAt")
      where known."nodeId" = sent."nodeId" and known."at" = sent."beforeAt"
      returning known."nodeId"`,
    values: [
      ...valuesOf(successors),
      `{${successors.map(({ keepsSources }) => String(keepsSources)).join(",")}}`,
      timeArray(successors.map(({ row }) => row.newest?.before?.atMs)),
    ],
  });
  return rows.map(({ nodeId }) => nodeId);
}

/** What is stored, held until the transaction ends. */
async function readStored(
  client: pg.PoolClient,
  nodeIds: readonly number[],
): Promise<Map<number, StoredNewest>> {
  const { rows } = await client.query<{
    nodeId: number;
    atMs: number;
    bootRef: number;
    counters: Partial<Record<SnapshotColumn, number>>;
    taintedModules: string[] | null;
    sources: Sources | null;
  }>({
    name: "read-newest",
    text: `select "nodeId", ${epochMs('"at"')} as "atMs", "bootRef", "counters",
        "details" -> 'taintedModules' as "taintedModules", "sources"
      from "NodeNewest" where "nodeId" = any ($1::int[]) order by "nodeId" for no key update`,
    values: [numberArray(nodeIds)],
  });
  return new Map(
    rows.map(({ nodeId, atMs, bootRef, counters, taintedModules, sources }) => [
      nodeId,
      {
        atMs: Math.round(atMs),
        bootRef,
        sparse: counters,
        taintedModules: taintedModules ?? undefined,
        sources: sources ?? undefined,
        // Of which snapshot they are is not stored; too old is safe.
        sourcesAtMs: -Infinity,
      },
    ]),
  );
}

/** @returns the nodes whose state is theirs now. */
async function replace(client: pg.PoolClient, successors: readonly Successor[]): Promise<number[]> {
  if (successors.length === 0) return [];
  const { rows } = await client.query<{ nodeId: number }>({
    name: "replace-newest",
    text: `insert into "NodeNewest" as known (${SENT.join(", ")})
      select * from unnest(${SENT_ARRAYS})
      on conflict ("nodeId") do update set ${SENT.slice(1)
        .map((column) => `${column} = excluded.${column}`)
        .join(", ")}
      where excluded."at" > known."at" returning "nodeId"`,
    values: valuesOf(successors),
  });
  return rows.map(({ nodeId }) => nodeId);
}
