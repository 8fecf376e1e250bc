"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { isLive, resolveWindow } from "#lib/charts/view-address.ts";
import type { TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";

/** What is read anew: all of a window, or what a live window gains between two refreshes. */
export type Reading = "all" | "samples";

/** What a window is read with. `before` is what is shown meanwhile. @throws AbortError when `signal` ends it. */
export type ReadWindow<Data> = (
  window: TimeWindow,
  zone: string,
  reading: Reading,
  before: Data,
  signal: AbortSignal,
) => Promise<Data>;

/** Data of the window that the address names; what is shown stays until the next is there. */
export interface WindowReading<Data> {
  readonly data: Data;
  readonly busy: boolean;
  /** Reads everything of the window again, after a mark was saved for instance. */
  readonly readAgain: () => Promise<void>;
}

interface Shown<Data> {
  readonly key: string;
  readonly data: Data;
}

/**
 * Keeps the data of a page in step with its address, and live where the window ends now. `choice` is whatever else of the
 * address decides what is read. `read` must stay the same while it means the same.
 */
export function useWindowData<Data>(
  read: ReadWindow<Data>,
  address: ViewAddress,
  zone: string,
  live: { readonly on: boolean; readonly everyMs: number; readonly allEvery: number },
  initial: { readonly address: ViewAddress; readonly choice: string; readonly data: Data },
  choice = "",
): WindowReading<Data> {
  const keyOf = (each: ViewAddress, inZone: string, chosen: string) =>
    `${each.from} ${each.to} ${inZone} ${chosen}`;
  const key = keyOf(address, zone, choice);
  // What the server sent was read for UTC; a window without days is the same in every zone.
  const initialZone = /\/[dwMQy]/.test(initial.address.from + initial.address.to) ? "UTC" : zone;
  const [shown, setShown] = useState<Shown<Data>>({
    key: keyOf(initial.address, initialZone, initial.choice),
    data: initial.data,
  });
  const [busy, setBusy] = useState(false);
  const newest = useRef(shown);
  const running = useRef<AbortController | undefined>(undefined);

  const readNow = useCallback(
    async (reading: Reading) => {
      const window = resolveWindow(address, Date.now(), zone);
      if (!window) return;
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      setBusy(true);
      try {
        const data = await read(window, zone, reading, newest.current.data, mine.signal);
        if (running.current !== mine) return;
        newest.current = { key, data };
        setShown(newest.current);
      } catch (error) {
        if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
      } finally {
        if (running.current === mine) {
          running.current = undefined;
          setBusy(false);
        }
      }
    },
    [address, zone, key, read],
  );

  useEffect(() => {
    if (newest.current.key !== key) void readNow("all");
  }, [key, readNow]);

  const moving = live.on && isLive(address);
  const { everyMs, allEvery } = live;
  useEffect(() => {
    if (!moving) return;
    let count = 0;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible" || running.current) return;
      count++;
      void readNow(count % allEvery === 0 ? "all" : "samples");
    }, everyMs);
    return () => clearInterval(timer);
  }, [moving, readNow, everyMs, allEvery]);

  useEffect(() => () => running.current?.abort(), []);
  const readAgain = useCallback(() => readNow("all"), [readNow]);
  return { data: shown.data, busy: busy && shown.key !== key, readAgain };
}
