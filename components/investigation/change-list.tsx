"use client";

import { useEffect, useState } from "react";
import { changeLines } from "#lib/charts/investigation-model.ts";
import { investigationHistory } from "#lib/contracts/investigation.ts";
import type { InvestigationHistory } from "#lib/contracts/investigation.ts";
import { ApiProblem, getJson } from "../node/api-client.ts";

type Read = { readonly history: InvestigationHistory } | { readonly fault: string } | undefined;

/** Every change of an investigation with what stood before, read when it is opened. */
export function ChangeList({
  path,
  version,
  zone,
  nowMs,
}: {
  /** Of the investigation, in the API. */
  readonly path: string;
  readonly version: number;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState<Read>();
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    getJson(`${path}/history`, investigationHistory, ended.signal).then(
      (history) => setRead({ history }),
      (error: unknown) => {
        if (!ended.signal.aborted)
          setRead({ fault: error instanceof ApiProblem ? error.message : "The history could not be read." });
      },
    );
    return () => ended.abort();
  }, [open, path, version]);
  return (
    <details
      className="mt-6 border-t border-line-2 pt-2 text-sm"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer text-ink-2">History of all texts</summary>
      {read === undefined ? <p className="py-1 text-ink-2">Reading{"\u2026"}</p> : null}
      {read && "fault" in read ? (
        <p role="alert" className="py-1 text-leaking-ink">
          {read.fault}
        </p>
      ) : null}
      {read && "history" in read ? (
        <ol aria-label="Changes, newest first" className="grid gap-2 py-1">
          {changeLines(read.history, { zone, nowMs }).map((line) => (
            <li key={line.key} className="[overflow-wrap:anywhere]">
              <p>
                <span className="text-ink-2">{line.when}</span> {line.what}
              </p>
              {line.fields.map((field) => (
                <div key={field.name} className="grid gap-0.5 pl-3 whitespace-pre-line">
                  <span className="text-ink-2">{field.name}</span>
                  {field.before === undefined ? null : <del className="text-ink-2">{field.before}</del>}
                  {field.after === undefined ? null : <span>{field.after}</span>}
                </div>
              ))}
            </li>
          ))}
        </ol>
      ) : null}
    </details>
  );
}
