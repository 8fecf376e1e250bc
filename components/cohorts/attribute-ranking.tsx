import type { AttributeRow } from "#lib/charts/cohort-model.ts";
import { Section } from "../ui/section.tsx";
import { InnerLink } from "../ui/inner-link.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { BlockTable } from "../ui/block-table.tsx";
import { numericHead } from "../ui/column-heads.tsx";

const HEADS = [
  "attribute",
  "verdict",
  numericHead("separation"),
  numericHead("p"),
  numericHead("values"),
  "evidence",
];

/** Attributes by how well they separate leaking nodes from healthy ones; each opens its values. */
export function AttributeRanking({ rows }: { readonly rows: readonly AttributeRow[] }) {
  return (
    <Section
      id="attributes"
      title="What separates leaking nodes from healthy ones"
      note="separation: 1 foretells every node from the others of its value, 0 none; p corrected for all values of all attributes"
    >
      <BlockTable region="Table of attributes" label="Attributes" heads={HEADS}>
        {rows.map((row) => (
          <tr
            key={row.attribute}
            role="row"
            className={`max-md:block max-md:border-b max-md:border-line max-md:py-2 max-md:*:h-auto max-md:*:border-0 max-md:*:p-0 ${row.chosen ? "bg-select" : ""}`}
          >
            <th
              role="rowheader"
              scope="row"
              className="max-md:block max-md:[overflow-wrap:anywhere] md:whitespace-nowrap"
            >
              <InnerLink
                href={row.path}
                scroll={false}
                current={row.chosen}
                className={row.chosen ? "font-semibold text-ink" : ""}
              >
                <bdi>{row.label}</bdi>
              </InnerLink>
            </th>
            <td role="cell" className="max-md:inline">
              <Verdict verdict={row.verdict} />
            </td>
            <td role="cell" className="num max-md:inline">
              <span className="text-xs text-ink-2 md:hidden"> separation </span>
              {row.separation}
            </td>
            <td role="cell" className="num max-md:inline">
              <span className="text-xs text-ink-2 md:hidden"> p </span>
              {row.pValue}
            </td>
            <td role="cell" className="num max-md:inline">
              <span className="text-xs text-ink-2 md:hidden"> values </span>
              {row.values}
            </td>
            <td role="cell" className="text-ink-2 [overflow-wrap:anywhere] max-md:block md:min-w-[320px]">
              {row.text}
            </td>
          </tr>
        ))}
      </BlockTable>
    </Section>
  );
}
