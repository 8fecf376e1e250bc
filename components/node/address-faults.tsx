import { formatWindow, zoneName } from "#lib/charts/format-time.ts";
import { QUICK_RANGES } from "#lib/charts/view-address.ts";
import type { AddressFault, TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import { WrongAddress } from "../ui/wrong-address.tsx";

/** What of an address could not be read, and what is shown instead. Nothing while all of it could. */
export function AddressFaults({
  faults,
  address,
  window,
  zone,
  nowMs,
}: {
  readonly faults: readonly AddressFault[];
  readonly address: ViewAddress;
  readonly window: TimeWindow;
  readonly zone: string;
  readonly nowMs: number;
}) {
  if (faults.length === 0) return null;
  const quick = QUICK_RANGES.find((each) => each.from === address.from && each.to === address.to);
  const span = quick ? `the last ${quick.label}` : formatWindow(window.fromMs, window.toMs, zone, nowMs);
  return <WrongAddress faults={faults} instead={`${span}, ${zoneName(window.toMs, zone)}`} />;
}
