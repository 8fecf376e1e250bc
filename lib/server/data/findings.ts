import type { FindingState, FindingStanding } from "#lib/domain/analysis/finding-state.ts";
import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import type { Tables } from "./records.ts";
import { storableJson } from "./storable-json.ts";
import { epochMs } from "./sql-time.ts";

/** A stored finding; `detail` as `lib/contracts/finding.ts` has it. Times in epoch milliseconds. */
export interface FindingRow extends FindingStanding {
  readonly findingId: number;
  readonly nodeId: number;
  readonly signature: string;
  readonly severity: string;
  readonly stateAtMs: number;
  readonly score: number;
  readonly detail: unknown;
}

const COLUMNS = `"id" as "findingId", "nodeId", "signature", "severity", "certainty", "state",
  ${epochMs(`"stateAt"`)} as "stateAtMs", ${epochMs(`"firstSeenAt"`)} as "firstSeenAtMs",
  ${epochMs(`"lastSeenAt"`)} as "lastSeenAtMs", "score"`;

/** What is asked of all findings; what is left out narrows nothing. */
export interface FindingFilter {
  readonly nodeIds?: readonly number[] | undefined;
  readonly states?: readonly string[] | undefined;
  readonly signature?: string | undefined;
  readonly certainty?: string | undefined;
  readonly severity?: string | undefined;
}

const WHERE = `where ($1::int[] is null or "nodeId" = any ($1)) and ($2::text[] is null or "state" = any ($2))
  and ($3::text is null or "signature" = $3) and ($4::text is null or "certainty" = $4)
  and ($5::text is null or "severity" = $5)`;

function valuesOf({ nodeIds, states, signature, certainty, severity }: FindingFilter): (string | null)[] {
  return [
    nodeIds === undefined ? null : numberArray(nodeIds),
    states === undefined ? null : textArray(states),
    signature ?? null,
    certainty ?? null,
    severity ?? null,
  ];
}

/** Some findings with all that was found, by id. */
export async function readFindings(
  db: Pick<Database, "pool">,
  findingIds: readonly number[],
): Promise<Map<number, FindingRow>> {
  const { rows } = await db.pool.query<FindingRow>({
    name: "findings",
    text: `select ${COLUMNS}, "detail" from "Finding" where "id" = any ($1::int[])`,
    values: [numberArray(findingIds)],
  });
  return new Map(rows.map((row) => [row.findingId, row]));
}

/** A finding without what was found in detail: enough to count it, to sort by, and to go on from. */
export interface FindingHead extends Omit<FindingRow, "detail"> {
  readonly name: string;
  readonly kind: string;
}

/** Heads of the findings of a filter, by id. */
export async function listFindingHeads(
  db: Pick<Database, "pool">,
  filter: FindingFilter,
): Promise<FindingHead[]> {
  const { rows } = await db.pool.query<FindingHead>({
    name: "finding-heads",
    text: `select ${COLUMNS}, "detail" ->> 'name' as "name", "detail" ->> 'kind' as "kind" from "Finding" ${WHERE} order by "id"`,
    values: valuesOf(filter),
  });
  return rows;
}

/** One step in the history of a finding. */
export interface FindingChangeRow {
  readonly findingId: number;
  readonly atMs: number;
  readonly actor: string;
  readonly became: string;
  readonly note: string | null;
}

/** How some findings came to stand as they do, oldest first. */
export async function listFindingChanges(
  tables: Pick<Tables, "findingChange">,
  findingIds: readonly number[],
): Promise<FindingChangeRow[]> {
  const rows = await tables.findingChange.findMany({
    where: { findingId: { in: [...findingIds] } },
    orderBy: { id: "asc" },
    select: { findingId: true, at: true, actor: true, became: true, note: true },
  });
  return rows.map(({ at, ...rest }) => ({ ...rest, atMs: at.getTime() }));
}

/** A finding as a reading leaves it. */
export interface FindingToStore extends FindingStanding {
  readonly nodeId: number;
  readonly signature: string;
  readonly severity: string;
  readonly score: number;
  /** `undefined` when it was not seen: what was found last stays. */
  readonly detail: unknown;
  readonly became: readonly string[];
}

/**
 * Stores findings of one node as a reading leaves them, with their history; belongs into one transaction. One that a person has
 * acknowledged meanwhile stays acknowledged.
 */
export async function storeFindings(
  tables: Pick<Tables, "finding" | "findingChange">,
  findings: readonly FindingToStore[],
  { nowMs, actor }: { nowMs: number; actor: string },
): Promise<void> {
  const now = new Date(nowMs);
  for (const { nodeId, signature, state, became, detail, firstSeenAtMs, lastSeenAtMs, ...rest } of findings) {
    const stateChanged = became.some((word) => word !== "firm");
    const seen = {
      ...rest,
      lastSeenAt: new Date(lastSeenAtMs),
      ...(detail === undefined ? {} : { detail: JSON.parse(storableJson(detail)) as object }),
      ...(stateChanged && { state, stateAt: now }),
    };
    const { id } = await tables.finding.upsert({
      where: { nodeId_signature: { nodeId, signature } },
      create: {
        ...seen,
        nodeId,
        signature,
        state,
        stateAt: now,
        firstSeenAt: new Date(firstSeenAtMs),
        detail: seen.detail ?? {},
      },
      update: seen,
      select: { id: true },
    });
    if (became.length === 0) continue;
    await tables.findingChange.createMany({
      data: became.map((word) => ({ findingId: id, at: now, actor, became: word })),
    });
  }
}

/**
 * Changes the state of a finding by hand, with a note.
 * @returns false when it is not as `from` says any more: then nothing is stored.
 */
export async function changeFindingState(
  tables: Pick<Tables, "finding" | "findingChange">,
  change: {
    readonly findingId: number;
    readonly from: FindingState;
    readonly to: FindingState;
    readonly actor: string;
    readonly note: string;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const { findingId, from, to, actor, note, nowMs } = change;
  const now = new Date(nowMs);
  const { count } = await tables.finding.updateMany({
    where: { id: findingId, state: from },
    data: { state: to, stateAt: now },
  });
  if (count === 0) return false;
  await tables.findingChange.create({ data: { findingId, at: now, actor, became: to, note } });
  return true;
}

/** What was last made of a node's history; `reading` as `lib/contracts/finding.ts` has it. */
export interface NodeReadingRow {
  readonly nodeId: number;
  readonly computedAtMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly reading: unknown;
}

/** When the history of each node was last read. */
export async function listReadingTimes(db: Pick<Database, "pool">): Promise<Map<number, number>> {
  const { rows } = await db.pool.query<[number, number]>({
    text: `select "nodeId", ${epochMs(`"computedAt"`)} from "NodeReading"`,
    rowMode: "array",
  });
  return new Map(rows);
}

/** The last reading of one node; `undefined` before the first. */
export async function findNodeReading(
  db: Pick<Database, "pool">,
  nodeId: number,
): Promise<NodeReadingRow | undefined> {
  const { rows } = await db.pool.query<NodeReadingRow>(
    `select "nodeId", ${epochMs(`"computedAt"`)} as "computedAtMs", ${epochMs(`"fromAt"`)} as "fromMs",
       ${epochMs(`"toAt"`)} as "toMs", "reading" from "NodeReading" where "nodeId" = $1`,
    [nodeId],
  );
  return rows[0];
}

/** Stores readings; older ones do not overwrite newer ones. */
export async function writeNodeReadings(
  db: Pick<Database, "pool">,
  readings: readonly NodeReadingRow[],
): Promise<void> {
  if (readings.length === 0) return;
  const sorted = readings.toSorted((a, b) => a.nodeId - b.nodeId);
  await db.pool.query(
    `insert into "NodeReading" as known ("nodeId", "computedAt", "fromAt", "toAt", "reading")
     select * from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::json[])
     on conflict ("nodeId") do update set "computedAt" = excluded."computedAt", "fromAt" = excluded."fromAt",
       "toAt" = excluded."toAt", "reading" = excluded."reading"
     where excluded."computedAt" >= known."computedAt"`,
    [
      numberArray(sorted.map(({ nodeId }) => nodeId)),
      timeArray(sorted.map(({ computedAtMs }) => computedAtMs)),
      timeArray(sorted.map(({ fromMs }) => fromMs)),
      timeArray(sorted.map(({ toMs }) => toMs)),
      textArray(sorted.map(({ reading }) => storableJson(reading))),
    ],
  );
}
