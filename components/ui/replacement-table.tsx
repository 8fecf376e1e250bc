import { formatNumber } from "#lib/charts/format.ts";
import type { Replacement } from "#lib/domain/redaction/redact-text.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { numericHead } from "./column-heads.tsx";
import { KEPT_NAMES } from "./replaced-names.ts";
import { ScrollTable } from "./scroll-table.tsx";

const NAMES_SHOWN = 50;

/** What was put in place of names and addresses. */
export function ReplacementTable({ replacements }: { readonly replacements: readonly Replacement[] }) {
  return (
    <>
      <p className="text-sm text-ink-2">
        {replacements.length === 0
          ? "No name and no address was found."
          : `${formatCount(replacements.length, "name or address", "names and addresses")} replaced${replacements.length > NAMES_SHOWN ? `, of which ${NAMES_SHOWN} are listed` : ""}.`}{" "}
        {KEPT_NAMES} Look it through: not every name can be told from a word.
      </p>
      {replacements.length > 0 ? (
        <ScrollTable
          label="What was replaced"
          className="max-h-48 overflow-auto"
          heads={["in the text", "replaced by", numericHead("times")]}
        >
          {replacements.slice(0, NAMES_SHOWN).map(({ from, to, count }) => (
            <tr key={from}>
              <th scope="row" className="[overflow-wrap:anywhere]">
                <bdi>{from}</bdi>
              </th>
              <td>{to}</td>
              <td className="num">{formatNumber(count)}</td>
            </tr>
          ))}
        </ScrollTable>
      ) : null}
    </>
  );
}
