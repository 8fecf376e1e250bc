"use client";

import { useMemo } from "react";
import { creatorsModel, creatorsTable } from "#lib/charts/creators-model.ts";
import type { Part } from "#lib/charts/node-data.ts";
import { DEFAULT_DRIVER } from "#lib/domain/memory/metrics.ts";
import type { CreatorList } from "#lib/contracts/creators.ts";
import { numericHead } from "../ui/column-heads.tsx";
import { downloadCsv, fileName } from "../ui/download.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { PartFault } from "./part-fault.tsx";
import { ShareBar } from "./share-bar.tsx";

const HEADS = [
  "created by",
  numericHead("an hour"),
  numericHead("created"),
  numericHead("share"),
  {
    key: "bar",
    content: <span className="sr-only">share as a bar</span>,
    className: "w-[22%] max-md:hidden",
  },
  "growth against",
];

/** Who creates the containers, most first; each may be what growth is held against. */
export function CreatorsPanel({
  name,
  part,
  driver,
  onDriver,
}: {
  /** Of the node, for the name of the file. */
  readonly name: string;
  readonly part: Part<CreatorList>;
  /** The series that growth is held against. */
  readonly driver: string;
  readonly onDriver: (metric: string) => void;
}) {
  const answer = part.ok ? part.data : undefined;
  const model = useMemo(() => (answer ? creatorsModel(answer, driver) : undefined), [answer, driver]);
  return (
    <Section
      id="h-creators"
      title="Who creates containers"
      note={model?.note}
      tools={
        answer && answer.creators.length > 0 ? (
          <button
            type="button"
            aria-label="creators of containers as CSV"
            className="px-0.5 text-accent-ink hover:underline"
            onClick={() => downloadCsv(fileName(name, "creators"), creatorsTable(answer))}
          >
            CSV
          </button>
        ) : null
      }
    >
      <PartFault part={part} title="Who creates containers could not be read" />
      {answer && model ? (
        model.rows.length === 0 ? (
          <StatePanel title={model.emptyTitle} heading="h3">
            <p>{model.text}</p>
          </StatePanel>
        ) : (
          <>
            <ScrollTable
              label="creators of containers"
              caption="Creators of containers, most first"
              heads={HEADS}
            >
              {model.rows.map((row) => (
                <tr key={row.metric}>
                  <th scope="row" className="max-w-72 min-w-36 [overflow-wrap:anywhere]">
                    <bdi>{row.name}</bdi>
                  </th>
                  <td className="num">{row.perHour}</td>
                  <td className="num">{row.created}</td>
                  <td className="num">{row.share}</td>
                  <td className="max-md:hidden">
                    <ShareBar>
                      <rect width={row.barPercent} height="11" fill="var(--band-percpu)" />
                    </ShareBar>
                  </td>
                  <td>
                    <button
                      type="button"
                      aria-pressed={row.isDriver}
                      aria-label={`growth against containers of ${row.name}`}
                      className={
                        row.isDriver
                          ? "font-medium whitespace-nowrap underline"
                          : "whitespace-nowrap text-accent-ink hover:underline"
                      }
                      onClick={() => onDriver(row.isDriver ? DEFAULT_DRIVER : row.metric)}
                    >
                      {row.isDriver ? "these" : "choose"}
                    </button>
                  </td>
                </tr>
              ))}
            </ScrollTable>
            <p className="max-w-[100ch] pt-1 text-pretty text-sm text-ink-2">
              {model.text}
              {answer.startedBy === null ? "" : ` Containers started are counted from: ${answer.startedBy}.`}
            </p>
            {model.driverName === undefined ? null : (
              <p className="pt-1 text-sm">
                Growth above is held against containers of{" "}
                <bdi className="font-medium">{model.driverName}</bdi> alone.{" "}
                <button
                  type="button"
                  className="text-accent-ink hover:underline"
                  onClick={() => onDriver(DEFAULT_DRIVER)}
                >
                  Take all containers
                </button>
              </p>
            )}
          </>
        )
      ) : null}
    </Section>
  );
}
