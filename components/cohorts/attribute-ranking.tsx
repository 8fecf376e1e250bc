import Link from "next/link";
import type { AttributeRow } from "#lib/charts/cohort-model.ts";
import { Section } from "../ui/section.tsx";
import { Verdict } from "../ui/verdict.tsx";

/** Attributes by how well they separate leaking nodes from healthy ones; each opens its values. */
export function AttributeRanking({ rows }: { readonly rows: readonly AttributeRow[] }) {
  return (
    <Section
      id="attributes"
      title="What separates leaking nodes from healthy ones"
      note="separation: 1 foretells every node from the others of its value, 0 none; p corrected for all values of all attributes"
    >
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of attributes">
        <table className="grid-table" aria-label="Attributes">
          <thead>
            <tr>
              <th scope="col">attribute</th>
              <th scope="col">verdict</th>
              <th scope="col" className="num">
                separation
              </th>
              <th scope="col" className="num">
                p
              </th>
              <th scope="col" className="num">
                values
              </th>
              <th scope="col">evidence</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.attribute} className={row.chosen ? "bg-select" : ""}>
                <th scope="row" className="whitespace-nowrap">
                  <Link
                    href={row.path}
                    prefetch={false}
                    scroll={false}
                    aria-current={row.chosen ? "true" : undefined}
                    className={row.chosen ? "font-semibold text-ink" : ""}
                  >
                    <bdi>{row.label}</bdi>
                  </Link>
                </th>
                <td>
                  <Verdict verdict={row.verdict} />
                </td>
                <td className="num">{row.separation}</td>
                <td className="num">{row.pValue}</td>
                <td className="num">{row.values}</td>
                <td className="min-w-[320px] text-ink-2 [overflow-wrap:anywhere]">{row.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
