"use client";

import { useCallback } from "react";
import type { NodeData } from "#lib/charts/node-data.ts";
import type { TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import { readNode } from "./read-node.ts";
import { useWindowData } from "./use-window-data.ts";
import type { Reading, WindowReading } from "./use-window-data.ts";

const LIVE_MS = 15_000;
/** Every so many live readings trend, effects, slab and correlation are read as well. */
const ALL_EVERY = 4;

/** Keeps the data of a node's first page in step with the address, and live where the window ends now. */
export function useNodeData(
  node: { nodeId: number; watchedPaths: readonly string[] },
  address: ViewAddress,
  { zone, driver }: { readonly zone: string; readonly driver: string },
  live: boolean,
  initial: { address: ViewAddress; driver: string; data: NodeData },
): WindowReading<NodeData> {
  const { nodeId } = node;
  const paths = node.watchedPaths.join("\n");
  const read = useCallback(
    (window: TimeWindow, inZone: string, reading: Reading, before: NodeData, signal: AbortSignal) => {
      const watchedPaths = paths === "" ? [] : paths.split("\n");
      return readNode({ nodeId, watchedPaths }, window, { zone: inZone, driver }, reading, before, signal);
    },
    [nodeId, paths, driver],
  );
  return useWindowData(
    read,
    address,
    zone,
    { on: live, everyMs: LIVE_MS, allEvery: ALL_EVERY },
    { address: initial.address, choice: initial.driver, data: initial.data },
    driver,
  );
}
