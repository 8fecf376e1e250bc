import pg from "pg";

/**
 * Writes to a product's database behind its back: what no request could make of it.
 * @param databaseUrl the product's database. @throws Error when not just one row is changed.
 */
export async function spoilDatabase(
  databaseUrl: string,
  statement: string,
  values: readonly unknown[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(statement, [...values]);
    if (rowCount !== 1) throw new Error(`${rowCount} rows were changed instead of one: ${statement}`);
  } finally {
    await client.end();
  }
}
