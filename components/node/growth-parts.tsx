"use client";

import { decompositionTable, shareModel, smallPartsText } from "#lib/charts/decomposition-model.ts";
import { formatWindow } from "#lib/charts/format-time.ts";
import type { Part } from "#lib/charts/node-data.ts";
import { BANDS } from "#lib/domain/memory/bands.ts";
import type { BandKey } from "#lib/domain/memory/bands.ts";
import type { DecomposedWhole, Decomposition } from "#lib/contracts/decomposition.ts";
import { Swatch } from "../charts/swatch.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { fileName } from "../ui/download.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Section } from "../ui/section.tsx";
import { CsvButton } from "./numbers-table.tsx";
import { PartFault } from "./part-fault.tsx";
import { ShareBar } from "./share-bar.tsx";

const headsFor = (unit: string) => [
  "part",
  numericHead("share, 95 %"),
  {
    key: "bar",
    content: <span className="sr-only">share as a bar</span>,
    className: "w-[26%] max-md:hidden",
  },
  numericHead(`${unit}, 95 %`),
];

function bandOf(key: string): BandKey | undefined {
  return BANDS.find((band) => band.key === key)?.key;
}

function Shares({ whole, caption }: { readonly whole: DecomposedWhole; readonly caption: string }) {
  const model = shareModel(whole);
  const small = smallPartsText(model.small);
  return (
    <>
      <ScrollTable label={caption} caption={caption} heads={headsFor(model.unit)}>
        {model.rows.map((row) => {
          const band = bandOf(row.key);
          return (
            <tr key={row.key}>
              <th scope="row" className="max-w-52 [overflow-wrap:anywhere]">
                {band ? <Swatch band={band} /> : null}
                {row.label}
              </th>
              <td className="num">
                {row.share} <span className="text-ink-2">{row.shareInterval}</span>
              </td>
              <td className="max-md:hidden">
                <ShareBar>
                  <rect
                    x={100 * row.bar[0]}
                    width={100 * (row.bar[1] - row.bar[0])}
                    y="0"
                    height="11"
                    fill={
                      band === undefined
                        ? "var(--band-sunrecl)"
                        : band === "unacc"
                          ? "var(--ink-3)"
                          : `var(--band-${band})`
                    }
                  />
                  <rect x={100 * model.zero - 0.2} width="0.4" y="0" height="11" fill="var(--ink-3)" />
                </ShareBar>
              </td>
              <td className="num">
                {row.slope} <span className="text-ink-2">{row.slopeInterval}</span>
              </td>
            </tr>
          );
        })}
      </ScrollTable>
      {small ? <p className="pt-1 text-sm text-ink-2">{small}</p> : null}
    </>
  );
}

/** What the growth is made of: bands, and within slab the caches. */
export function GrowthParts({
  part,
  name,
  zone,
  nowMs,
}: {
  readonly part: Part<Decomposition>;
  readonly name: string;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const data = part.ok ? part.data : undefined;
  return (
    <Section
      id="h-parts"
      title="What the growth is made of"
      note={data ? formatWindow(data.from, data.to, zone, nowMs) : undefined}
      tools={
        data?.bands ? (
          <CsvButton table={() => decompositionTable(data)} file={fileName(name, "growth")} />
        ) : null
      }
    >
      {part.ok ? (
        <>
          <p className="max-w-[80ch] pb-1 text-sm">{part.data.text}</p>
          {part.data.bands ? (
            <Shares whole={part.data.bands} caption="Bands of unreclaimable kernel memory" />
          ) : null}
          {part.data.bands && part.data.slab?.significant ? (
            <div className="pt-3">
              <p className="text-sm text-ink-2">within unreclaimable slab</p>
              <Shares whole={part.data.slab} caption="Caches within unreclaimable slab" />
            </div>
          ) : null}
        </>
      ) : (
        <PartFault part={part} title="What the growth is made of could not be read" />
      )}
    </Section>
  );
}
