"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { keepDraft, readDraft, unsentPart } from "./draft-store.ts";

const PAUSE_MS = 500;

/** A new text before it is sent. */
export interface NewText {
  readonly value: string;
  /** A text that the browser had kept was taken up again. */
  readonly restored: boolean;
  readonly type: (value: string) => void;
  /** The server has this text: what was typed meanwhile stays. */
  readonly sent: (text: string) => void;
}

/**
 * A text that is kept in the browser from the moment it is typed until the server has it, over reloads, refused sendings and
 * sessions that end. `draftKey` names it there. `isStored` says of a kept text whether the server has it already: a reload may come
 * between its sending and the answer.
 */
export function useDraft(draftKey: string, isStored: (text: string) => boolean): NewText {
  const [value, setValue] = useState("");
  const [restored, setRestored] = useState(false);
  const typed = useRef("");
  // Whether this page has something to say about what is kept: another may be writing too.
  const changed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stored = useRef(isStored);
  useEffect(() => {
    stored.current = isStored;
  }, [isStored]);

  const keep = useCallback(() => {
    clearTimeout(timer.current);
    if (!changed.current) return;
    changed.current = false;
    keepDraft(draftKey, typed.current === "" ? undefined : { value: typed.current, base: "" });
  }, [draftKey]);

  useEffect(() => {
    const draft = readDraft(draftKey);
    if (draft !== undefined && stored.current(draft.value)) keepDraft(draftKey, undefined);
    else if (draft !== undefined && typed.current === "") {
      typed.current = draft.value;
      // The store of the browser is read once the page stands: the server that drew it does not have it.
      queueMicrotask(() => {
        setValue(draft.value);
        setRestored(true);
      });
    }
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [draftKey, keep]);

  const type = useCallback(
    (next: string) => {
      typed.current = next;
      changed.current = true;
      setValue(next);
      setRestored(false);
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, PAUSE_MS);
    },
    [keep],
  );
  const sent = useCallback(
    (text: string) => {
      type(unsentPart(typed.current, text));
      keep();
    },
    [type, keep],
  );
  return { value, restored, type, sent };
}
