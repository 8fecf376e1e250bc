import { differenceRows, totalRow } from "#lib/charts/dump-model.ts";
import type { CompositionRecord } from "#lib/domain/diagnosis/explain.ts";
import { Swatch } from "../charts/swatch.tsx";
import { HeadRow, numericHead } from "../ui/column-heads.tsx";

/** A composition and what tells it from the other one. */
interface Side {
  readonly name: string;
  readonly composition: CompositionRecord;
}

/** On a phone a name of many characters breaks, so that the change stays in sight. */
function SideName({ name }: { readonly name: string }) {
  return (
    <bdi className="max-md:ml-auto max-md:block max-md:max-w-[13ch] max-md:whitespace-normal max-md:[overflow-wrap:anywhere]">
      {name}
    </bdi>
  );
}

/** Two compositions and their difference by band, which adds up to that of all memory; the largest changes stand out. */
export function DifferenceTable({ before, after }: { readonly before: Side; readonly after: Side }) {
  const rows = differenceRows(before.composition, after.composition);
  const total = totalRow(before.composition, after.composition);
  return (
    <div className="overflow-x-auto" role="group" aria-label="Difference by band" tabIndex={0}>
      <table className="readout grid-table" aria-label="Difference by band">
        <thead>
          <HeadRow
            heads={[
              "band",
              { key: "before", content: <SideName name={before.name} />, numeric: true },
              { key: "after", content: <SideName name={after.name} />, numeric: true },
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
          <tr className="readout-total font-semibold">
            <th scope="row">MemTotal</th>
            <td className="num">{total.before}</td>
            <td className="num">{total.after}</td>
            <td className="num">{total.change}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
