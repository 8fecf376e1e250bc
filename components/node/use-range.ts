"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { readAddress, zoomWindow } from "#lib/charts/view-address.ts";
import type { AddressFault, TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import type { CursorStore } from "../charts/cursor-store.ts";
import { useKeys } from "../ui/use-keys.ts";
import { changeAddress, resetWindow, zoomTo } from "./change-address.ts";
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
  address: ViewAddress,
): (factor: number) => void {
  const zoomBy = (factor: number) =>
    zoomTo(zoomWindow(window, cursor.get() ?? (window.fromMs + window.toMs) / 2, factor, Date.now()));
  useKeys({
    "0": resetWindow,
    "+": () => zoomBy(0.5),
    "=": () => zoomBy(0.5),
    "-": () => zoomBy(2),
    u: () => changeAddress({ timezone: address.timezone === "utc" ? "browser" : "utc" }, "replace"),
  });
  return zoomBy;
}
