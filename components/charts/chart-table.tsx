import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatNumber } from "#lib/charts/format.ts";

/** The table behind a chart, newest sample first, in a box of its own. */
export function ChartTable({ table, label }: { readonly table: PlainTable; readonly label: string }) {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      className="mt-2 max-h-[420px] overflow-auto border-y border-line-2"
    >
      <table className="grid-table">
        <thead className="sticky top-0 bg-surface">
          <tr>
            {table.columns.map((column, index) => (
              <th key={column} scope="col" className={index > 0 ? "num" : ""}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.toReversed().map((row, position) => (
            <tr key={position}>
              {row.map((value, index) =>
                index === 0 ? (
                  <th key={index} scope="row" className="whitespace-nowrap">
                    {value}
                  </th>
                ) : (
                  <td key={index} className="num">
                    {value === null
                      ? "\u2013"
                      : typeof value === "number"
                        ? formatNumber(value, Number.isInteger(value) ? 0 : 2)
                        : value}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {table.rows.length === 0 ? <p className="py-2 text-sm text-ink-2">Nothing in this window.</p> : null}
    </div>
  );
}
