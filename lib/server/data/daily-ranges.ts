import { numberArray, textArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { iso } from "./sql-time.ts";

/** How far one metric of one node is known to run up and down within a day, in the unit of its trends. */
export interface DailyRangeRow {
  readonly nodeId: number;
  readonly metric: string;
  /** Days of its own that `own` was computed from. */
  readonly days: number;
  /** null while the node has too few days. */
  readonly own: number | null;
  /** `own`, or the largest of its peers; null when neither is known. */
  readonly known: number | null;
}

/** Stores daily ranges; older ones do not overwrite newer ones. */
export async function writeDailyRanges(
  db: Pick<Database, "pool">,
  ranges: readonly DailyRangeRow[],
  nowMs: number,
): Promise<void> {
  if (ranges.length === 0) return;
  const sorted = ranges.toSorted((a, b) => a.nodeId - b.nodeId || (a.metric < b.metric ? -1 : 1));
  await db.pool.query({
    name: "write-daily-ranges",
    text: `insert into "NodeDailyRange" as before ("nodeId", "metric", "computedAt", "days", "own", "known")
      select "nodeId", "metric", $1, "days", "own", "known"
      from unnest($2::int[], $3::text[], $4::int[], $5::float8[], $6::float8[])
        as sent ("nodeId", "metric", "days", "own", "known")
      on conflict ("nodeId", "metric") do update set "computedAt" = excluded."computedAt", "days" = excluded."days",
        "own" = excluded."own", "known" = excluded."known"
      where excluded."computedAt" >= before."computedAt"`,
    values: [
      iso(nowMs),
      numberArray(sorted.map(({ nodeId }) => nodeId)),
      textArray(sorted.map(({ metric }) => metric)),
      numberArray(sorted.map(({ days }) => days)),
      numberArray(sorted.map(({ own }) => own)),
      numberArray(sorted.map(({ known }) => known)),
    ],
  });
}

/** Daily ranges that are stored: of some nodes, of one metric, or of all. */
export async function readDailyRanges(
  db: Pick<Database, "pool">,
  { nodeIds, metric }: { nodeIds?: readonly number[]; metric?: string } = {},
): Promise<DailyRangeRow[]> {
  const { rows } = await db.pool.query<DailyRangeRow>({
    name: "daily-ranges",
    text: `select "nodeId", "metric", "days", "own", "known" from "NodeDailyRange"
      where ($1::int[] is null or "nodeId" = any ($1)) and ($2::text is null or "metric" = $2)
      order by "nodeId", "metric"`,
    values: [nodeIds === undefined ? null : numberArray(nodeIds), metric ?? null],
  });
  return rows;
}
