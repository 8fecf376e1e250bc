"use client";

import { useState } from "react";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import type { Investigation } from "#lib/contracts/investigation.ts";
import { ForRole, useMayWrite } from "../account/access.tsx";
import { Button } from "../ui/button.tsx";
import type { Saver } from "./saver.ts";
import { useAutosave } from "./use-autosave.ts";

/** The title: the heading of the page, edited where it stands. */
export function TitleField({
  saver,
  draftKey,
}: {
  readonly saver: Saver<Investigation>;
  readonly draftKey: string;
}) {
  const { value, phase, type, settle } = useAutosave(saver, "title", draftKey);
  const [editing, setEditing] = useState(false);
  const mayWrite = useMayWrite();
  const isOpen = mayWrite && (editing || phase.kind === "conflict" || phase.kind === "failed");
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="max-w-[118ch] min-w-0 text-xl font-semibold tracking-[-0.008em] text-pretty [overflow-wrap:anywhere] max-md:text-[17px] max-md:leading-6">
          {isolatedText(value)}
        </h1>
        <ForRole least="investigator">
          <button
            type="button"
            aria-expanded={isOpen}
            className="min-h-6 text-sm text-accent-ink hover:underline"
            onClick={() => setEditing(!editing)}
          >
            {isOpen ? "Done" : "Rename"}
          </button>
        </ForRole>
      </div>
      {isOpen ? (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <input
            aria-label="Title"
            value={value}
            maxLength={200}
            autoFocus
            onChange={(event) => {
              // An investigation is never without a title.
              if (event.target.value.trim() !== "") type(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === "Escape") setEditing(false);
            }}
            className="h-8 w-full max-w-[60ch] rounded-2 border border-line-3 bg-surface px-2 text-ink md:h-7"
          />
          <span role="status" className="text-ink-2">
            {phase.kind === "failed"
              ? `not saved: ${phase.message}`
              : phase.kind === "conflict"
                ? `somebody else wrote: ${isolatedText(phase.theirs)}`
                : phase.kind === "saved"
                  ? "saved"
                  : "not saved yet"}
          </span>
          {phase.kind === "conflict" ? (
            <>
              <Button onClick={() => settle(value)}>Save mine</Button>
              <Button onClick={() => settle(phase.theirs)}>Take theirs</Button>
            </>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
