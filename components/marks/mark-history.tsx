"use client";

import { useEffect, useState } from "react";
import { annotationHistory } from "#lib/contracts/annotation.ts";
import type { AnnotationHistory } from "#lib/contracts/annotation.ts";
import { historyRows } from "#lib/charts/mark-history-model.ts";
import { ApiProblem, getJson } from "../node/api-client.ts";

type Read = { readonly history: AnnotationHistory } | { readonly fault: string } | undefined;

/** Everything that a mark ever said: who changed what when, read when it is opened. */
export function MarkHistory({
  annotationId,
  zone,
  nowMs,
}: {
  readonly annotationId: number;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState<Read>();
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    getJson(`/api/v1/annotations/${annotationId}/history`, annotationHistory, ended.signal).then(
      (history) => setRead({ history }),
      (error: unknown) => {
        if (!ended.signal.aborted)
          setRead({ fault: error instanceof ApiProblem ? error.message : "The history could not be read." });
      },
    );
    return () => ended.abort();
  }, [open, annotationId]);
  return (
    <details
      className="mt-3 border-t border-line-2 pt-2 text-sm"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer text-ink-2">History</summary>
      {read === undefined ? <p className="py-1 text-ink-2">Reading{"\u2026"}</p> : null}
      {read && "fault" in read ? (
        <p role="alert" className="py-1 text-leaking-ink">
          {read.fault}
        </p>
      ) : null}
      {read && "history" in read ? (
        <ol aria-label="Versions of the mark, newest first" className="grid gap-2 py-1">
          {historyRows(read.history, { zone, nowMs }).map((row) => (
            <li key={row.key} className="[overflow-wrap:anywhere]">
              <p>
                <span className="text-ink-2">{row.when}</span> {row.what}
              </p>
              {row.changes.map((change) => (
                <p key={change.field} className="pl-3 whitespace-pre-line">
                  <span className="text-ink-2">{change.field}: </span>
                  {change.before === undefined ? null : (
                    <>
                      <del className="text-ink-2">{change.before}</del> {"\u2192"}{" "}
                    </>
                  )}
                  {change.after}
                </p>
              ))}
            </li>
          ))}
        </ol>
      ) : null}
    </details>
  );
}
