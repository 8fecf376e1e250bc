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

/** What the keys of a range do on one page. */
export interface RangeActions {
  readonly timezone: string;
  /** Makes both ends moments. */
  readonly fix: () => void;
  /** The range as it is copied; undefined where there is none, which it says itself. */
  readonly copied: () => string | undefined;
  readonly paste: (range: { readonly from: string; readonly to: string }) => void;
  readonly zoomBy: (factor: number) => void;
  /** Returns to the range before; false where there was none. */
  readonly back: () => boolean;
  readonly reset: () => void;
  readonly showZone?: (timezone: "utc" | "browser") => void;
}

/** The keys of a range, alike on every page that has one. */
export function useKeysOfRange(actions: RangeActions): void {
  const { timezone, fix, copied, paste, zoomBy, back, reset, showZone } = actions;
  const say = useNotice();
  const copyRange = async () => {
    const text = copied();
    if (text === undefined) return;
    try {
      await navigator.clipboard.writeText(text);
      say("The range is copied.");
    } catch {
      say("This browser does not let the page copy: copy the address instead.");
    }
  };
  const pasteRange = async () => {
    let text;
    try {
      text = await navigator.clipboard.readText();
    } catch {
      return say("This browser does not let the page read what was copied: type the range instead.");
    }
    const range = readCopiedRange(text, Date.now(), timezone);
    if (range) paste(range);
    else say("What was copied holds no range.");
  };
  useKeys({
    "t a": fix,
    "t c": () => void copyRange(),
    "t v": () => void pasteRange(),
    "Ctrl+z": () => {
      if (!back()) zoomBy(2);
    },
    "0": reset,
    "+": () => zoomBy(0.5),
    "=": () => zoomBy(0.5),
    "-": () => zoomBy(2),
    ...(showZone && { u: () => showZone(timezone === "utc" ? "browser" : "utc") }),
  });
}

/** The keys of the range of a node's page; returns what zooms around the cursor. */
export function useRangeKeys(
  window: TimeWindow,
  cursor: CursorStore,
  { address, zone }: Pick<AddressRange, "address" | "zone">,
  readAtMs: number,
): (factor: number) => void {
  const zoomBy = (factor: number) =>
    zoomTo(zoomWindow(window, cursor.get() ?? (window.fromMs + window.toMs) / 2, factor, Date.now()));
  useKeysOfRange({
    timezone: address.timezone,
    // What the address means, also while its data are still being read.
    fix: () => zoomTo(resolveWindow(address, readAtMs, zone) ?? window),
    copied: () => copiedRange(address, window),
    paste: (range) => changeAddress({ ...range }, "push"),
    zoomBy,
    back: rangeBack,
    reset: resetWindow,
    showZone: (timezone) => changeAddress({ timezone }, "replace"),
  });
  return zoomBy;
}
