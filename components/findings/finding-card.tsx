"use client";

import { useState } from "react";
import { explainedText, findingVerdict, historyLines, standingText } from "#lib/charts/finding-model.ts";
import type { FindingWithHistory } from "#lib/contracts/finding.ts";
import { ForRole } from "../account/access.tsx";
import { send } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { Verdict } from "../ui/verdict.tsx";
import { EvidenceParts, RemedyParts } from "./finding-body.tsx";

/** One finding of a node, with all that it rests on; opens and closes. */
export function FindingCard({
  finding,
  open,
  zone,
  nowMs,
  onChanged,
}: {
  readonly finding: FindingWithHistory;
  /** Whether it is open at first. */
  readonly open: boolean;
  readonly zone: string;
  readonly nowMs: number;
  /** A person has acknowledged it. */
  readonly onChanged: () => void;
}) {
  const view = { zone, nowMs };
  const explained = explainedText(finding);
  return (
    <li className="border-t border-line">
      <details open={open}>
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2 hover:bg-surface-2">
          <span className="w-24 flex-none">
            <Verdict verdict={findingVerdict(finding)} />
          </span>
          <h3 className="min-w-0 font-semibold">{finding.name}</h3>
          <span className="text-sm text-ink-2">
            {finding.signature === "unknown" ? "" : `${finding.signature} · `}
            {explained === undefined ? "" : `${explained} · `}
            {standingText(finding, view)}
          </span>
        </summary>
        <div className="grid gap-2 pb-4">
          <p className="max-w-[110ch] text-pretty md:pl-36">{finding.what}</p>
          <EvidenceParts detail={finding} />
          <RemedyParts signature={finding.signature} detail={finding} />
          <div className="grid gap-x-4 gap-y-1 md:grid-cols-[128px_minmax(0,1fr)]">
            <h4 className="text-sm text-ink-2">History</h4>
            <div className="grid min-w-0 justify-items-start gap-1.5">
              <ul className="text-sm">
                {historyLines(finding, view).map((line) => (
                  <li key={line} className="[overflow-wrap:anywhere]">
                    {line}
                  </li>
                ))}
              </ul>
              {finding.state === "resolved" ? null : (
                <ForRole least="investigator">
                  <Acknowledge finding={finding} onChanged={onChanged} />
                </ForRole>
              )}
            </div>
          </div>
        </div>
      </details>
    </li>
  );
}

function Acknowledge({
  finding,
  onChanged,
}: {
  readonly finding: FindingWithHistory;
  readonly onChanged: () => void;
}) {
  const [note, setNote] = useState("");
  const { busy, fault, attempt } = useAttempt();
  const submit = () =>
    attempt(async () => {
      await send("PATCH", `/api/v1/findings/${finding.findingId}`, { state: "acknowledged", note });
      setNote("");
      onChanged();
    });
  return (
    <form
      className="grid w-full max-w-[72ch] gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label className="grid gap-0.5 text-sm">
        <span className="text-ink-2">
          {finding.state === "acknowledged"
            ? "Add a note"
            : "Acknowledge: what is known or being done about it"}
        </span>
        <textarea
          value={note}
          onChange={(event) => setNote(event.target.value)}
          maxLength={2000}
          rows={2}
          required
          className="rounded-2 border border-line-3 bg-surface px-2 py-1 text-ink"
        />
      </label>
      <span className="flex items-center gap-2">
        <Button type="submit" disabled={busy || note.trim() === ""}>
          {finding.state === "acknowledged" ? "Add note" : "Acknowledge"}
        </Button>
        <span role="status" className="text-sm text-leaking-ink">
          {fault}
        </span>
      </span>
    </form>
  );
}
