"use client";

import { useCallback, useMemo, useState } from "react";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import { marksOf } from "#lib/charts/marks-model.ts";
import type { Mark } from "#lib/charts/marks-model.ts";
import type { AddressFault, TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { createCursorStore } from "../charts/cursor-store.ts";
import type { CursorStore } from "../charts/cursor-store.ts";
import { useDelayed } from "../ui/use-delayed.ts";
import { readNodePage } from "./read-node-page.ts";
import { useAddressRange, useRangeKeys } from "./use-range.ts";
import { useWindowData } from "./use-window-data.ts";
import type { ReadWindow } from "./use-window-data.ts";

/** How often a page of a node other than the first reads anew while it is live. */
const LIVE_MS = 60_000;

/** A page of a node as it stands: its address, its data, and what moves over its charts. */
export interface NodePageView<Data> {
  readonly node: NodeSummary;
  readonly address: ViewAddress;
  readonly faults: readonly AddressFault[];
  readonly zone: string;
  readonly nowMs: number;
  readonly data: Data;
  readonly busy: boolean;
  /** Reading takes long enough to be said. */
  readonly slow: boolean;
  readonly live: boolean;
  readonly setLive: (live: boolean) => void;
  readonly cursor: CursorStore;
  readonly marks: readonly Mark[];
}

/** Reads what a page of a node has beside what all have. @throws AbortError when `signal` ends it. */
export type ReadOwn<Own> = (
  nodeId: number,
  window: TimeWindow,
  signal: AbortSignal,
  zone: string,
) => Promise<Own>;

const NONE: readonly [] = [];

/**
 * What all pages of a node but the first have in common: the window of the address, its data kept in step and live, the cursor,
 * and the keys. `readOwn` must stay the same while it means the same; `choice` as in `useWindowData`.
 */
export function useNodePage<Own>(
  start: NodePageStart<NodePageData & NoInfer<Own>>,
  readOwn: ReadOwn<Own>,
  choice?: { readonly now: string; readonly atFirst: string },
): NodePageView<NodePageData & Own> {
  const { nodeId } = start.node;
  const read: ReadWindow<NodePageData & Own> = useCallback(
    (window, zone, _reading, _before, signal) =>
      readNodePage(nodeId, window, readOwn(nodeId, window, signal, zone), signal),
    [nodeId, readOwn],
  );
  const { address, faults, zone } = useAddressRange(start.defaults, start.data.readAtMs);
  const [live, setLive] = useState(true);
  const [cursor] = useState(createCursorStore);
  const { data, busy } = useWindowData(
    read,
    address,
    zone,
    { on: live, everyMs: LIVE_MS, allEvery: 1 },
    { address: start.address, data: start.data, choice: choice?.atFirst ?? "" },
    choice?.now,
  );
  const slow = useDelayed(busy);
  const marks = useMemo(
    () => marksOf(dataOf(data.annotations) ?? NONE, NONE, data.window),
    [data.annotations, data.window],
  );
  useRangeKeys(data.window, cursor, { address, zone }, data.readAtMs);
  return {
    node: dataOf(data.node) ?? start.node,
    address,
    faults,
    zone,
    nowMs: data.readAtMs,
    data,
    busy,
    slow,
    live,
    setLive,
    cursor,
    marks,
  };
}
