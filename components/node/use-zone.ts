"use client";

import { useSyncExternalStore } from "react";
import { machineZone } from "#lib/charts/format-time.ts";
import { zoneOf } from "#lib/charts/view-address.ts";

const never = () => () => undefined;

/** The zone of the view. The server does not know the reader's own and draws in UTC; the browser follows. */
export function useZone(timezone: string): string {
  const own = useSyncExternalStore(never, machineZone, () => "UTC");
  return zoneOf(timezone, own);
}
