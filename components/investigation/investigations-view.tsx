"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FormEvent } from "react";
import { STATUS_TEXTS } from "#lib/charts/investigation-model.ts";
import type { InvestigationLine } from "#lib/charts/investigation-model.ts";
import { investigation, investigationStatus } from "#lib/contracts/investigation.ts";
import type { InvestigationStatus } from "#lib/contracts/investigation.ts";
import { ForRole } from "../account/access.tsx";
import { sendForAnswer } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import type { Options } from "../ui/choice.tsx";
import { Choice } from "../ui/choice.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { ListCount, NothingFits, SearchBox, useListSearch } from "../ui/list-search.tsx";
import { Pager } from "../ui/pager.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { Verdict } from "../ui/verdict.tsx";
import { ImportButton } from "./import-button.tsx";

interface Filter {
  readonly search: string;
  readonly status: InvestigationStatus | "";
  readonly page: number;
}

const STATUSES: Options = [
  ["", "any status"],
  ...investigationStatus.options.map((each) => [each, STATUS_TEXTS[each].word] as const),
];

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
  const list = useListSearch(filter, addressOf);
  const narrowed = filter.search !== "" || filter.status !== "";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2">
        <form role="search" className="contents" onSubmit={list.submit}>
          <SearchBox
            list={list}
            label="Search titles, texts and nodes"
            placeholder="Title, text or node"
            className="w-56"
          />
          <Choice
            label="Status"
            value={filter.status}
            options={STATUSES}
            onChoose={(status) =>
              list.go({ status: investigationStatus.options.find((each) => each === status) ?? "" })
            }
          />
          <Button type="submit">Search</Button>
        </form>
        <ListCount total={total} one="investigation" />
        <ForRole least="investigator">
          <Link href="/shares" className="text-sm text-accent-ink hover:underline">
            All share links
          </Link>
        </ForRole>
      </div>
      <ForRole least="investigator">
        <NewInvestigation />
        <ImportButton />
      </ForRole>
      {lines.length === 0 ? (
        narrowed ? (
          <NothingFits
            title="No investigation fits"
            onClear={() => {
              list.type("");
              list.go({ search: "", status: "" });
            }}
          />
        ) : (
          <StatePanel title="Nothing is being looked into yet">
            <p>
              <ForRole least="investigator" instead="Investigators open them.">
                Open a node of the fleet and press <kbd>i</kbd>: the chart in front of you becomes the first
                pinned view of a new investigation. Or name one above and begin with what you know.
              </ForRole>
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
        onPage={(page) => list.go({ page })}
      />
    </>
  );
}

function NewInvestigation() {
  const router = useRouter();
  const [title, setTitle] = useState("");
  const { fault, attempt } = useAttempt();
  const open = async (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    await attempt(async () => {
      const made = await sendForAnswer("POST", "/api/v1/investigations", { title }, investigation);
      router.push(`/investigations/${made.investigationId}`);
    });
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
        className={`${FIELD_CLASS} min-w-0 flex-1 placeholder:text-ink-3 md:max-w-md`}
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
