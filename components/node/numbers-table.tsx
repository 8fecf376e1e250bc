import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { numericHead } from "../ui/column-heads.tsx";
import { downloadCsv } from "../ui/download.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";

/** A table of numbers in its own box; the first column names the row. */
export function NumbersTable({ table, label }: { readonly table: PlainTable; readonly label: string }) {
  return (
    <ScrollTable
      label={label}
      className="max-h-[420px] overflow-auto"
      heads={table.columns.map((column, index) =>
        typeof table.rows[0]?.[index] === "string" ? column : numericHead(column),
      )}
    >
      {table.rows.map((row, position) => (
        <tr key={position}>
          {row.map((value, index) =>
            index === 0 ? (
              <th key={index} scope="row" className="max-w-96 min-w-36 [overflow-wrap:anywhere]">
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
    </ScrollTable>
  );
}

/** The button that hands a table over as CSV. */
export function CsvButton({
  table,
  file,
  label,
}: {
  readonly table: () => PlainTable;
  readonly file: string;
  /** What of several is handed over, for readers who do not see the table beside it. */
  readonly label?: string;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      className="min-h-6 text-accent-ink hover:underline"
      onClick={() => downloadCsv(file, table())}
    >
      CSV
    </button>
  );
}
