import { formatNumber } from "#lib/charts/format.ts";
import { HeadRow, numericHead } from "../ui/column-heads.tsx";

const HEADS = ["area", numericHead("used"), numericHead("cache"), numericHead("noncache")];

/** One row of `smem -w`; what cannot be known is absent. */
interface Row {
  readonly label: string;
  readonly usedKib: number | null | undefined;
  readonly cacheKib: number | null | undefined;
  readonly noncacheKib: number | null | undefined;
}

/** The table of `smem -w`, in kB as smem prints it. */
export function SmemTable({ rows }: { readonly rows: readonly Row[] }) {
  const number = (kib: number | null | undefined) => (kib == null ? "not known" : formatNumber(kib));
  return (
    <table className="grid-table" aria-label="smem -w">
      <thead>
        <HeadRow heads={HEADS} />
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            <td className="num">{number(row.usedKib)}</td>
            <td className="num">{number(row.cacheKib)}</td>
            <td className="num">{number(row.noncacheKib)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
