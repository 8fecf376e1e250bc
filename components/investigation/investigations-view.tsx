"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FormEvent } from "react";
import { formatNumber } from "#lib/charts/format.ts";
import { STATUS_TEXTS } from "#lib/charts/investigation-model.ts";
import type { InvestigationLine } from "#lib/charts/investigation-model.ts";
import { investigation, investigationStatus } from "#lib/contracts/investigation.ts";
import type { InvestigationStatus } from "#lib/contracts/investigation.ts";
import { ApiProblem, sendForAnswer } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { Pager } from "../ui/pager.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { Verdict } from "../ui/verdict.tsx";

interface Filter {
  readonly search: string;
  readonly status: InvestigationStatus | "";
  readonly page: number;
}

const FIELD = "h-8 rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink md:h-7";

function addressOf({ search, status, page }: Filter): string {
  const query = new URLSearchParams();
  if (search !== "") query.set("search", search);
  if (status !== "") query.set("status", status);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? "/investigations" : `/investigations?${query.toString()}`;
}

/** All investigations, the last changed first, and the way to a new one. */
export function InvestigationsView({
  lines,
  total,
  pageSize,
  filter,
}: {
  readonly lines: readonly InvestigationLine[];
  readonly total: number;
  readonly pageSize: number;
  readonly filter: Filter;
}) {
  const router = useRouter();
  const [search, setSearch] = useState(filter.search);
  const go = (change: Partial<Filter>) =>
    router.replace(addressOf({ ...filter, search: search.trim(), page: 1, ...change }));
  const narrowed = filter.search !== "" || filter.status !== "";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2">
        <form
          role="search"
          className="contents"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            go({});
          }}
        >
          <input
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            maxLength={200}
            aria-label="Search titles, texts and nodes"
            placeholder="Title, text or node"
            className={`${FIELD} w-56 placeholder:text-ink-3 max-md:flex-1`}
          />
          <select
            aria-label="Status"
            value={filter.status}
            onChange={({ target }) =>
              go({ status: investigationStatus.options.find((each) => each === target.value) ?? "" })
            }
            className={FIELD}
          >
            <option value="">any status</option>
            {investigationStatus.options.map((each) => (
              <option key={each} value={each}>
                {STATUS_TEXTS[each].word}
              </option>
            ))}
          </select>
          <Button type="submit">Search</Button>
        </form>
        <span className="flex-1" />
        <span className="text-sm text-ink-2" aria-live="polite">
          {formatNumber(total)} {total === 1 ? "investigation" : "investigations"}
        </span>
      </div>
      <NewInvestigation />
      {lines.length === 0 ? (
        narrowed ? (
          <StatePanel title="No investigation fits">
            <p>The filter hides them all.</p>
            <Button
              onClick={() => {
                setSearch("");
                go({ search: "", status: "" });
              }}
            >
              Clear the filter
            </Button>
          </StatePanel>
        ) : (
          <StatePanel title="Nothing is being looked into yet">
            <p>
              Open a node of the fleet and press <kbd>i</kbd>: the chart in front of you becomes the first
              pinned view of a new investigation. Or name one above and begin with what you know.
            </p>
            <Link href="/" className="text-accent-ink hover:underline">
              To the fleet
            </Link>
          </StatePanel>
        )
      ) : (
        <ol aria-label="Investigations, the last changed first">
          {lines.map((line) => (
            <li
              key={line.investigationId}
              className="grid gap-x-6 gap-y-0.5 border-t border-line py-2.5 text-sm md:grid-cols-[110px_minmax(0,1fr)_auto]"
            >
              <Verdict verdict={line.status} />
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <h2 className="text-base font-semibold">
                  <Link href={`/investigations/${line.investigationId}`} prefetch={false}>
                    {line.title}
                  </Link>
                </h2>
                <p className="text-ink-2">
                  {[line.nodes, line.hypotheses, line.pins].filter(Boolean).join("; ")}
                </p>
              </div>
              <p className="text-ink-2 md:text-right">{line.changed}</p>
            </li>
          ))}
        </ol>
      )}
      <Pager
        label="Pages of investigations"
        page={filter.page}
        pages={Math.max(1, Math.ceil(total / pageSize))}
        onPage={(page) => go({ page })}
      />
    </>
  );
}

function NewInvestigation() {
  const router = useRouter();
  const [title, setTitle] = useState("");
  const [fault, setFault] = useState("");
  const open = async (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    try {
      const made = await sendForAnswer("POST", "/api/v1/investigations", { title }, investigation);
      router.push(`/investigations/${made.investigationId}`);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setFault(error.message);
    }
  };
  return (
    <form onSubmit={(event) => void open(event)} className="flex flex-wrap items-center gap-2 pb-3">
      <input
        aria-label="Title of a new investigation"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        maxLength={200}
        placeholder="What is to be found out"
        autoComplete="off"
        className={`${FIELD} min-w-0 flex-1 placeholder:text-ink-3 md:max-w-md`}
      />
      <Button type="submit" tone="primary">
        Open an investigation
      </Button>
      {fault ? (
        <span role="alert" className="text-sm text-leaking-ink">
          Not opened: {fault}
        </span>
      ) : null}
    </form>
  );
}
