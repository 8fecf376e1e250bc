"use client";

import { useEffect, useRef } from "react";

/** Handlers by `event.key`. A handler that returns false leaves the key to the browser. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => boolean | void>>;

const STORED = "plumbline-single-keys";

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

/** Keys that act anywhere on the page, except while something is typed, a dialog is open, or they are turned off. */
export function useKeys(keys: KeyMap): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]") || !singleKeysOn()) return;
      const act = current.current[event.key];
      if (act && act(event) !== false) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
