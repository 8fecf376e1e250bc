import pg from "pg";
import type { Stack } from "./stack.ts";

/** Runs one statement on the database of a stack. */
export async function query<Row extends pg.QueryResultRow>(
  stack: Stack,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl() });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Times of all samples of a node in epoch milliseconds, oldest first, as often as they are stored. */
export async function storedTimes(stack: Stack, node: string): Promise<number[]> {
  const rows = await query<{ at: Date }>(
    stack,
    `select s."at" from "Snapshot" s join "Node" n on n.id = s."nodeId" where n."name" = $1 order by s."at"`,
    [node],
  );
  return rows.map(({ at }) => at.getTime());
}
