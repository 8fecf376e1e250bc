import type { PlainTable } from "#lib/contracts/csv.ts";

/** A table without the columns that no row has a value in, and what they are called. */
export function withoutEmptyColumns(table: PlainTable): { table: PlainTable; left: readonly string[] } {
  const isEmpty = (index: number) => table.rows.every((row) => row[index] === null);
  const kept = table.columns.map((_, index) => index).filter((index) => !isEmpty(index));
  return {
    table: {
      columns: kept.map((index) => table.columns[index] ?? ""),
      rows: table.rows.map((row) => kept.map((index) => row[index] ?? null)),
    },
    left: table.columns.filter((_, index) => isEmpty(index)),
  };
}
