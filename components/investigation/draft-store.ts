const PREFIX = "plumbline-draft:";

/** A text that this browser keeps until the server has it. */
export interface Draft {
  readonly value: string;
  /** What it was written over; empty for something new. */
  readonly base: string;
}

/** The draft of a name; undefined where none is kept. */
export function readDraft(key: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(PREFIX + key) ?? "null");
    if (typeof kept !== "object" || kept === null || !("value" in kept) || !("base" in kept))
      return undefined;
    const { value, base } = kept;
    return typeof value === "string" && typeof base === "string" ? { value, base } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft under a name, or forgets it. */
export function keepDraft(key: string, draft: Draft | undefined): void {
  try {
    if (draft === undefined) window.localStorage.removeItem(PREFIX + key);
    else window.localStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // A full or forbidden store must not stop anybody from typing; the server still gets the text.
  }
}

/** What is left of a text that was typed on while it was being sent. Pure. */
export function unsentPart(typed: string, sent: string): string {
  return typed.startsWith(sent) ? typed.slice(sent.length) : typed;
}
