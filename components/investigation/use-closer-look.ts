"use client";

import { useContext, useEffect, useRef, useState } from "react";
import type { CloserReading } from "#lib/charts/pin-reading.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { FiguresContext } from "./figures.ts";

/** A closer look at a pinned chart in place: the part that is shown, and its finer points once they were read. */
export interface CloserLook {
  readonly part: TimeWindow;
  readonly finer: CloserReading | undefined;
  /** What there is to say of its points; empty where they are as fine as they are kept. */
  readonly note: string;
}

const UNREAD: CloserReading = { kind: "unreadable", message: "They could not be read." };
const GONE: CloserReading = {
  kind: "unreadable",
  message: "The link was taken back or has expired; what stands here was read before that.",
};

async function readFiner(address: string, { fromMs, toMs }: TimeWindow, signal: AbortSignal) {
  try {
    const response = await fetch(`${address}?from=${Math.round(fromMs)}&to=${Math.round(toMs)}`, { signal });
    // Made by the route beside this page, from the same type.
    if (!response.ok) return response.status === 404 ? GONE : UNREAD;
    return (await response.json()) as CloserReading;
  } catch {
    return UNREAD;
  }
}

function noteOf(hasMore: boolean, finer: CloserReading | undefined): string {
  if (!hasMore) return "These are the points of the whole window: no finer ones are kept here.";
  if (finer === undefined) return "Reading finer points\u2026";
  return finer.kind === "unreadable" ? `No finer points: ${finer.message}` : "";
}

/** A closer look at a pinned chart, on a page that can be asked for finer points and on one that has only what it shows. */
export function useCloserLook(number: number): {
  readonly look: CloserLook | undefined;
  /** Shows a part of the pinned window; all of it again without one. */
  readonly show: (part?: TimeWindow) => void;
} {
  const { closerPath } = useContext(FiguresContext);
  const [shown, setShown] = useState<Pick<CloserLook, "part" | "finer">>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const show = (part?: TimeWindow) => {
    reading.current?.abort();
    setShown(part && { part, finer: undefined });
    if (part === undefined || closerPath === undefined) return;
    const mine = new AbortController();
    reading.current = mine;
    void readFiner(`${closerPath}/${number}`, part, mine.signal).then((finer) => {
      if (!mine.signal.aborted) setShown({ part, finer });
    });
  };
  return { look: shown && { ...shown, note: noteOf(closerPath !== undefined, shown.finer) }, show };
}
