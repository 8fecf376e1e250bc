import type { TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import type { TrendVerdict } from "#lib/domain/analysis/vocabulary.ts";
import { numberArray, textArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { storableJson } from "./storable-json.ts";
import { epochMs, iso } from "./sql-time.ts";

/** When a node runs out of something, as a stored trend has it. */
export interface StoredExhaustion {
  /** "memory", "memory-cgroup ids", "inodes of /run". */
  readonly what: string;
  readonly atMs: number;
  readonly fromMs: number;
  /** null: the far end is open. */
  readonly toMs: number | null;
  /** Since when the growth goes on that it rests on; only as part of the whole answer, null where that has none. */
  readonly sinceMs?: number | null;
}

/** The newest trend of one metric of one node over one window. Slopes in the unit of the metric, an hour. */
export interface NodeTrendRow {
  readonly nodeId: number;
  /** End of the window; a node that has been silent since keeps what it had. */
  readonly computedAtMs: number;
  readonly verdict: TrendVerdict;
  /** This and the next three: null where there was too little data for any. */
  readonly slopePerHour: number | null;
  /** Ends of the 95 % interval. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly pValue: number | null;
  readonly n: number;
  readonly exhaustion: StoredExhaustion | null;
}

const COLUMNS = `"nodeId", ${epochMs(`"computedAt"`)} as "computedAtMs", "verdict", "slopePerHour", "lower", "upper", "pValue", "n",
  "exhaustionWhat", ${epochMs(`"exhaustionAt"`)} as "exhaustionAtMs",
  ${epochMs(`"exhaustionFrom"`)} as "exhaustionFromMs", ${epochMs(`"exhaustionTo"`)} as "exhaustionToMs",
  ("answer" -> 'exhaustion' ->> 'since')::float8 as "exhaustionSinceMs"`;

interface ExhaustionColumns {
  exhaustionWhat: string | null;
  exhaustionAtMs: number | null;
  exhaustionFromMs: number | null;
  exhaustionToMs: number | null;
  exhaustionSinceMs: number | null;
}

function exhaustionOf(row: ExhaustionColumns): StoredExhaustion | null {
  const { exhaustionWhat: what, exhaustionAtMs: atMs, exhaustionFromMs: fromMs, exhaustionToMs: toMs } = row;
  return what === null || atMs === null || fromMs === null
    ? null
    : { what, atMs, fromMs, toMs, sinceMs: row.exhaustionSinceMs };
}

/** Stored trends of one metric over one window: one row a node that has one, by node id. */
export async function readNodeTrends(
  db: Pick<Database, "pool">,
  { metric, window }: { metric: string; window: TrendWindow },
): Promise<NodeTrendRow[]> {
  const { rows } = await db.pool.query<Omit<NodeTrendRow, "exhaustion"> & ExhaustionColumns>({
    name: "node-trends",
    text: `select ${COLUMNS} from "NodeTrend" where "window" = $1 and "metric" = $2 order by "nodeId"`,
    values: [window, metric],
  });
  return rows.map((row) => ({
    nodeId: row.nodeId,
    computedAtMs: row.computedAtMs,
    verdict: row.verdict,
    slopePerHour: row.slopePerHour,
    lower: row.lower,
    upper: row.upper,
    pValue: row.pValue,
    n: row.n,
    exhaustion: exhaustionOf(row),
  }));
}

/** When nodes run out of what, over one window: every metric of a node that names an end. By node id, then metric. */
export async function readExhaustions(
  db: Pick<Database, "pool">,
  window: TrendWindow,
): Promise<(StoredExhaustion & { readonly nodeId: number; readonly metric: string })[]> {
  const { rows } = await db.pool.query<ExhaustionColumns & { nodeId: number; metric: string }>({
    name: "node-exhaustions",
    text: `select ${COLUMNS}, "metric" from "NodeTrend" where "window" = $1 and "exhaustionAt" is not null
      order by "nodeId", "metric"`,
    values: [window],
  });
  return rows.flatMap((row) => {
    const exhaustion = exhaustionOf(row);
    return exhaustion === null ? [] : [{ nodeId: row.nodeId, metric: row.metric, ...exhaustion }];
  });
}

/** Whole answers of one metric over one window, by node; each as `lib/contracts/trend.ts` has it. */
export async function readNodeTrendAnswers(
  db: Pick<Database, "pool">,
  { metric, window, nodeId }: { metric: string; window: TrendWindow; nodeId?: number },
): Promise<Map<number, unknown>> {
  const { rows } = await db.pool.query<[number, unknown]>({
    text: `select "nodeId", "answer" from "NodeTrend" where "window" = $1 and "metric" = $2
      ${nodeId === undefined ? "" : `and "nodeId" = $3`}`,
    values: nodeId === undefined ? [window, metric] : [window, metric, nodeId],
    rowMode: "array",
  });
  return new Map(rows);
}

/** A trend to store; `answer` is the whole of it as `lib/contracts/trend.ts` has it. */
export interface NodeTrendToStore extends Omit<NodeTrendRow, "computedAtMs"> {
  readonly metric: string;
  readonly answer: unknown;
}

/** Rows written in one statement. */
const ROWS_AT_ONCE = 500;

/** Stores trends of one window; older ones do not overwrite newer ones. */
export async function writeNodeTrends(
  db: Pick<Database, "pool">,
  { trends, window, nowMs }: { trends: readonly NodeTrendToStore[]; window: TrendWindow; nowMs: number },
): Promise<void> {
  // In one order everywhere, so that two at once wait for each other and do not deadlock.
  const sorted = trends.toSorted((a, b) =>
    a.metric === b.metric ? a.nodeId - b.nodeId : a.metric < b.metric ? -1 : 1,
  );
  for (let first = 0; first < sorted.length; first += ROWS_AT_ONCE) {
    const some = sorted.slice(first, first + ROWS_AT_ONCE);
    const numbers = (pick: (each: NodeTrendToStore) => number | null | undefined) =>
      numberArray(some.map(pick));
    await db.pool.query({
      name: "write-node-trends",
      text: `insert into "NodeTrend" as known ("nodeId", "metric", "window", "computedAt", "verdict", "slopePerHour",
          "lower", "upper", "pValue", "n", "exhaustionWhat", "exhaustionAt", "exhaustionFrom", "exhaustionTo", "answer")
        select "nodeId", "metric", $1, $2, "verdict", "slopePerHour", "lower", "upper", "pValue", "n",
          nullif("what", ''), to_timestamp("atMs" / 1000), to_timestamp("fromMs" / 1000), to_timestamp("toMs" / 1000), "answer"
        from unnest($3::int[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::float8[],
          $10::int[], $11::text[], $12::float8[], $13::float8[], $14::float8[], $15::json[])
          as sent ("nodeId", "metric", "verdict", "slopePerHour", "lower", "upper", "pValue", "n", "what", "atMs",
            "fromMs", "toMs", "answer")
        on conflict ("window", "metric", "nodeId") do update set "computedAt" = excluded."computedAt",
          "verdict" = excluded."verdict", "slopePerHour" = excluded."slopePerHour", "lower" = excluded."lower",
          "upper" = excluded."upper", "pValue" = excluded."pValue", "n" = excluded."n",
          "exhaustionWhat" = excluded."exhaustionWhat", "exhaustionAt" = excluded."exhaustionAt",
          "exhaustionFrom" = excluded."exhaustionFrom", "exhaustionTo" = excluded."exhaustionTo",
          "answer" = excluded."answer"
        where excluded."computedAt" >= known."computedAt"`,
      values: [
        window,
        iso(nowMs),
        numbers(({ nodeId }) => nodeId),
        textArray(some.map(({ metric }) => metric)),
        textArray(some.map(({ verdict }) => verdict)),
        numbers(({ slopePerHour }) => slopePerHour),
        numbers(({ lower }) => lower),
        numbers(({ upper }) => upper),
        numbers(({ pValue }) => pValue),
        numbers(({ n }) => n),
        textArray(some.map(({ exhaustion }) => exhaustion?.what ?? "")),
        numbers(({ exhaustion }) => exhaustion?.atMs),
        numbers(({ exhaustion }) => exhaustion?.fromMs),
        numbers(({ exhaustion }) => exhaustion?.toMs),
        textArray(some.map(({ answer }) => storableJson(answer))),
      ],
    });
  }
}

/** Takes away what these nodes no longer have, such as the inodes of a mount that is gone: what is older than a moment. */
export async function forgetNodeTrends(
  db: Pick<Database, "pool">,
  request: { nodeIds: readonly number[]; window: TrendWindow; beforeMs: number },
): Promise<void> {
  await db.pool.query(
    `delete from "NodeTrend" where "window" = $1 and "nodeId" = any ($2::int[]) and "computedAt" < $3`,
    [request.window, numberArray(request.nodeIds), iso(request.beforeMs)],
  );
}
