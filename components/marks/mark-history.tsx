"use client";

import { annotationHistory } from "#lib/contracts/annotation.ts";
import { historyRows } from "#lib/charts/mark-history-model.ts";
import { HistoryDetails } from "../ui/history-details.tsx";

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
  return (
    <HistoryDetails
      title="History"
      path={`/api/v1/annotations/${annotationId}/history`}
      contract={annotationHistory}
      className="mt-3"
    >
      {(history) => (
        <ol aria-label="Versions of the mark, newest first" className="grid gap-2 py-1">
          {historyRows(history, { zone, nowMs }).map((row) => (
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
      )}
    </HistoryDetails>
  );
}
