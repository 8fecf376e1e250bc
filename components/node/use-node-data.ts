"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { NodeData } from "#lib/charts/node-data.ts";
import { isLive, resolveWindow } from "#lib/charts/view-address.ts";
import type { ViewAddress } from "#lib/charts/view-address.ts";
import { readNode } from "./read-node.ts";
import type { Reading } from "./read-node.ts";

const LIVE_MS = 15_000;
/** Every so many live readings trend, effects, slab and correlation are read as well. */
const ALL_EVERY = 4;

interface Shown {
  readonly key: string;
  readonly data: NodeData;
}

/** Data of the window that the address names; what is shown stays until the next is there. */
export interface NodeReading {
  readonly data: NodeData;
  readonly busy: boolean;
  /** Reads everything of the window again, after a mark was saved for instance. */
  readonly readAgain: () => Promise<void>;
}

/** Keeps the data of a node in step with the address, and live where the window ends now. */
export function useNodeData(
  node: { nodeId: number; watchedPaths: readonly string[] },
  address: ViewAddress,
  zone: string,
  live: boolean,
  initial: { address: ViewAddress; data: NodeData },
): NodeReading {
  const keyOf = (each: ViewAddress, inZone: string) => `${each.from} ${each.to} ${inZone}`;
  const key = keyOf(address, zone);
  // What the server sent was read for UTC; a window without days is the same in every zone.
  const initialZone = /\/[dwMQy]/.test(initial.address.from + initial.address.to) ? "UTC" : zone;
  const [shown, setShown] = useState<Shown>({ key: keyOf(initial.address, initialZone), data: initial.data });
  const [busy, setBusy] = useState(false);
  const newest = useRef(shown);
  const running = useRef<AbortController | undefined>(undefined);
  const { nodeId } = node;
  const paths = node.watchedPaths.join("\n");

  const read = useCallback(
    async (reading: Reading) => {
      const window = resolveWindow(address, Date.now(), zone);
      if (!window) return;
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      setBusy(true);
      try {
        const watchedPaths = paths === "" ? [] : paths.split("\n");
        const before = newest.current.data;
        const data = await readNode({ nodeId, watchedPaths }, window, zone, reading, before, mine.signal);
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
    [address, zone, key, nodeId, paths],
  );

  useEffect(() => {
    if (newest.current.key !== key) void read("all");
  }, [key, read]);

  const moving = live && isLive(address);
  useEffect(() => {
    if (!moving) return;
    let count = 0;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible" || running.current) return;
      count++;
      void read(count % ALL_EVERY === 0 ? "all" : "samples");
    }, LIVE_MS);
    return () => clearInterval(timer);
  }, [moving, read]);

  useEffect(() => () => running.current?.abort(), []);
  const readAgain = useCallback(() => read("all"), [read]);
  return { data: shown.data, busy: busy && shown.key !== key, readAgain };
}
