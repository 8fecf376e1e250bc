"use client";

import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { ApiProblem, getJson } from "../node/api-client.ts";

type Read<History> = { readonly history: History } | { readonly fault: string } | undefined;

/** The history of something, read when it is opened and again for another `version`. */
export function HistoryDetails<History>({
  title,
  path,
  contract,
  version,
  className,
  children,
}: {
  readonly title: string;
  /** Of the history, in the API. */
  readonly path: string;
  readonly contract: { readonly parse: (value: unknown) => History };
  readonly version?: number;
  readonly className: string;
  readonly children: (history: History) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState<Read<History>>();
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    getJson(path, contract, ended.signal).then(
      (history) => setRead({ history }),
      (error: unknown) => {
        if (!ended.signal.aborted)
          setRead({ fault: error instanceof ApiProblem ? error.message : "The history could not be read." });
      },
    );
    return () => ended.abort();
  }, [open, path, contract, version]);
  return (
    <details
      className={`border-t border-line-2 pt-2 text-sm ${className}`}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer text-ink-2">{title}</summary>
      {read === undefined ? <p className="py-1 text-ink-2">Reading{"\u2026"}</p> : null}
      {read && "fault" in read ? (
        <p role="alert" className="py-1 text-leaking-ink">
          {read.fault}
        </p>
      ) : null}
      {read && "history" in read ? children(read.history) : null}
    </details>
  );
}
