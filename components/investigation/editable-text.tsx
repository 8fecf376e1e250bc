"use client";

import { useContext, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { formatClock } from "#lib/charts/format-time.ts";
import { pinTitle } from "#lib/charts/investigation-model.ts";
import { referencesOf, referenceText } from "#lib/charts/markdown.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { MAX_MARKDOWN_CHARS } from "#lib/contracts/investigation.ts";
import { useMayWrite } from "../account/access.tsx";
import { Button } from "../ui/button.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { FiguresContext } from "./figures.ts";
import { Markdown } from "./markdown.tsx";
import type { Saver, Versioned } from "./saver.ts";
import { useAutosave } from "./use-autosave.ts";
import type { SavePhase } from "./use-autosave.ts";

/** A mark that can be placed in a text. */
export interface PlaceableMark {
  readonly annotationId: number;
  readonly at: number;
  readonly title: string;
}

const AREA =
  "w-full rounded-2 border border-line-3 bg-surface px-2 py-1.5 font-mono text-sm leading-[18px] text-ink";

/** A text in Markdown that is read, and edited where it stands. It saves itself while it is typed. */
export function EditableText<Thing extends Versioned>({
  label,
  saver,
  field,
  draftKey,
  empty,
  marks,
  rows = 12,
  onSaved,
}: {
  readonly label: string;
  readonly saver: Saver<Thing>;
  readonly field: keyof Thing & string;
  /** Names the text in the browser's store until it is saved. */
  readonly draftKey: string;
  /** What is said where nothing is written yet. */
  readonly empty: string;
  readonly marks: readonly PlaceableMark[];
  readonly rows?: number;
  /** Editing ended, or what the text refers to has to be read; the same function each time. */
  readonly onSaved: () => void;
}) {
  const { value, phase, restored, type, settle } = useAutosave(saver, field, draftKey);
  const [wanted, setWanted] = useState<boolean>();
  const shown = useDeferredValue(value);
  const area = useRef<HTMLTextAreaElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { effects } = useContext(FiguresContext);
  // What a text newly refers to is read with the page, once the server has the text.
  const unread =
    phase.kind === "saved" &&
    referencesOf(value).some((to) => to.kind === "effect" && !(referenceText(to) in effects));
  useEffect(() => {
    if (unread) onSaved();
  }, [unread, onSaved]);
  const mayWrite = useMayWrite();
  // A conflict that is found after the editor was closed opens it again: what was typed is not what is stored.
  const editing = mayWrite && (phase.kind === "conflict" || (wanted ?? restored));

  const place = (text: string) => {
    const at = area.current?.selectionStart ?? value.length;
    const [before, after] = [value.slice(0, at), value.slice(area.current?.selectionEnd ?? at)];
    // A view is shown where its reference stands alone.
    const alone = text.startsWith("[[pin:");
    const above = !alone || /(?:^|\n\n)$/.test(before) ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    type(`${before}${above}${text}${alone ? "\n" : ""}${after}`);
    area.current?.focus();
  };
  if (!editing)
    return (
      <div className="group relative grid gap-1.5">
        {value.trim() === "" ? (
          <p className="text-ink-2">{mayWrite ? empty : "Nothing is written yet."}</p>
        ) : (
          <Markdown text={value} />
        )}
        {mayWrite ? (
          <span className="flex flex-wrap items-baseline gap-x-3">
            <button
              ref={opener}
              type="button"
              className="min-h-6 text-sm text-accent-ink hover:underline"
              onClick={() => setWanted(true)}
            >
              {value.trim() === "" ? "Write" : "Edit"}
              <span className="sr-only"> {label}</span>
            </button>
            {phase.kind === "saved" ? null : (
              <span className="text-sm">
                <PhaseText phase={phase} restored={restored} />
              </span>
            )}
          </span>
        ) : null}
      </div>
    );
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="sr-only">
        {label}, Markdown
      </label>
      <textarea
        ref={area}
        id={id}
        value={value}
        rows={rows}
        maxLength={MAX_MARKDOWN_CHARS}
        autoFocus={wanted === true}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && phase.kind !== "conflict") setWanted(false);
        }}
        className={AREA}
      />
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Button
          tone="primary"
          onClick={() => {
            setWanted(false);
            onSaved();
          }}
          disabled={phase.kind === "conflict"}
        >
          Done
        </Button>
        <PlaceChoice label={label} marks={marks} onPlace={place} />
        <PhaseText phase={phase} restored={restored} />
      </div>
      {phase.kind === "conflict" ? (
        <Conflict label={label} mine={value} theirs={phase.theirs} onSettle={settle} />
      ) : null}
      {shown.trim() === "" ? null : (
        <div className="border-l-2 border-line-2 pl-3">
          <Markdown text={shown} />
        </div>
      )}
    </div>
  );
}

/** Puts a reference to a pin, or to what a mark did, where the text is edited. */
function PlaceChoice({
  label,
  marks,
  onPlace,
}: {
  readonly label: string;
  readonly marks: readonly PlaceableMark[];
  readonly onPlace: (text: string) => void;
}) {
  const { pins } = useContext(FiguresContext);
  if (pins.length + marks.length === 0)
    return <span className="text-ink-2">Press i on any page to pin a view, then place it here.</span>;
  return (
    <select
      aria-label={`Place a pin or a figure in ${label}`}
      value=""
      onChange={(event) => onPlace(event.target.value)}
      className={`${FIELD_CLASS} max-w-64`}
    >
      <option value="">Place a pin or figure</option>
      {pins.map((pin) => (
        <option key={pin.number} value={referenceText({ kind: "pin", number: pin.number })}>
          {`pin ${pin.number}: ${pinTitle(pin)}`}
        </option>
      ))}
      {marks.map(({ annotationId, at, title }) => (
        <option key={annotationId} value={referenceText({ kind: "effect", annotationId, nodeId: undefined })}>
          {`effect of ${isolatedText(title)}, ${formatClock(at, "UTC")} UTC`}
        </option>
      ))}
    </select>
  );
}

function PhaseText({ phase, restored }: { readonly phase: SavePhase; readonly restored: boolean }) {
  const text = {
    saved: "saved, with history",
    unsaved: restored ? "taken up again from this browser, not saved yet" : "not saved yet",
    saving: "saving\u2026",
    failed:
      phase.kind === "failed" ? `not saved: ${phase.message} This browser keeps it and tries again.` : "",
    conflict: "not saved: somebody else changed it",
  }[phase.kind];
  const bad = phase.kind === "failed" || phase.kind === "conflict";
  return (
    <span role="status" className={bad ? "text-leaking-ink" : "text-ink-2"}>
      {text}
    </span>
  );
}

/** Both texts of a conflict beside each other; nothing is thrown away before somebody chose. */
function Conflict({
  label,
  mine,
  theirs,
  onSettle,
}: {
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  readonly onSettle: (value: string) => void;
}) {
  return (
    <section
      aria-label={`Two versions of ${label}`}
      className="grid gap-2 border-l-2 border-leaking bg-surface-2 px-3 py-2 text-sm"
    >
      <p>
        Somebody else saved another text meanwhile. Both stand here; yours can still be edited above, and what
        you do not choose stays in the history or in this choice.
      </p>
      <div className="grid gap-3 md:grid-cols-2">
        <Side title="Saved by somebody else" text={theirs} />
        <Side title="Yours, not saved yet" text={mine} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" onClick={() => onSettle(mine)}>
          Save mine
        </Button>
        <Button onClick={() => onSettle(`${theirs}\n\n${mine}`)}>Save theirs and mine below</Button>
        <Button onClick={() => onSettle(theirs)}>Take theirs</Button>
      </div>
    </section>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="font-semibold">{title}</h3>
      <pre
        role="group"
        aria-label={title}
        tabIndex={0}
        className="max-h-72 overflow-auto border border-line bg-surface p-2 font-mono text-[11.5px] leading-[17px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {isolatedText(text)}
      </pre>
    </div>
  );
}
