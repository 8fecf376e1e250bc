"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ApiProblem } from "../node/api-client.ts";
import { keepDraft, readDraft } from "./draft-store.ts";
import type { Saver, Versioned } from "./saver.ts";

/** How a text stands that is saved while it is typed. */
export type SavePhase =
  | { readonly kind: "saved" }
  /** Typed; the browser keeps it until the server has it. */
  | { readonly kind: "unsaved" }
  | { readonly kind: "saving" }
  | { readonly kind: "failed"; readonly message: string }
  /** Somebody else wrote another text meanwhile: nothing is saved until a person has chosen. */
  | { readonly kind: "conflict"; readonly theirs: string };

/** A text, and what keeps it. */
export interface Autosave {
  readonly value: string;
  readonly phase: SavePhase;
  /** A text that the browser had kept was taken up again. */
  readonly restored: boolean;
  readonly type: (value: string) => void;
  /** Ends a conflict: this text is saved over theirs. */
  readonly settle: (value: string) => void;
}

const PAUSE_MS = 1000;
const AGAIN_MS = 5000;

/**
 * A text that is saved a moment after the last key, never while one is pressed, and kept in the browser until the server has it.
 * `draftKey` names it there. A newer text of somebody else is taken over where nothing was typed, and is a conflict where something
 * was.
 */
export function useAutosave<Thing extends Versioned>(
  saver: Saver<Thing>,
  field: keyof Thing & string,
  draftKey: string,
): Autosave {
  const stored = useCallback(() => String(saver.get()[field]), [saver, field]);
  const [value, setValue] = useState(stored);
  const [phase, setPhase] = useState<SavePhase>({ kind: "saved" });
  const [restored, setRestored] = useState(false);
  // What was typed last, what the server is known to have, and what is on its way there.
  const typed = useRef(value);
  const base = useRef(value);
  const sending = useRef<string | undefined>(undefined);
  const conflicted = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const saveNow = useCallback(async () => {
    if (sending.current !== undefined || conflicted.current || typed.current === base.current) return;
    const sent = typed.current;
    sending.current = sent;
    setPhase({ kind: "saving" });
    let pauseMs = 0;
    try {
      await saver.save({ [field]: sent });
      base.current = sent;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      // With a conflict the newer state is known by now; where this text is as before, it is saved on that.
      if (error.current === undefined) {
        pauseMs = AGAIN_MS;
        setPhase({ kind: "failed", message: error.message });
      }
    } finally {
      sending.current = undefined;
    }
    if (typed.current !== base.current && !conflicted.current) {
      if (pauseMs === 0) setPhase({ kind: "unsaved" });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void saveNow(), pauseMs || PAUSE_MS);
    } else if (!conflicted.current) {
      keepDraft(draftKey, undefined);
      setPhase({ kind: "saved" });
    }
  }, [saver, field, draftKey]);

  const plan = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      keepDraft(draftKey, { value: typed.current, base: base.current });
      void saveNow();
    }, PAUSE_MS);
  }, [draftKey, saveNow]);

  const clash = useCallback((theirs: string) => {
    conflicted.current = true;
    clearTimeout(timer.current);
    setPhase({ kind: "conflict", theirs });
  }, []);

  useEffect(() => {
    const hear = () => {
      const theirs = stored();
      if (theirs === base.current) return;
      if (theirs === sending.current || theirs === typed.current) {
        base.current = theirs;
        return;
      }
      if (typed.current === base.current) {
        base.current = theirs;
        typed.current = theirs;
        setValue(theirs);
      } else clash(theirs);
    };
    return saver.subscribe(hear);
  }, [saver, stored, clash]);

  useEffect(() => {
    const draft = readDraft(draftKey);
    if (draft === undefined || draft.value === base.current) keepDraft(draftKey, undefined);
    else {
      typed.current = draft.value;
      // The store of the browser is read once the page stands: the server that drew it does not have it.
      queueMicrotask(() => {
        setValue(draft.value);
        setRestored(true);
        if (draft.base === base.current) {
          setPhase({ kind: "unsaved" });
          plan();
        } else clash(base.current);
      });
    }
    const keep = () => {
      if (typed.current !== base.current) keepDraft(draftKey, { value: typed.current, base: base.current });
    };
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      clearTimeout(timer.current);
      keep();
    };
  }, [draftKey, plan, clash]);

  const type = useCallback(
    (next: string) => {
      typed.current = next;
      setValue(next);
      if (conflicted.current) return;
      setPhase({ kind: "unsaved" });
      plan();
    },
    [plan],
  );
  const settle = useCallback(
    (next: string) => {
      conflicted.current = false;
      base.current = stored();
      typed.current = next;
      setValue(next);
      setPhase({ kind: next === base.current ? "saved" : "unsaved" });
      if (next === base.current) keepDraft(draftKey, undefined);
      else void saveNow();
    },
    [stored, saveNow, draftKey],
  );
  return { value, phase, restored, type, settle };
}
