import { toCsv } from "#lib/contracts/csv.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { download } from "../ui/download.ts";

/** A table of numbers in its own box; the first column names the row. */
export function NumbersTable({ table, label }: { readonly table: PlainTable; readonly label: string }) {
  return (
    <div role="group" aria-label={label} tabIndex={0} className="max-h-[420px] overflow-auto">
      <table className="grid-table">
        <thead>
          <tr>
            {table.columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={typeof table.rows[0]?.[index] === "string" ? "" : "num"}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, position) => (
            <tr key={position}>
              {row.map((value, index) =>
                index === 0 ? (
                  <th key={index} scope="row" className="max-w-96 [overflow-wrap:anywhere]">
                    <bdi>{value}</bdi>
                  </th>
                ) : typeof value === "string" ? (
                  <td key={index} className="[overflow-wrap:anywhere]">
                    <bdi>{value}</bdi>
                  </td>
                ) : (
                  <td key={index} className="num">
                    {value === null ? "\u2013" : formatNumber(value)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The button that hands a table over as CSV. */
export function CsvButton({ table, file }: { readonly table: PlainTable; readonly file: string }) {
  return (
    <button
      type="button"
      className="text-accent-ink hover:underline"
      onClick={() => download(`${file}.csv`, new Blob([toCsv(table)], { type: "text/csv;charset=utf-8" }))}
    >
      CSV
    </button>
  );
}
