"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Who waits, in the order in which they came. */
const waiting = new Set<() => void>();
let isAtIt = false;

function goOn(): void {
  const [next] = waiting;
  isAtIt = next !== undefined;
  if (next === undefined) return;
  waiting.delete(next);
  next();
  // Once it is seen.
  requestAnimationFrame(() => setTimeout(goOn));
}

/**
 * Whether it is this component's turn: large drawings of a page are made one after the other, so that the first is seen, and answers
 * a pointer, before the last is made. A turn is never taken back.
 */
export function useTurn(): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const take = () => flushSync(() => setOn(true));
    waiting.add(take);
    if (!isAtIt) {
      isAtIt = true;
      // Those that come with it are asked in their order too.
      queueMicrotask(goOn);
    }
    return () => {
      waiting.delete(take);
    };
  }, []);
  return isOn;
}
