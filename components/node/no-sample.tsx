import { formatMoment } from "#lib/charts/format-time.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { Button } from "../ui/button.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { zoomTo } from "./change-address.ts";

const BEFORE_NEWEST_MS = 6 * 3_600_000;
const AFTER_NEWEST_MS = 60_000;

/** A window in which the node sent nothing, and the way to its newest sample. */
export function NoSample({
  node,
  window,
  zone,
  nowMs,
}: {
  readonly node: NodeSummary;
  readonly window: TimeWindow;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const { lastSeenAt } = node;
  return (
    <StatePanel
      title={`No sample between ${formatMoment(window.fromMs, zone, nowMs)} and ${formatMoment(window.toMs, zone, nowMs)}`}
      heading="h3"
    >
      <p>The newest is from {formatMoment(lastSeenAt, zone, nowMs)}.</p>
      <Button
        onClick={() => zoomTo({ fromMs: lastSeenAt - BEFORE_NEWEST_MS, toMs: lastSeenAt + AFTER_NEWEST_MS })}
      >
        Go there
      </Button>
    </StatePanel>
  );
}
