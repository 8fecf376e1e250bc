"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import { marksOf } from "#lib/charts/marks-model.ts";
import type { Mark } from "#lib/charts/marks-model.ts";
import { readAddress, zoomWindow } from "#lib/charts/view-address.ts";
import type { AddressFault, ViewAddress } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { createCursorStore } from "../charts/cursor-store.ts";
import type { CursorStore } from "../charts/cursor-store.ts";
import { useDelayed } from "../ui/use-delayed.ts";
import { useKeys } from "../ui/use-keys.ts";
import { changeAddress, resetWindow, zoomTo } from "./change-address.ts";
import { useWindowData } from "./use-window-data.ts";
import type { ReadWindow } from "./use-window-data.ts";
import { useZone } from "./use-zone.ts";

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

const NONE: readonly [] = [];

/**
 * What all pages of a node but the first have in common: the window of the address, its data kept in step and live, the cursor,
 * and the keys. `choice` as in `useWindowData`.
 */
export function useNodePage<Data extends NodePageData>(
  start: NodePageStart<Data>,
  read: ReadWindow<Data>,
  choice?: { readonly now: string; readonly atFirst: string },
): NodePageView<Data> {
  const query = useSearchParams().toString();
  const [live, setLive] = useState(true);
  const [cursor] = useState(createCursorStore);
  const [defaults] = useState(start.defaults);
  const readAtFirstMs = start.data.readAtMs;
  const { address, faults } = useMemo(() => {
    const parameters = new URLSearchParams(query);
    return readAddress((name) => parameters.get(name), readAtFirstMs, defaults);
  }, [query, readAtFirstMs, defaults]);
  const zone = useZone(address.timezone);
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
  const zoomBy = (factor: number) => {
    const { fromMs, toMs } = data.window;
    zoomTo(zoomWindow(data.window, cursor.get() ?? (fromMs + toMs) / 2, factor, Date.now()));
  };
  useKeys({
    "0": resetWindow,
    "+": () => zoomBy(0.5),
    "=": () => zoomBy(0.5),
    "-": () => zoomBy(2),
    u: () => changeAddress({ timezone: address.timezone === "utc" ? "browser" : "utc" }, "replace"),
  });
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
