"use client";

import { useEffect, useState } from "react";

/** True once `busy` has lasted 300 ms: what is quicker needs no word. */
export function useDelayed(busy: boolean, delayMs = 300): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [busy, delayMs]);
  return busy && late;
}
