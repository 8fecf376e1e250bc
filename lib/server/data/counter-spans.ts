import { parseNumberArray } from "./array-literal.ts";
import type { Database } from "./client.ts";
import { epochMs, soughtMoment } from "./sql-time.ts";

/** First and last sample of one boot in a range, by the name of the counter. */
export interface CounterSpan {
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly first: ReadonlyMap<string, number>;
  readonly last: ReadonlyMap<string, number>;
}

/**
 * Counters of these names, and those whose names begin with `prefix`, as the first and the last sample of each boot in the range
 * say them, boots in order. Samples with none of `names` do not count: sections come at their own pace. Reads two rows a boot.
 */
export async function readCounterSpans(
  db: Database,
  request: {
    readonly nodeId: number;
    /** Inclusive. */
    readonly fromMs: number;
    /** Exclusive. */
    readonly toMs: number;
    readonly names: readonly string[];
    readonly prefix: string;
  },
): Promise<CounterSpan[]> {
  const named = await db.pool.query<{ id: number }>(
    `select id from "CounterName" where "name" = any ($1::text[])`,
    [request.names],
  );
  const range = `"nodeId" = $1 and "at" >= $2 and "at" < $3 and "nameIds" && $4::int[]`;
  const { rows } = await db.pool.query<[number, number, string, string]>({
    name: "counter-spans",
    text: `select ${epochMs(`"at"`)}, "bootRef", "nameIds"::text, "values"::text from "CounterSample"
      where ${range} and "at" = any (array(
        select unnest(array[min("at"), max("at")]) from "CounterSample" where ${range} group by "bootRef"))
      order by "at"`,
    values: [
      request.nodeId,
      soughtMoment(request.fromMs).toISOString(),
      soughtMoment(request.toMs).toISOString(),
      named.rows.map(({ id }) => id),
    ],
    rowMode: "array",
  });
  const samples = rows.map(([atMs, bootRef, ids, values]) => ({
    atMs: Math.round(atMs),
    bootRef,
    ids: parseNumberArray(ids),
    values: parseNumberArray(values),
  }));
  const { rows: names } = await db.pool.query<{ id: number; name: string }>(
    `select id, "name" from "CounterName"
      where id = any ($1::int[]) and ("name" = any ($2::text[]) or starts_with("name", $3))`,
    [[...new Set(samples.flatMap(({ ids }) => ids))], request.names, request.prefix],
  );
  const nameOf = new Map<number | null, string>(names.map(({ id, name }) => [id, name]));
  const spans = new Map<number, CounterSpan>();
  for (const { atMs, bootRef, ids, values } of samples) {
    const counters = new Map(
      ids.flatMap((id, index) => {
        const name = nameOf.get(id);
        const value = values[index] ?? undefined;
        return name === undefined || value === undefined ? [] : [[name, value] as const];
      }),
    );
    const known = spans.get(bootRef) ?? { firstAtMs: atMs, first: counters };
    spans.set(bootRef, { firstAtMs: known.firstAtMs, first: known.first, lastAtMs: atMs, last: counters });
  }
  return [...spans.values()];
}
