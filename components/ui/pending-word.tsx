"use client";

import { useLinkStatus } from "next/link";
import { useDelayed } from "./use-delayed.ts";

/** Says inside a link that its page is being read, once that has lasted 300 ms. */
export function PendingWord() {
  const { pending } = useLinkStatus();
  const late = useDelayed(pending);
  return late ? (
    <span role="status" className="ml-1.5 font-normal text-ink-2">
      reading…
    </span>
  ) : null;
}
