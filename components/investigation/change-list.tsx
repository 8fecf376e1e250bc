"use client";

import { changeLines } from "#lib/charts/investigation-model.ts";
import { investigationHistory } from "#lib/contracts/investigation.ts";
import { HistoryDetails } from "../ui/history-details.tsx";

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
  return (
    <HistoryDetails
      title="History of all texts"
      path={`${path}/history`}
      contract={investigationHistory}
      version={version}
      className="mt-6"
    >
      {(history) => (
        <ol aria-label="Changes, newest first" className="grid gap-2 py-1">
          {changeLines(history, { zone, nowMs }).map((line) => (
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
      )}
    </HistoryDetails>
  );
}
