"use client";

import { useState } from "react";
import { bandRows, sampleColumns } from "#lib/charts/dump-model.ts";
import { formatDuration } from "#lib/charts/format.ts";
import type { ComposedSample } from "#lib/domain/diagnosis/read-paste.ts";
import { bandFill } from "../charts/swatch.tsx";
import { Segments } from "../ui/button.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Section } from "../ui/section.tsx";
import { DifferenceTable } from "./difference-table.tsx";

const HEIGHT_PX = 220;
const HOUR_MS = 3_600_000;

/** Several samples of one text as columns, and the difference of the first and the last. */
export function SampleChart({
  samples,
  oneMachine,
}: {
  readonly samples: readonly ComposedSample[];
  readonly oneMachine: boolean;
}) {
  const [shown, setShown] = useState<"kernel" | "all">("kernel");
  const model = sampleColumns(samples, shown === "kernel");
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last) return null;
  const hours = last.hours;
  const apart = hours === undefined || hours === 0 ? "" : `, ${formatDuration(hours * HOUR_MS)} apart`;
  return (
    <Section
      id="h-samples"
      title={oneMachine ? "Over time" : "Side by side"}
      note={`${samples.length} samples${oneMachine ? `, first and last${apart}` : ", with captions of their own: not one machine over time"}; one column each, evenly spaced`}
      tools={
        <Segments
          label="What the columns show"
          options={[
            { value: "kernel", label: "Kernel, tmpfs, huge pages" },
            { value: "all", label: "All memory" },
          ]}
          value={shown}
          onChoose={setShown}
        />
      }
    >
      <div role="img" aria-label={model.description} className="pt-1">
        <p className="text-xs text-ink-2">{model.top}</p>
        <div className="relative flex gap-px border-t border-line" style={{ height: HEIGHT_PX }}>
          {model.columns.map((column, index) => (
            <div key={index} className="relative min-w-px flex-1">
              {column.parts.map(({ key, from, to }) => (
                <span
                  key={key}
                  className="absolute inset-x-0 border-t border-surface"
                  style={{
                    bottom: `${from * 100}%`,
                    height: `${(to - from) * 100}%`,
                    background: bandFill(key),
                  }}
                />
              ))}
            </div>
          ))}
          <span
            className="absolute inset-x-0 border-t border-ink-3"
            style={{ bottom: `${model.zero * 100}%` }}
          />
        </div>
        <div className="flex justify-between gap-3 pt-1 text-xs text-ink-2">
          <bdi>{first.name}</bdi>
          <bdi className="text-right">{last.name}</bdi>
        </div>
      </div>
      <div className="pt-2">
        <DifferenceTable before={first} after={last} />
      </div>
      {samples.length > 2 ? (
        <details className="mt-2">
          <summary className="cursor-pointer text-sm text-accent-ink">All samples as a table</summary>
          <ScrollTable
            label="All samples"
            className="max-h-[420px] overflow-auto"
            heads={["sample", ...bandRows(last.composition).map(({ label }) => numericHead(label))]}
          >
            {samples.map(({ name, composition }, index) => {
              const rows = new Map(bandRows(composition).map((row) => [row.key, row.size]));
              return (
                <tr key={index}>
                  <th scope="row" className="whitespace-nowrap">
                    <bdi>{name}</bdi>
                  </th>
                  {bandRows(last.composition).map(({ key }) => (
                    <td key={key} className="num">
                      {rows.get(key) ?? "not reported"}
                    </td>
                  ))}
                </tr>
              );
            })}
          </ScrollTable>
        </details>
      ) : null}
    </Section>
  );
}
