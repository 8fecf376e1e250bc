import { isLive } from "#lib/charts/view-address.ts";
import type { ViewAddress } from "#lib/charts/view-address.ts";
import { Button } from "../ui/button.tsx";
import { resetWindow } from "./change-address.ts";

/** Whether the page follows the clock, and the way back to now where it does not. */
export function LiveButton({
  address,
  live,
  onLive,
  every,
  silent,
}: {
  readonly address: ViewAddress;
  readonly live: boolean;
  readonly onLive: (live: boolean) => void;
  /** How often it reads anew: "15 s". */
  readonly every: string;
  readonly silent: boolean;
}) {
  if (!isLive(address)) {
    return (
      <Button onClick={resetWindow}>
        To now <kbd className="text-ink-3">0</kbd>
      </Button>
    );
  }
  return (
    <Button aria-pressed={live} onClick={() => onLive(!live)}>
      <span
        aria-hidden="true"
        className={`size-1.5 rounded-full ${!live ? "bg-line-3" : silent ? "bg-growing" : "bg-ok"}`}
      />
      {live ? `Live ${every}${silent ? ", node silent" : ""}` : "Paused"}
    </Button>
  );
}
