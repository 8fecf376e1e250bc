"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { logLines } from "#lib/charts/investigation-model.ts";
import type { LogFilter, LogLine } from "#lib/charts/investigation-model.ts";
import type { Entry } from "#lib/contracts/investigation.ts";
import { ForRole } from "../account/access.tsx";
import { send } from "../node/api-client.ts";
import { Button, Segments } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { DraftNote } from "./draft-note.tsx";
import { Markdown } from "./markdown.tsx";
import { useDraft } from "./use-draft.ts";

const FILTERS: readonly { value: LogFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "people", label: "People" },
  { value: "program", label: "Program" },
];

/** The log on its line of time, newest first: what people wrote, and what the program saw. */
export function LogList({
  path,
  entries,
  total,
  zone,
  onChanged,
}: {
  /** Of the investigation, in the API. */
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly zone: string;
  readonly onChanged: () => void;
}) {
  const [filter, setFilter] = useState<LogFilter>("all");
  const { value, restored, type, sent } = useDraft(`${path}/log`, (text) =>
    entries.some((each) => each.kind === "note" && each.text === text.trim()),
  );
  const { busy, fault, attempt } = useAttempt();
  const act = (work: () => Promise<void>) =>
    attempt(async () => {
      await work();
      onChanged();
    });
  const write = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() === "" || busy) return;
    void act(async () => {
      await send("POST", `${path}/log`, { text: value });
      sent(value);
    });
  };
  const lines = logLines(entries, filter, { zone });
  return (
    <Section
      id="h-log"
      title="Log"
      note={total > entries.length ? `the newest ${entries.length} of ${total}` : undefined}
      tools={<Segments label="Show" options={FILTERS} value={filter} onChoose={setFilter} />}
    >
      <ForRole least="investigator">
        <form onSubmit={write} className="grid gap-1.5 pb-2">
          <textarea
            aria-label="Write to the log, Markdown"
            value={value}
            rows={2}
            onChange={(event) => type(event.target.value)}
            placeholder="What you saw or did"
            className="w-full rounded-2 border border-line-3 bg-surface px-2 py-1 text-sm text-ink placeholder:text-ink-3"
          />
          <span className="flex flex-wrap items-baseline gap-x-3 text-sm">
            <Button type="submit">Comment</Button>
            <DraftNote restored={restored} />
          </span>
        </form>
      </ForRole>
      {fault ? (
        <p role="alert" className="text-sm text-leaking-ink">
          Not written: {fault} This browser keeps the text.
        </p>
      ) : null}
      {lines.length === 0 ? <p className="text-sm text-ink-2">Nothing here yet.</p> : null}
      <ol aria-label="Log, newest first" className="text-sm leading-[17px]">
        {lines.map((line) => (
          <Line
            key={line.entry.entryId}
            line={line}
            onRemove={() => void act(() => send("DELETE", `${path}/log/${line.entry.entryId}`))}
          />
        ))}
      </ol>
    </Section>
  );
}

function Line({ line, onRemove }: { readonly line: LogLine; readonly onRemove: () => void }) {
  const [asked, setAsked] = useState(false);
  const { entry, by, text, author, time, day } = line;
  const ink = line.isGrave ? "text-leaking-ink" : by === "program" ? "text-ink-2" : "";
  return (
    <li>
      {day === undefined ? null : <p className="pt-2 pb-0.5 font-semibold text-ink-2">{day}</p>}
      <div className="group grid grid-cols-[44px_minmax(0,1fr)_auto] gap-x-2.5 border-b border-line py-1">
        <time className="text-ink-2">{time}</time>
        <div className={`min-w-0 [overflow-wrap:anywhere] ${ink}`}>
          {entry.kind === "note" ? (
            <>
              <span className="text-ink-2">{author}:</span> <Markdown text={entry.text} />
            </>
          ) : entry.kind === "change" ? (
            `${author} ${text}`
          ) : (
            <span className="whitespace-pre-line">{text}</span>
          )}
        </div>
        {entry.kind === "change" ? null : (
          <ForRole least="investigator">
            <button
              type="button"
              aria-label={`${asked ? "Really take away" : "Take away"} the entry of ${time}`}
              className="min-h-6 min-w-6 self-start text-ink-3 hover:text-ink"
              onClick={() => (asked ? onRemove() : setAsked(true))}
            >
              {asked ? "really?" : "\u00d7"}
            </button>
          </ForRole>
        )}
      </div>
    </li>
  );
}
