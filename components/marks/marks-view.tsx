"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { formatNumber } from "#lib/charts/format.ts";
import type { MarkListFilter } from "#lib/charts/mark-filter.ts";
import type { MarkRow } from "#lib/charts/mark-list-model.ts";
import { annotationImport } from "#lib/contracts/annotation-csv.ts";
import { annotationKind } from "#lib/contracts/annotation.ts";
import { ForRole } from "../account/access.tsx";
import { ApiProblem, postText, send } from "../node/api-client.ts";
import { Button, LINK_BUTTON } from "../ui/button.tsx";
import type { Options } from "../ui/choice.tsx";
import { Choice } from "../ui/choice.tsx";
import { ListCount, NothingFits, SearchBox, useListSearch } from "../ui/list-search.tsx";
import { Pager } from "../ui/pager.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import type { MarkTask } from "./mark-dialog.tsx";
import { MarkEditor } from "./mark-editor.tsx";
import { MarkHistory } from "./mark-history.tsx";

interface MarksViewProps {
  readonly rows: readonly MarkRow[];
  readonly total: number;
  readonly pageSize: number;
  readonly tags: readonly string[];
  readonly filter: MarkListFilter;
  readonly isNarrowed: boolean;
  readonly nowMs: number;
}

const KINDS: Options = [
  ["", "any kind"],
  ...annotationKind.options.map((kind) => [kind, kind.replace("-", " ")] as const),
];
const STATES: Options = [
  ["kept", "standing"],
  ["deleted", "taken away"],
];

function queryOf(filter: MarkListFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (filter.search !== "") query.set("search", filter.search);
  for (const kind of filter.kinds) query.append("kind", kind);
  for (const tag of filter.tags) query.append("tag", tag);
  if (filter.state !== "kept") query.set("state", filter.state);
  return query;
}

function addressOf(filter: MarkListFilter): string {
  const query = queryOf(filter);
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size === 0 ? "/marks" : `/marks?${query.toString()}`;
}

/** The table of what the filter lets through, over all times. */
function csvAddress(filter: MarkListFilter): string {
  const query = queryOf(filter);
  query.set("from", "now-9y");
  query.set("to", "now+1y");
  return `/api/v1/annotations.csv?${query.toString()}`;
}

type Imported =
  { readonly ok: true; readonly said: string } | { readonly ok: false; readonly lines: readonly string[] };

async function importFile(file: File): Promise<Imported> {
  try {
    const { created, known, machine } = await postText(
      "/api/v1/annotations.csv",
      "text/csv",
      await file.text(),
      annotationImport,
    );
    const others = [
      known > 0 ? `${formatNumber(known)} were there already` : "",
      machine > 0 ? `${formatNumber(machine)} are of kinds that only the machine makes` : "",
    ].filter(Boolean);
    return { ok: true, said: [`${formatNumber(created)} imported`, ...others].join("; ") };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const lines = [...error.fields].map(([path, message]) => `${path}: ${message}`);
    return { ok: false, lines: lines.length > 0 ? lines : [error.message] };
  }
}

/** All marks, newest first: searched, narrowed, changed, taken away, with their history, and as CSV in both directions. */
export function MarksView({ rows, total, pageSize, tags, filter, isNarrowed, nowMs }: MarksViewProps) {
  const router = useRouter();
  const list = useListSearch(filter, addressOf);
  const [task, setTask] = useState<MarkTask>();
  const { fault, attempt } = useAttempt();
  const [imported, setImported] = useState<Imported>();
  const file = useRef<HTMLInputElement>(null);
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const takeAway = async (annotationId: number) => {
    await attempt(() => send("DELETE", `/api/v1/annotations/${annotationId}`));
    router.refresh();
  };
  const choose = async (files: FileList | null) => {
    const [chosen] = files ?? [];
    if (!chosen) return;
    setImported(await importFile(chosen));
    if (file.current) file.current.value = "";
    router.refresh();
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2">
        <form role="search" onSubmit={list.submit} className="contents">
          <SearchBox
            list={list}
            label="Search title, text, author, tag and node"
            placeholder="Title, text, author, tag or node"
            className="w-64"
          />
          <Choice
            label="Kind"
            value={filter.kinds[0] ?? ""}
            options={KINDS}
            onChoose={(kind) => list.go({ kinds: annotationKind.options.filter((each) => each === kind) })}
          />
          <Choice
            label="Tag"
            value={filter.tags[0] ?? ""}
            options={[["", "any tag"], ...tags.map((tag) => [tag, tag] as const)]}
            onChoose={(tag) => list.go({ tags: tag === "" ? [] : [tag] })}
            className="max-w-44"
          />
          <Choice
            label="State"
            value={filter.state}
            options={STATES}
            onChoose={(state) => list.go({ state: state === "deleted" ? "deleted" : "kept" })}
          />
          <Button type="submit">Search</Button>
        </form>
        <ListCount total={total} one="mark" />
        <ForRole least="investigator">
          <Button onClick={() => setTask({ kind: "create", atMs: nowMs })}>Mark</Button>
        </ForRole>
        <a href={csvAddress(filter)} download="marks.csv" className={LINK_BUTTON}>
          Export CSV
        </a>
        <ForRole least="investigator">
          <Button onClick={() => file.current?.click()}>Import CSV</Button>
          <input
            ref={file}
            type="file"
            accept=".csv,text/csv"
            aria-label="CSV file to import"
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => void choose(event.target.files)}
          />
        </ForRole>
      </div>
      <div aria-live="polite">
        {fault ? (
          <p role="alert" className="pb-2 text-sm text-leaking-ink">
            Not taken away: {fault}
          </p>
        ) : null}
        {imported?.ok ? <p className="pb-2 text-sm">{imported.said}.</p> : null}
        {imported && !imported.ok ? (
          <div role="alert" className="mb-2 border-l-2 border-leaking bg-surface-2 px-3 py-1.5 text-sm">
            <p>Nothing was imported:</p>
            <ul>
              {imported.lines.map((line) => (
                <li key={line} className="[overflow-wrap:anywhere]">
                  {line}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
      {rows.length === 0 ? (
        <NoMarks
          isNarrowed={isNarrowed}
          onClear={() => {
            list.type("");
            list.go({ search: "", kinds: [], tags: [], state: "kept" });
          }}
        />
      ) : (
        <ol aria-label="Marks, newest first">
          {rows.map((row) => (
            <Row
              key={row.mark.annotationId}
              row={row}
              nowMs={nowMs}
              onEdit={setTask}
              onDelete={(annotationId) => void takeAway(annotationId)}
              onTag={(tag) => list.go({ tags: [tag] })}
            />
          ))}
        </ol>
      )}
      <Pager label="Pages of marks" page={filter.page} pages={pages} onPage={(page) => list.go({ page })} />
      {task ? (
        <MarkEditor
          task={task}
          place={undefined}
          zone="UTC"
          nowMs={nowMs}
          onClose={() => setTask(undefined)}
          onWritten={() => router.refresh()}
        />
      ) : null}
    </>
  );
}

function NoMarks({ isNarrowed, onClear }: { readonly isNarrowed: boolean; readonly onClear: () => void }) {
  if (isNarrowed) return <NothingFits title="No mark fits" onClear={onClear} />;
  return (
    <StatePanel title="Nothing is marked yet">
      <p>
        <ForRole least="investigator" instead="Investigators mark what was done.">
          Press Mark above, or open a node and press <kbd>a</kbd> where something was done.
        </ForRole>{" "}
        Pipelines mark over <Link href="/docs/api">the API</Link>, also with Grafana{"\u2019"}s body at
        /api/annotations.
      </p>
    </StatePanel>
  );
}

function Row({
  row,
  nowMs,
  onEdit,
  onDelete,
  onTag,
}: {
  readonly row: MarkRow;
  readonly nowMs: number;
  readonly onEdit: (task: MarkTask) => void;
  readonly onDelete: (annotationId: number) => void;
  readonly onTag: (tag: string) => void;
}) {
  const { mark } = row;
  const [asked, setAsked] = useState(false);
  return (
    <li className="grid gap-x-5 gap-y-0.5 border-t border-line py-2.5 text-sm md:grid-cols-[150px_110px_minmax(0,1fr)_auto]">
      <div className="whitespace-nowrap">
        {row.href === undefined ? (
          row.when
        ) : (
          <Link href={row.href} prefetch={false}>
            {row.when}
          </Link>
        )}
        <span className="text-ink-2 md:block"> {row.length}</span>
      </div>
      <div className="text-ink-2">{mark.kind.replace("-", " ")}</div>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h2 className="font-semibold">{row.title}</h2>
        {row.text === "" ? null : <p className="max-w-[110ch] whitespace-pre-line">{row.text}</p>}
        <p className="text-ink-2">
          {row.where}, by {row.author}
          {row.gone === "" ? "" : `, ${row.gone}`}
        </p>
        {row.tags.length > 0 ? (
          <ul aria-label="Tags" className="flex flex-wrap gap-x-2 text-xs">
            {row.tags.map((tag, index) => (
              <li key={tag}>
                <button
                  type="button"
                  className="min-h-6 text-ink-2 hover:underline"
                  onClick={() => onTag(mark.tags[index] ?? tag)}
                >
                  #<bdi>{tag}</bdi>
                </button>
              </li>
            ))}
          </ul>
        ) : null}
        {mark.deletedAt === null ? null : (
          <MarkHistory annotationId={mark.annotationId} zone="UTC" nowMs={nowMs} />
        )}
      </div>
      <div>
        <ForRole least="investigator">
          {row.isEditable ? (
            <Button aria-label={`Change: ${row.title}`} onClick={() => onEdit({ kind: "edit", mark })}>
              Change
            </Button>
          ) : mark.deletedAt === null ? (
            <Button
              tone="danger"
              aria-label={`${asked ? "Really take it away" : "Take away"}: ${row.title}`}
              title="Made by the machine: a record, which is not changed"
              onClick={() => (asked ? onDelete(mark.annotationId) : setAsked(true))}
            >
              {asked ? "Really take it away" : "Take away"}
            </Button>
          ) : null}
        </ForRole>
      </div>
    </li>
  );
}
