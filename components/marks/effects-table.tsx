import type { ReactNode } from "react";
import type { ChangeRow } from "#lib/charts/change-point-model.ts";
import type { FollowedDeed } from "#lib/charts/experiment-model.ts";
import type { EstimateText } from "#lib/charts/format.ts";
import { DASH, formatNumber } from "#lib/charts/format.ts";
import { whiskerDomain } from "#lib/charts/marks-model.ts";
import type { EffectRow, Mark } from "#lib/charts/marks-model.ts";
import type { VerdictTone } from "#lib/charts/verdict.ts";
import { Standing } from "../experiments/standing.tsx";
import { VerdictCells } from "../experiments/verdict-cells.tsx";
import { InnerLink } from "../ui/inner-link.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { Whisker } from "../ui/whisker.tsx";

const PLOT_PX = 112;

type Domain = readonly [number, number];

const xOf = (value: number, [low, high]: Domain) => 3 + ((value - low) / (high - low)) * (PLOT_PX - 6);

function ticksOf([low, high]: Domain): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].find(
    (each) => (high - low) / each <= 4,
  );
  const every = step ?? (high - low) / 2;
  const first = Math.ceil(low / every);
  return Array.from({ length: Math.floor(high / every) - first + 1 }, (_, index) => (first + index) * every);
}

function Estimate({ text, label }: { readonly text: EstimateText | undefined; readonly label: string }) {
  if (!text) return <span className="text-ink-3 max-md:hidden">{DASH}</span>;
  return (
    <span className="effects-estimate">
      <span>
        <span className="text-xs text-ink-2 md:hidden">{label} </span>
        {text.value}
      </span>
      <span className="whitespace-nowrap text-ink-2"> {text.interval}</span>
    </span>
  );
}

/** Before above, after below, joined by a line, on the axis that all rows share. */
function BeforeAfter({
  row,
  domain,
  tone,
}: {
  readonly row: Pick<EffectRow, "beforePlot" | "afterPlot">;
  readonly domain: Domain;
  readonly tone: VerdictTone;
}) {
  const whisker = (values: readonly [number, number, number], middlePx: number, tone: VerdictTone) => (
    <Whisker values={values} xOf={(value) => xOf(value, domain)} middlePx={middlePx} tickPx={7} tone={tone} />
  );
  return (
    <svg
      width={PLOT_PX}
      height="20"
      viewBox={`0 0 ${PLOT_PX} 20`}
      aria-hidden="true"
      className="overflow-visible"
    >
      {ticksOf(domain).map((tick) => (
        <line
          key={tick}
          x1={xOf(tick, domain)}
          x2={xOf(tick, domain)}
          y1="-4"
          y2="24"
          stroke={tick === 0 ? "var(--ink-3)" : "var(--line)"}
        />
      ))}
      {row.beforePlot && row.afterPlot ? (
        <path
          d={`M${xOf(row.beforePlot[0], domain)} 5L${xOf(row.afterPlot[0], domain)} 15`}
          stroke="var(--ink-3)"
          fill="none"
        />
      ) : null}
      {row.beforePlot ? whisker(row.beforePlot, 5, "flat") : null}
      {row.afterPlot ? whisker(row.afterPlot, 15, tone) : null}
    </svg>
  );
}

/** The numbers of a row: slopes before and after, as text and on the axis that all share, and what changed. */
function SlopeCells({
  row,
  level,
  domain,
  tone,
}: {
  readonly row: Pick<EffectRow, "before" | "after" | "slopeChange" | "beforePlot" | "afterPlot">;
  readonly level: EstimateText | undefined;
  readonly domain: Domain;
  readonly tone: VerdictTone;
}) {
  return (
    <>
      <td role="cell">
        <Estimate text={row.before} label="before" />
      </td>
      <td role="cell">
        <Estimate text={row.after} label="after" />
      </td>
      <td role="cell" className="effects-plot">
        <BeforeAfter row={row} domain={domain} tone={tone} />
      </td>
      <td role="cell">
        <Estimate text={row.slopeChange} label="change of slope, MiB/h" />
      </td>
      <td role="cell">
        <Estimate text={level} label="change of level, MiB" />
      </td>
    </>
  );
}

/** A change point: nobody marked it, it was found in the data. */
function ChangePointRow({ row, domain }: { readonly row: ChangeRow; readonly domain: Domain }) {
  const slower = row.afterPlot[0] < row.beforePlot[0];
  return (
    <tr role="row">
      <td role="cell" className="effects-when whitespace-nowrap">
        <span className="mr-1.5 inline-block min-w-[17px] text-center" aria-hidden="true">
          <span className="inline-block size-[7px] bg-accent" />
        </span>
        {row.when}
      </td>
      <td role="cell" className="effects-event">
        slope changed <span className="whitespace-nowrap text-ink-2">95 %: {row.between}</span>
      </td>
      <td role="cell" className="effects-by text-ink-2">
        found
      </td>
      <SlopeCells row={row} level={undefined} domain={domain} tone={slower ? "ok" : "leaking"} />
      <td role="cell" className="effects-verdict text-ink-2 [overflow-wrap:anywhere]">
        {row.nearby.length > 0 ? `near: ${row.nearby.slice(0, 3).join("; ")}` : "nothing marked near"}
      </td>
    </tr>
  );
}

/**
 * What was tried and what happened: every mark of the window with its slopes, changes and verdicts; between them, the
 * moments at which the slope changed by itself.
 */
export function EffectsTable({
  rows,
  followed,
  changes,
  zoneLabel,
  onEdit,
  pinOf,
}: {
  readonly rows: readonly EffectRow[];
  /** What came of those that are followed, by annotation. */
  readonly followed: ReadonlyMap<number, FollowedDeed>;
  readonly changes: readonly ChangeRow[];
  readonly zoneLabel: string;
  /** Without this the marks are only read. */
  readonly onEdit?: (mark: Mark) => void;
  /** What pins the effect of a mark. */
  readonly pinOf?: (mark: Mark) => ReactNode;
}) {
  const domain = whiskerDomain([...rows, ...changes]);
  const inOrder = [
    ...rows.map((row) => ({ at: row.mark.annotation.at, row, change: undefined })),
    ...changes.map((change) => ({ at: change.at, row: undefined, change })),
  ].toSorted((a, b) => a.at - b.at);
  return (
    <table role="table" className="grid-table effects">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            {zoneLabel}
          </th>
          <th role="columnheader" scope="col">
            event
          </th>
          <th role="columnheader" scope="col">
            by
          </th>
          <th role="columnheader" scope="col">
            <span className="effects-estimate-head">before</span>
          </th>
          <th role="columnheader" scope="col">
            <span className="effects-estimate-head">after</span>
          </th>
          <th role="columnheader" scope="col" className="effects-plot">
            <span className="sr-only">before and after on one axis, MiB per hour</span>
            <svg width={PLOT_PX} height="12" aria-hidden="true" className="overflow-visible">
              {ticksOf(domain).map((tick) => (
                <text
                  key={tick}
                  x={xOf(tick, domain)}
                  y="10"
                  textAnchor="middle"
                  fontSize="11"
                  fill="var(--ink-2)"
                >
                  {formatNumber(tick)}
                </text>
              ))}
            </svg>
          </th>
          <th role="columnheader" scope="col">
            change of slope,
            <br />
            MiB/h
          </th>
          <th role="columnheader" scope="col">
            change of level,
            <br />
            MiB
          </th>
          <th role="columnheader" scope="col">
            verdict
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {inOrder.map(({ at, row, change }) => {
          if (change) return <ChangePointRow key={`found ${at}`} row={change} domain={domain} />;
          const { mark } = row;
          const { annotation } = mark;
          const deed = followed.get(annotation.annotationId);
          return (
            <tr
              role="row"
              key={annotation.annotationId}
              id={`mark-${annotation.annotationId}`}
              tabIndex={-1}
              className="focus:bg-select"
            >
              <td role="cell" className="effects-when whitespace-nowrap">
                <span className="mr-1.5 inline-block min-w-[17px] rounded-full border border-line-3 text-center text-[11px] leading-4">
                  {mark.number}
                </span>
                {row.when}
              </td>
              <td role="cell" className="effects-event">
                <div className="max-w-80 min-w-34 [overflow-wrap:anywhere]">
                  {mark.byMachine || onEdit === undefined ? (
                    mark.title
                  ) : (
                    <button
                      type="button"
                      className="text-left font-semibold hover:underline"
                      onClick={() => onEdit(mark)}
                    >
                      {mark.title}
                      <span className="sr-only">: change this mark</span>
                    </button>
                  )}
                </div>
              </td>
              <td role="cell" className="effects-by text-ink-2">
                <div className="max-w-32 [overflow-wrap:break-word]">{mark.author}</div>
              </td>
              <SlopeCells
                row={row}
                level={row.levelChange}
                domain={domain}
                tone={mark.verdict?.tone ?? "flat"}
              />
              <td role="cell" className="effects-verdict [overflow-wrap:anywhere] md:min-w-44">
                {mark.verdict ? <Verdict verdict={mark.verdict} wrap /> : null}
                {row.pending || row.controls ? (
                  <span className="text-ink-2">
                    {mark.verdict ? "; " : ""}
                    {[row.pending, row.controls].filter(Boolean).join("; ")}
                  </span>
                ) : null}
                {row.restsOn ? (
                  <div className="text-xs">
                    <InnerLink href={row.restsOn.href} className="text-ink-2">
                      {row.restsOn.text}
                    </InnerLink>
                  </div>
                ) : null}
                {pinOf?.(mark)}
                {deed ? (
                  <div className="mt-1 grid gap-0.5">
                    <VerdictCells cells={deed.cells} about={mark.title} />
                    <Standing standing={deed.standing} />
                  </div>
                ) : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
