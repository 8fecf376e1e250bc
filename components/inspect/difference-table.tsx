import type { DifferenceRow } from "#lib/charts/dump-model.ts";
import { Swatch } from "../charts/swatch.tsx";
import { HeadRow, numericHead } from "../ui/column-heads.tsx";

/** Two compositions and their difference by band; the largest changes stand out. */
export function DifferenceTable({
  rows,
  before,
  after,
}: {
  readonly rows: readonly DifferenceRow[];
  readonly before: string;
  readonly after: string;
}) {
  return (
    <div className="overflow-x-auto" role="group" aria-label="Difference by band" tabIndex={0}>
      <table className="readout grid-table" aria-label="Difference by band">
        <thead>
          <HeadRow
            heads={[
              "band",
              { key: "before", content: <bdi>{before}</bdi>, numeric: true },
              { key: "after", content: <bdi>{after}</bdi>, numeric: true },
              numericHead("change"),
            ]}
          />
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className={row.large ? "font-semibold" : ""}>
              <th scope="row" className="whitespace-nowrap">
                <Swatch band={row.key} />
                {row.label}
              </th>
              <td className="num">{row.before}</td>
              <td className="num">{row.after}</td>
              <td className="num">{row.change}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
