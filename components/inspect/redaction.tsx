"use client";

import { useState } from "react";
import type { RedactedText } from "#lib/domain/redaction/redact-text.ts";
import { Button } from "../ui/button.tsx";
import { download } from "../ui/download.ts";
import { ReplacementTable } from "../ui/replacement-table.tsx";
import { Section } from "../ui/section.tsx";
import { useCopy } from "../ui/use-copy.ts";

const PREVIEW_CHARS = 20_000;

/** The text without names of hosts and users and without addresses: what was replaced, a preview, copy and download. */
export function Redaction({ redact }: { readonly redact: () => Promise<RedactedText> }) {
  const [done, setDone] = useState<{ readonly of: typeof redact; readonly text: RedactedText }>();
  const [fault, setFault] = useState("");
  const { said, copy } = useCopy();
  // What was made of another text must not be shared as this one.
  const redacted = done?.of === redact ? done.text : undefined;
  const run = () => {
    setFault("");
    redact().then(
      (text) => setDone({ of: redact, text }),
      (error: unknown) => setFault(error instanceof Error ? error.message : "It could not be redacted."),
    );
  };
  return (
    <Section
      id="h-redact"
      title="Before you share the text"
      note="host names, user names and addresses become host-1, user-1, 192.0.2.1: the same for the same"
    >
      <div className="flex flex-wrap items-center gap-2 py-1">
        <Button onClick={run}>{redacted ? "Replace names again" : "Replace names"}</Button>
        {redacted ? (
          <>
            <Button onClick={() => void copy(redacted.text)}>Copy redacted text</Button>
            <Button
              onClick={() =>
                download("dump-redacted.txt", new Blob([redacted.text], { type: "text/plain;charset=utf-8" }))
              }
            >
              Download
            </Button>
          </>
        ) : null}
        <span role="status" className="text-sm text-ink-2">
          {said}
        </span>
      </div>
      {fault ? (
        <p role="alert" className="text-sm text-leaking-ink">
          {fault}
        </p>
      ) : null}
      {redacted ? (
        <>
          <ReplacementTable replacements={redacted.replacements} />
          <pre
            tabIndex={0}
            aria-label="Redacted text"
            className="mt-2 max-h-64 overflow-auto rounded-1 border border-line bg-surface-2 px-2 py-1.5 text-[11.5px] leading-[17px]"
          >
            {redacted.text.slice(0, PREVIEW_CHARS)}
          </pre>
          {redacted.text.length > PREVIEW_CHARS ? (
            <p className="text-sm text-ink-2">The preview ends here; copy and download have all of it.</p>
          ) : null}
        </>
      ) : null}
    </Section>
  );
}
