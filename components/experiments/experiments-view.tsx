"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { ExperimentRow } from "#lib/charts/experiment-model.ts";
import { ForRole } from "../account/access.tsx";
import { PinPage } from "../investigation/pin-button.tsx";
import { Button } from "../ui/button.tsx";
import type { Options } from "../ui/choice.tsx";
import { Choice } from "../ui/choice.tsx";
import { ListCount, NothingFits, SearchBox, useListSearch } from "../ui/list-search.tsx";
import { Pager } from "../ui/pager.tsx";
import { SimulatedBadge } from "../ui/simulated-badge.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { Standing } from "./standing.tsx";
import { VerdictCells } from "./verdict-cells.tsx";

/** What the list is narrowed to; empty strings narrow nothing. */
export interface ExperimentsFilter {
  readonly search: string;
  readonly status: string;
  readonly kind: string;
  readonly page: number;
}

function addressOf(filter: ExperimentsFilter): string {
  const query = new URLSearchParams();
  for (const name of ["search", "status", "kind"] as const) {
    if (filter[name] !== "") query.set(name, filter[name]);
  }
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size === 0 ? "/experiments" : `/experiments?${query.toString()}`;
}

const STANDINGS: Options = [
  ["", "any standing"],
  ["following", "following"],
  ["settled", "settled"],
  ["returned", "growth returned"],
  ["cannot-say", "cannot say"],
];
const KINDS: Options = [
  ["", "any kind"],
  ["intervention", "intervention"],
  ["deploy", "deploy"],
];

/** The log of what was done over the fleet and what came of it. Reads itself anew while it is looked at. */
export function ExperimentsView({
  rows,
  total,
  pageSize,
  filter,
}: {
  readonly rows: readonly ExperimentRow[];
  readonly total: number;
  readonly pageSize: number;
  readonly filter: ExperimentsFilter;
}) {
  const router = useRouter();
  const list = useListSearch(filter, addressOf);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, 60_000);
    return () => clearInterval(timer);
  }, [router]);

  const narrowed = filter.search !== "" || filter.status !== "" || filter.kind !== "";
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (total === 0 && !narrowed) {
    return (
      <StatePanel title="Nothing was tried yet">
        <p>
          <ForRole least="investigator" instead="An investigator marks an intervention on a node.">
            Open a node of the fleet, press <kbd>a</kbd> where something was done and choose intervention.
          </ForRole>{" "}
          It is then followed by itself: the slope after 1 h, 6 h, 24 h and 7 d, against nodes that were left
          alone.
        </p>
        <Link href="/" className="text-accent-ink hover:underline">
          To the fleet
        </Link>
      </StatePanel>
    );
  }
  return (
    <>
      <form
        role="search"
        onSubmit={list.submit}
        className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2"
      >
        <SearchBox
          list={list}
          label="Search title, text and node"
          placeholder="Title, text or node"
          className="w-56"
        />
        <Choice
          label="Standing"
          value={filter.status}
          options={STANDINGS}
          onChoose={(status) => list.go({ status })}
        />
        <Choice label="Kind" value={filter.kind} options={KINDS} onChoose={(kind) => list.go({ kind })} />
        <Button type="submit">Search</Button>
        <PinPage
          kind="table"
          caption="What was tried, and what came of it"
          suggestion="What helps, and what does not"
        />
        <ListCount total={total} one="experiment" />
      </form>
      {rows.length === 0 ? (
        <NothingFits
          title="No experiment fits"
          onClear={() => {
            list.type("");
            list.go({ search: "", status: "", kind: "" });
          }}
        />
      ) : (
        <ol aria-label="Experiments, newest first">
          {rows.map((row) => (
            <li
              key={row.annotationId}
              className="grid gap-x-6 gap-y-1 border-t border-line py-3 text-sm md:grid-cols-[minmax(0,1fr)_auto]"
            >
              <div className="min-w-0">
                <h2 className="font-semibold [overflow-wrap:anywhere]">
                  {row.href === undefined ? row.title : <Link href={row.href}>{row.title}</Link>}{" "}
                  {row.simulated ? <SimulatedBadge /> : null}
                </h2>
                <p className="[overflow-wrap:anywhere] text-ink-2">
                  {row.when}, {row.kind} by {row.author}, on {row.treated || "no node"}, {row.controls}
                </p>
              </div>
              <div className="grid content-start gap-1 md:justify-items-end">
                <VerdictCells cells={row.cells} about={row.title} />
                <Standing standing={row.standing} />
              </div>
              {row.sentence === "" ? null : (
                <div className="max-w-[110ch] [overflow-wrap:anywhere] md:col-span-2">
                  <p>
                    <span className="text-ink-2">{row.look}:</span> {row.sentence}
                  </p>
                  {row.href === undefined ? null : (
                    <Link href={row.href} prefetch={false} className="text-xs text-ink-2 hover:underline">
                      {row.restsOn}
                    </Link>
                  )}
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
      <Pager label="Pages of the log" page={filter.page} pages={pages} onPage={(page) => list.go({ page })} />
    </>
  );
}
