"use client";

import { useId, useState } from "react";
import type { ChangeEvent, ClipboardEvent, DragEvent } from "react";
import { formatNumber } from "#lib/charts/format.ts";
import { Button } from "../ui/button.tsx";
import type { Piece } from "./join-pieces.ts";

/** What somebody gave: text in the box, and files or long pastes beside it. */
export interface Given {
  readonly typed: string;
  readonly held: readonly (Piece & { readonly key: number; readonly bytes: number })[];
}

export const NOTHING_GIVEN: Given = { typed: "", held: [] };

/** More than this altogether is refused: a browser would need gigabytes for it. */
export const MOST_BYTES = 64_000_000;
/** A longer paste is kept beside the box: a text field of megabytes would stop the page. */
const LONGEST_TYPED = 200_000;

/** What was given as parts for the reader, the files first as they are read before what stands in the box. */
export function piecesOf({ typed, held }: Given): readonly Piece[] {
  const pieces: Piece[] = held.map(({ name, content }) => ({ name, content }));
  return typed.trim() === "" ? pieces : [...pieces, { name: undefined, content: typed }];
}

export function formatMegabytes(bytes: number): string {
  return bytes < 1_000_000
    ? `${formatNumber(bytes / 1000, 1)} kB`
    : `${formatNumber(bytes / 1_000_000, bytes < 10_000_000 ? 1 : 0)} MB`;
}

/** Where a dump is pasted, dropped or opened. Long pastes and files are kept beside the text field. */
export function PasteBox({
  label,
  given,
  onChange,
}: {
  readonly label: string;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState("");
  const bytesNow = given.held.reduce((sum, { bytes }) => sum + bytes, given.typed.length);

  const hold = (added: readonly { name: string; content: string | Blob; bytes: number }[]) => {
    const all = added.reduce((sum, { bytes }) => sum + bytes, bytesNow);
    if (all > MOST_BYTES) {
      setRefused(
        `Not taken: together ${formatMegabytes(all)}; at most ${formatMegabytes(MOST_BYTES)} are. Cut out what matters, as with grep or tail.`,
      );
      return;
    }
    setRefused("");
    const next = Math.max(0, ...given.held.map(({ key }) => key)) + 1;
    onChange({
      ...given,
      held: [...given.held, ...added.map((each, index) => ({ ...each, key: next + index }))],
    });
  };
  const addFiles = (files: Iterable<File>) =>
    hold([...files].map((file) => ({ name: file.name, content: file, bytes: file.size })));
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    if (event.clipboardData.files.length > 0 && text === "") {
      event.preventDefault();
      return addFiles(event.clipboardData.files);
    }
    if (text.length + given.typed.length <= LONGEST_TYPED) return;
    event.preventDefault();
    hold([{ name: "pasted text", content: text, bytes: text.length }]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) return addFiles(event.dataTransfer.files);
    const text = event.dataTransfer.getData("text/plain");
    if (text !== "") hold([{ name: "dropped text", content: text, bytes: text.length }]);
  };
  const open = (event: ChangeEvent<HTMLInputElement>) => {
    addFiles(event.target.files ?? []);
    event.target.value = "";
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className="grid grid-cols-[minmax(0,1fr)] gap-2"
    >
      <label htmlFor={id} className="text-sm text-ink-2">
        {label}
      </label>
      <textarea
        id={id}
        spellCheck={false}
        autoComplete="off"
        value={given.typed}
        onChange={(event) => onChange({ ...given, typed: event.target.value })}
        onPaste={paste}
        placeholder={"Paste /proc/meminfo, slabinfo, smem, free, slabtop, kernel logs…\nor drop files here."}
        className={`min-h-[260px] w-full resize-y overflow-auto rounded-2 border bg-surface p-2.5 font-mono text-[11.5px] leading-[17px] whitespace-pre text-ink placeholder:text-ink-3 lg:min-h-[400px] ${over ? "border-accent" : "border-line-3"}`}
      />
      {given.held.length > 0 ? (
        <ul className="grid gap-1 text-sm" aria-label="Files and long pastes">
          {given.held.map(({ key, name, bytes }) => (
            <li key={key} className="flex items-center gap-2">
              <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
              <span className="whitespace-nowrap text-ink-2">{formatMegabytes(bytes)}</span>
              <button
                type="button"
                className="text-accent-ink hover:underline"
                aria-label={`Take out ${name}`}
                onClick={() => onChange({ ...given, held: given.held.filter((each) => each.key !== key) })}
              >
                take out
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {refused ? (
        <p role="alert" className="text-sm text-leaking-ink">
          {refused}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <label className="inline-flex h-8 cursor-pointer items-center rounded-2 border border-line-2 bg-surface px-2.5 text-sm focus-within:outline-2 focus-within:outline-focus hover:bg-surface-2 md:h-7">
          Open files…
          <input
            type="file"
            multiple
            onChange={open}
            className="sr-only"
            aria-label={`Open files: ${label}`}
          />
        </label>
        <Button
          disabled={given.typed === "" && given.held.length === 0}
          onClick={() => {
            setRefused("");
            onChange(NOTHING_GIVEN);
          }}
        >
          Clear
        </Button>
      </div>
    </div>
  );
}
