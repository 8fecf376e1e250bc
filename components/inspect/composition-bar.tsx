import { bandRows } from "#lib/charts/dump-model.ts";
import { formatKib, formatNumber } from "#lib/charts/format.ts";
import type { CompositionRecord } from "#lib/domain/diagnosis/explain.ts";
import { bandFill, Swatch } from "../charts/swatch.tsx";

/** A composition as one bar and its rows: the bands, in their colours and order everywhere, add up to MemTotal. */
export function CompositionBar({ composition }: { readonly composition: CompositionRecord }) {
  const rows = bandRows(composition);
  const label = rows
    .filter(({ part }) => part >= 0.01)
    .map(({ label: name, share }) => `${name} ${share}`)
    .join(", ");
  return (
    <>
      <div
        role="img"
        aria-label={`Composition: ${label}`}
        className="mt-2 mb-1.5 flex h-[34px] border border-line-3"
      >
        {rows.map(({ key, part }) => (
          <span
            key={key}
            className="block border-r border-surface last:border-r-0"
            style={{
              width: `${part * 100}%`,
              background: bandFill(key),
              display: part === 0 ? "none" : undefined,
            }}
          />
        ))}
      </div>
      <table className="readout grid-table" aria-label="Composition">
        <thead className="sr-only">
          <tr>
            <th scope="col">band</th>
            <th scope="col">KiB</th>
            <th scope="col">size</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className={row.part < 0.001 && !row.kib.startsWith("−") ? "text-ink-2" : ""}>
              <th scope="row">
                <Swatch band={row.key} />
                {row.label}
              </th>
              <td className="num max-md:hidden">{row.kib} KiB</td>
              <td className="num">{row.size}</td>
              <td className="num">{row.share}</td>
            </tr>
          ))}
          <tr className="readout-total font-semibold">
            <th scope="row">MemTotal</th>
            <td className="num max-md:hidden">{formatNumber(composition.totalKib)} KiB</td>
            <td className="num">{formatKib(composition.totalKib)}</td>
            <td className="num" />
          </tr>
        </tbody>
      </table>
      {composition.notes.map((note) => (
        <p key={note} className="mt-1 text-sm text-ink-2">
          {note}
        </p>
      ))}
    </>
  );
}
