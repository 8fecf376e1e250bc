import { compareDomain } from "#lib/charts/compare-model.ts";
import type { CompareRow, CompareText } from "#lib/charts/compare-model.ts";
import { Swatch } from "../charts/swatch.tsx";
import { BlockTable } from "../ui/block-table.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { Whisker } from "../ui/whisker.tsx";

const PLOT_PX = 150;
/** Where there is little room the interval stands below its value, so that nothing is cut off at the right. */
const ESTIMATE = "whitespace-nowrap max-lg:whitespace-normal";

function Text({ text, label }: { readonly text: CompareText | undefined; readonly label?: string }) {
  if (!text) return null;
  return (
    <>
      {label === undefined ? null : <span className="text-xs text-ink-2 md:hidden">{label} </span>}
      <b className="font-semibold whitespace-nowrap">{text.value}</b>{" "}
      <span className="whitespace-nowrap text-ink-2">{text.interval}</span>
    </>
  );
}

/** How every metric differs: levels and slopes of both sides, the differences with intervals, whiskers on one axis. */
export function DifferenceTable({
  rows,
  chosen,
  onChoose,
}: {
  readonly rows: readonly CompareRow[];
  readonly chosen: string;
  readonly onChoose: (metric: string) => void;
}) {
  const domain = compareDomain(rows);
  const xOf = (value: number) => 3 + ((value - domain[0]) / (domain[1] - domain[0])) * (PLOT_PX - 6);
  return (
    <BlockTable
      region="Table of differences"
      label="Differences by band"
      heads={[
        "memory",
        numericHead("level, A"),
        numericHead("level, B"),
        { key: "level", content: <>level, B less A (95&nbsp;%)</> },
        "growth, A, MiB/h",
        "growth, B, MiB/h",
        { key: "growth", content: <>growth, B less A, MiB/h (95&nbsp;%)</> },
        {
          key: "plot",
          content: (
            <>
              <span className="sr-only">difference of growth on one axis, with zero</span>
              <svg width={PLOT_PX} height="12" aria-hidden="true" className="overflow-visible">
                <text x={xOf(0)} y="10" textAnchor="middle" fontSize="11" fill="var(--ink-2)">
                  0
                </text>
              </svg>
            </>
          ),
        },
      ]}
    >
      {rows.map((row) => (
        <tr
          role="row"
          key={row.metric}
          className={`max-md:block max-md:border-b max-md:border-line max-md:py-1.5 ${row.alike ? "[&_b]:font-normal [&_b]:text-ink-2" : ""} ${row.metric === chosen ? "bg-select" : ""}`}
        >
          <th
            role="rowheader"
            scope="row"
            className={`whitespace-nowrap max-md:block max-md:h-auto max-md:border-0 ${row.band === undefined ? "font-semibold" : ""}`}
          >
            {row.band === undefined ? null : <Swatch band={row.band} />}
            <button
              type="button"
              aria-pressed={row.metric === chosen}
              aria-label={`Show ${row.label} in the chart`}
              className="text-left text-accent-ink hover:underline"
              onClick={() => onChoose(row.metric)}
            >
              {row.label}
            </button>
          </th>
          {row.reason === undefined ? (
            <>
              <td role="cell" className="num max-md:hidden">
                {row.levelA}
              </td>
              <td role="cell" className="num max-md:hidden">
                {row.levelB}
              </td>
              <td role="cell" className={`${ESTIMATE} max-md:block max-md:h-auto max-md:border-0 max-md:p-0`}>
                <Text text={row.level} label="level, B less A" />
              </td>
              <td role="cell" className={`${ESTIMATE} max-md:hidden`}>
                <Text text={row.slopeA} />
              </td>
              <td role="cell" className={`${ESTIMATE} max-md:hidden`}>
                <Text text={row.slopeB} />
              </td>
              <td role="cell" className={`${ESTIMATE} max-md:block max-md:h-auto max-md:border-0 max-md:p-0`}>
                <Text text={row.slope} label="growth, B less A, MiB/h" />
              </td>
              <td
                role="cell"
                className={
                  row.alike ? "max-md:hidden" : "max-md:block max-md:h-auto max-md:border-0 max-md:p-0"
                }
              >
                <svg
                  width={PLOT_PX}
                  height="18"
                  viewBox={`0 0 ${PLOT_PX} 18`}
                  aria-hidden="true"
                  className="overflow-visible max-md:overflow-hidden"
                >
                  <path d={`M${xOf(0)} -5V23`} stroke="var(--ink-3)" />
                  {row.plot ? (
                    <Whisker values={row.plot} xOf={xOf} middlePx={9} tickPx={11} tone={row.tone} />
                  ) : null}
                </svg>
              </td>
            </>
          ) : (
            <td
              role="cell"
              colSpan={7}
              className="text-ink-2 max-md:block max-md:h-auto max-md:border-0 max-md:p-0"
            >
              cannot say: {row.reason}
            </td>
          )}
        </tr>
      ))}
    </BlockTable>
  );
}
