"use client";

import { useEffect, useRef } from "react";

/**
 * Handlers by key: `event.key`, two of them in a row with a space between (`t a`), or `Ctrl+` and a small letter, which is
 * Command on a Mac. A handler that returns false leaves the key to the next that has it, and in the end to the browser.
 */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => boolean | void>>;

const STORED = "plumbline-single-keys";
/** How long a key that begins a row waits for the second. */
const ROW_MS = 600;

/** Whether keys without a modifier act anywhere on a page; they can be turned off in the list of keys. */
export function singleKeysOn(): boolean {
  return typeof window === "undefined" || window.localStorage.getItem(STORED) !== "off";
}

/** Turns keys without a modifier on or off for this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) window.localStorage.removeItem(STORED);
  else window.localStorage.setItem(STORED, "off");
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

/** Of all that is shown; each part of a page brings its own. */
const maps = new Set<{ readonly current: KeyMap }>();
/** The key that a row has begun with. */
let begun: { readonly name: string; readonly event: KeyboardEvent; readonly timer: number } | undefined;

function act(name: string, event: KeyboardEvent): boolean {
  for (const { current } of maps) {
    const handler = current[name];
    if (handler && handler(event) !== false) return true;
  }
  return false;
}

function beginsRow(name: string): boolean {
  return [...maps].some(({ current }) => Object.keys(current).some((each) => each.startsWith(`${name} `)));
}

function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || ["Shift", "Control", "Meta"].includes(event.key)) return;
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (!isCommand && !singleKeysOn()) return;
  const name = isCommand ? `Ctrl+${event.key.toLowerCase()}` : event.key;
  const first = begun;
  begun = undefined;
  if (first) {
    clearTimeout(first.timer);
    if (act(`${first.name} ${name}`, event)) return event.preventDefault();
    act(first.name, first.event);
  }
  if (beginsRow(name)) {
    const timer = window.setTimeout(() => {
      begun = undefined;
      act(name, event);
    }, ROW_MS);
    begun = { name, event, timer };
    event.preventDefault();
  } else if (act(name, event)) event.preventDefault();
}

/** Keys that act anywhere on the page, except while something is typed, a dialog is open, or they are turned off. */
export function useKeys(keys: KeyMap): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    if (maps.size === 0) window.addEventListener("keydown", listen);
    maps.add(current);
    return () => {
      maps.delete(current);
      if (maps.size === 0) window.removeEventListener("keydown", listen);
    };
  }, []);
}
