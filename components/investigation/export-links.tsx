"use client";

import { useState } from "react";
import type { ExportFormat } from "#lib/contracts/investigation-export.ts";
import { LINK_BUTTON } from "../ui/button.tsx";
import { REPLACED_NAMES } from "../ui/replaced-names.ts";
import { Section } from "../ui/section.tsx";

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string; readonly note: string }[] = [
  {
    format: "html",
    label: "HTML",
    note: "one file with its charts, which needs neither this server nor a script",
  },
  {
    format: "markdown",
    label: "Markdown",
    note: "for a bug report or a wiki: sentences with numbers, windows and links",
  },
  { format: "json", label: "JSON", note: "all of it, for another Plumbline to take in" },
];

/** The investigation as files to take along, as it stands now. */
export function ExportLinks({ path }: { readonly path: string }) {
  const [redacted, setRedacted] = useState(false);
  return (
    <Section
      id="h-export"
      title="Export"
      note="a file of it as it stands now, with everything that is pinned"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-1 text-sm">
        {FORMATS.map(({ format, label, note }) => (
          <a
            key={format}
            href={`${path}/export?format=${format}${redacted ? "&redacted=1" : ""}`}
            download
            title={note}
            className={LINK_BUTTON}
          >
            {label}
          </a>
        ))}
        <label className="inline-flex items-center gap-1.5">
          <input type="checkbox" checked={redacted} onChange={({ target }) => setRedacted(target.checked)} />
          Replace names in the file
        </label>
        {redacted ? <span className="text-ink-2">{REPLACED_NAMES}; nothing leads back here.</span> : null}
      </div>
    </Section>
  );
}
