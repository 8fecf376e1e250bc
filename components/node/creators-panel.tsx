"use client";

import { useMemo } from "react";
import { creatorsModel, creatorsTable } from "#lib/charts/creators-model.ts";
import type { Part } from "#lib/charts/node-data.ts";
import { DEFAULT_DRIVER } from "#lib/contracts/correlation.ts";
import type { CreatorList } from "#lib/contracts/creators.ts";
import { toCsv } from "#lib/contracts/csv.ts";
import { download, fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { PartFault } from "./part-fault.tsx";

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
  const save = (list: CreatorList) =>
    download(
      `${fileName(name, "creators")}.csv`,
      new Blob([toCsv(creatorsTable(list))], { type: "text/csv;charset=utf-8" }),
    );
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
            onClick={() => save(answer)}
          >
            CSV
          </button>
        ) : null
      }
    >
      <PartFault part={part} title="Who creates containers could not be read" />
      {answer && model ? (
        model.rows.length === 0 ? (
          <StatePanel title="No new container was seen" heading="h3">
            <p>{model.text}</p>
          </StatePanel>
        ) : (
          <>
            <div className="overflow-x-auto" role="group" aria-label="creators of containers" tabIndex={0}>
              <table className="grid-table">
                <caption className="sr-only">Creators of containers, most first</caption>
                <thead>
                  <tr>
                    <th scope="col">created by</th>
                    <th scope="col" className="num">
                      an hour
                    </th>
                    <th scope="col" className="num">
                      created
                    </th>
                    <th scope="col" className="num">
                      share
                    </th>
                    <th scope="col" className="w-[22%] max-md:hidden">
                      <span className="sr-only">share as a bar</span>
                    </th>
                    <th scope="col">growth against</th>
                  </tr>
                </thead>
                <tbody>
                  {model.rows.map((row) => (
                    <tr key={row.metric}>
                      <th scope="row" className="max-w-72 [overflow-wrap:anywhere]">
                        <bdi>{row.name}</bdi>
                      </th>
                      <td className="num">{row.perHour}</td>
                      <td className="num">{row.created}</td>
                      <td className="num">{row.share}</td>
                      <td className="max-md:hidden">
                        <svg
                          width="100%"
                          height="11"
                          viewBox="0 0 100 11"
                          preserveAspectRatio="none"
                          aria-hidden="true"
                        >
                          <rect width={row.barPercent} height="11" fill="var(--band-percpu)" />
                        </svg>
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
                </tbody>
              </table>
            </div>
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
