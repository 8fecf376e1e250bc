import { numberArray, textArray } from "./array-literal.ts";
import type { Database } from "./client.ts";

export interface SlabCacheName {
  readonly name: string;
  readonly objSizeBytes: number;
}

/** Ids of slab caches by `slabCacheKey`; those not known yet are added. */
export async function resolveSlabCaches(
  db: Pick<Database, "pool">,
  caches: readonly SlabCacheName[],
): Promise<Map<string, number>> {
  const unique = [...new Map(caches.map((cache) => [slabCacheKey(cache), cache])).values()];
  unique.sort((a, b) => (slabCacheKey(a) < slabCacheKey(b) ? -1 : 1));
  const values = [
    textArray(unique.map((cache) => cache.name)),
    numberArray(unique.map((cache) => cache.objSizeBytes)),
  ];
  const find = () =>
    db.pool.query<SlabCacheName & { id: number }>(
      `select c.id, c."name", c."objSizeBytes" from "SlabCache" c
       join unnest($1::text[], $2::bigint[]) as sent ("name", "objSizeBytes")
         on c."name" = sent."name" and c."objSizeBytes" = sent."objSizeBytes"`,
      values,
    );
  let { rows } = await find();
  if (rows.length < unique.length) {
    await db.pool.query(
      `insert into "SlabCache" ("name", "objSizeBytes")
       select * from unnest($1::text[], $2::bigint[]) on conflict do nothing`,
      values,
    );
    ({ rows } = await find());
  }
  return new Map(rows.map((row) => [slabCacheKey(row), row.id]));
}

/** What tells one slab cache from another. */
export function slabCacheKey({ name, objSizeBytes }: SlabCacheName): string {
  return `${objSizeBytes} ${name}`;
}

/** Ids of paths; those not known yet are added. */
export function resolvePaths(
  db: Pick<Database, "pool">,
  paths: readonly string[],
): Promise<Map<string, number>> {
  return resolveTexts(db, { table: "StoredPath", column: "path" }, paths);
}

/** Ids of the names in CounterSample; those not known yet are added. */
export function resolveCounterNames(
  db: Pick<Database, "pool">,
  names: readonly string[],
): Promise<Map<string, number>> {
  return resolveTexts(db, { table: "CounterName", column: "name" }, names);
}

async function resolveTexts(
  db: Pick<Database, "pool">,
  { table, column }: { table: "StoredPath"; column: "path" } | { table: "CounterName"; column: "name" },
  texts: readonly string[],
): Promise<Map<string, number>> {
  const unique = [...new Set(texts)].sort();
  const find = () =>
    db.pool.query<{ id: number; text: string }>(
      `select id, "${column}" as text from "${table}" where "${column}" = any ($1::text[])`,
      [textArray(unique)],
    );
  let { rows } = await find();
  if (rows.length < unique.length) {
    await db.pool.query(
      `insert into "${table}" ("${column}") select * from unnest($1::text[]) on conflict do nothing`,
      [textArray(unique)],
    );
    ({ rows } = await find());
  }
  return new Map(rows.map((row) => [row.text, row.id]));
}
