"use client";

import { useRef, useState, useSyncExternalStore } from "react";
import { useMayWrite } from "../account/access.tsx";
import { Button } from "../ui/button.tsx";
import { setSingleKeys, singleKeysOn, useKeys } from "../ui/use-keys.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["a", "mark the time at the cursor"],
  ["i", "pin the view to the investigation used last"],
  ["Shift drag", "mark a stretch of time (drag alone zooms)"],
  ["\u2190 \u2192", "move the cursor (chart focused)"],
  ["Shift \u2190 \u2192", "by an hour"],
  ["Home End", "first, last sample"],
  ["Esc", "leave the cursor, the part, the dialog"],
  ["+ \u2212", "zoom in, out"],
  ["0", "reset the zoom"],
  ["Ctrl Z", "the range before, or zoom out"],
  ["t a", "make the range absolute"],
  ["t c, t v", "copy the range, paste one (also Grafana\u2019s)"],
  ["v", "the part that is pointed at alone, and back"],
  ["1 2 3 4", "GiB, share, change since start, of the kernel alone"],
  ["t", "composition as a table"],
  ["u", "UTC, browser zone"],
  ["/", "filter nodes"],
  ["j k", "next, previous node"],
  ["Enter", "open the node"],
  ["Ctrl K", "search nodes, pages, investigations"],
  ["?", "this list"],
];

/** Keys that write. */
const WRITING: ReadonlySet<string> = new Set(["a", "i", "Shift drag"]);

const subscribe = () => () => undefined;

/** The list of keys, opened by `?` or its button, with the switch that turns single keys off. */
export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const stored = useSyncExternalStore(subscribe, singleKeysOn, () => true);
  const mayWrite = useMayWrite();
  const [changed, setChanged] = useState<boolean>();
  const on = changed ?? stored;
  const open = () => dialog.current?.showModal();
  useKeys({ "?": open });
  return (
    <>
      <Button aria-label="Keys" onClick={open} className="max-md:hidden">
        <kbd className="text-ink-2">?</kbd>
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="keys-title"
        className="w-[30rem] max-w-[92vw] rounded-2 border border-line-3 bg-surface p-5 text-ink"
      >
        <div className="mb-3 flex items-baseline justify-between">
          <h2 id="keys-title" className="text-lg font-semibold">
            Keys
          </h2>
          <Button onClick={() => dialog.current?.close()}>Close</Button>
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {KEYS.filter(([key]) => mayWrite || !WRITING.has(key)).map(([key, what]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-1 border border-line-2 px-1 text-[11px] whitespace-nowrap">{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label className="mt-4 flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => {
              setSingleKeys(event.target.checked);
              setChanged(event.target.checked);
            }}
            className="size-3.5 accent-accent"
          />
          Single keys act anywhere on a page (the browser remembers)
        </label>
      </dialog>
    </>
  );
}
