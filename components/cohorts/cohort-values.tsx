"use client";

import type { CohortModel, CohortRow, EffectText } from "#lib/charts/cohort-model.ts";
import { DASH } from "#lib/charts/format.ts";
import { BlockTable } from "../ui/block-table.tsx";
import { InnerLink } from "../ui/inner-link.tsx";
import { Button } from "../ui/button.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { downloadCsv, fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { DotKey, SlopeAxis, SlopeStrip } from "./slope-strip.tsx";

function Effect({ effect, label }: { readonly effect: EffectText | undefined; readonly label: string }) {
  if (!effect) return <span className="text-ink-3 max-md:hidden">{DASH}</span>;
  return (
    <>
      <span className="text-xs text-ink-2 md:hidden">{label} </span>
      <b className="font-semibold">{effect.value}</b>{" "}
      <span className="text-ink-2">
        {effect.interval}, p {effect.pValue}
      </span>
    </>
  );
}

function ValueRow({
  row,
  ticks,
  unit,
}: {
  readonly row: CohortRow;
  readonly ticks: NonNullable<CohortModel["chosen"]>["ticks"];
  readonly unit: string;
}) {
  return (
    <tr
      role="row"
      className="max-md:block max-md:border-b max-md:border-line max-md:py-2 max-md:*:h-auto max-md:*:border-0 max-md:*:p-0"
    >
      <th role="rowheader" scope="row" className="max-w-[260px] max-md:block [overflow-wrap:anywhere]">
        <InnerLink href={row.fleetPath} className="font-semibold">
          <bdi>{row.label}</bdi>
        </InnerLink>
      </th>
      <td role="cell" className="num max-md:inline">
        {row.nodes}
        <span className="md:hidden"> {row.nodes === "1" ? "node" : "nodes"} </span>
      </td>
      <td role="cell" className="whitespace-nowrap max-md:inline">
        {row.leaking === undefined ? (
          <span className="text-ink-3 max-md:hidden">{DASH}</span>
        ) : (
          <>
            <b className="font-semibold">{row.leaking}</b>
            <span className="md:hidden"> leak</span>
          </>
        )}
        {row.aside ? <span className="text-ink-2"> {row.aside}</span> : null}
      </td>
      <td role="cell" className="w-[34%] min-w-[220px] max-md:block max-md:w-full">
        <SlopeStrip row={row} ticks={ticks} />
      </td>
      <td role="cell" className="num max-md:block max-md:text-left">
        <span className="text-xs text-ink-2 md:hidden">median </span>
        {row.median}
        <span className="md:hidden"> {unit}</span>
      </td>
      <td role="cell" className="whitespace-nowrap max-md:block">
        <Effect effect={row.difference} label="leaking, points" />
      </td>
      <td role="cell" className="whitespace-nowrap max-md:block">
        <Effect effect={row.shift} label={`shift, ${unit}`} />
      </td>
      <td role="cell" className="whitespace-nowrap max-md:block">
        <Effect effect={row.superiority} label="grows faster, share of pairs" />
      </td>
    </tr>
  );
}

/** The nodes of the chosen attribute by value: counts, growth of each node, and each value against all others. */
export function CohortValues({ chosen }: { readonly chosen: NonNullable<CohortModel["chosen"]> }) {
  const { label, text, unit, ticks, rows, table } = chosen;
  return (
    <Section
      id="values"
      title={`Nodes by ${label}`}
      note={text}
      tools={<Button onClick={() => downloadCsv(fileName("plumbline", "cohorts", label), table)}>CSV</Button>}
    >
      <p className="flex flex-wrap gap-x-4 py-1 text-xs text-ink-2">
        <span>
          <DotKey kind="leaking" /> leaking
        </span>
        <span>
          <DotKey kind="undecided" /> undecided
        </span>
        <span>
          <DotKey kind="healthy" /> healthy
        </span>
        <span>box: middle half of the nodes, line: median; a value opens its nodes</span>
      </p>
      <BlockTable
        region={`Table of nodes by ${label}`}
        label={`Nodes by ${label}`}
        heads={[
          "value",
          numericHead("nodes"),
          "leaking",
          {
            key: "growth",
            content: (
              <>
                growth, {unit}
                <SlopeAxis ticks={ticks} />
              </>
            ),
          },
          numericHead("median"),
          {
            key: "risk",
            content: (
              <>
                leaking against other values,
                <span className="block">points (95&nbsp;%), p</span>
              </>
            ),
          },
          {
            key: "shift",
            content: (
              <>
                shift of growth,
                <span className="block">{unit} (95&nbsp;%), p</span>
              </>
            ),
          },
          {
            key: "superiority",
            content: (
              <>
                grows faster,
                <span className="block">share of pairs (95&nbsp;%), p</span>
              </>
            ),
          },
        ]}
      >
        {rows.map((row) => (
          <ValueRow key={row.value ?? "\u0000"} row={row} ticks={ticks} unit={unit} />
        ))}
      </BlockTable>
    </Section>
  );
}
