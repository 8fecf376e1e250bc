"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { copiedRange, readCopiedRange } from "#lib/charts/copied-range.ts";
import { readAddress, resolveWindow, zoomWindow } from "#lib/charts/view-address.ts";
import type { AddressFault, TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import type { CursorStore } from "../charts/cursor-store.ts";
import { useNotice } from "../ui/notice.tsx";
import { useKeys } from "../ui/use-keys.ts";
import { changeAddress, rangeBack, resetWindow, zoomTo } from "./change-address.ts";
import { useZone } from "./use-zone.ts";

/** The range that an address names, and what of it could not be read. */
export interface AddressRange {
  /** All of the address, as a query. */
  readonly query: string;
  readonly address: ViewAddress;
  readonly faults: readonly AddressFault[];
  readonly zone: string;
}

/** Reads the range of the address. What stands for one that is missing is decided once, when the page was read. */
export function useAddressRange(defaultsAtFirst: ViewAddress, readAtMs: number): AddressRange {
  const query = useSearchParams().toString();
  const [defaults] = useState(defaultsAtFirst);
  const { address, faults } = useMemo(() => {
    const parameters = new URLSearchParams(query);
    return readAddress((name) => parameters.get(name), readAtMs, defaults);
  }, [query, readAtMs, defaults]);
  return { query, address, faults, zone: useZone(address.timezone) };
}

/** The keys of every page with a range; returns what zooms around the cursor. */
export function useRangeKeys(
  window: TimeWindow,
  cursor: CursorStore,
  { address, zone }: Pick<AddressRange, "address" | "zone">,
  readAtMs: number,
): (factor: number) => void {
  const zoomBy = (factor: number) =>
    zoomTo(zoomWindow(window, cursor.get() ?? (window.fromMs + window.toMs) / 2, factor, Date.now()));
  const say = useNotice();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copiedRange(address, window));
      say("The range is copied.");
    } catch {
      say("This browser does not let the page copy: copy the address instead.");
    }
  };
  const paste = async () => {
    let text;
    try {
      text = await navigator.clipboard.readText();
    } catch {
      return say("This browser does not let the page read what was copied: type the range instead.");
    }
    const range = readCopiedRange(text, Date.now(), address.timezone);
    if (range) changeAddress({ ...range }, "push");
    else say("What was copied holds no range.");
  };
  useKeys({
    // What the address means, also while its data are still being read.
    "t a": () => zoomTo(resolveWindow(address, readAtMs, zone) ?? window),
    "t c": () => void copy(),
    "t v": () => void paste(),
    "Ctrl+z": () => {
      if (!rangeBack()) zoomBy(2);
    },
    "0": resetWindow,
    "+": () => zoomBy(0.5),
    "=": () => zoomBy(0.5),
    "-": () => zoomBy(2),
    u: () => changeAddress({ timezone: address.timezone === "utc" ? "browser" : "utc" }, "replace"),
  });
  return zoomBy;
}
