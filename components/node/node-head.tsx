import type { ReactNode } from "react";
import type { TrendVerdict } from "#lib/charts/verdict.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { AddressFaults } from "./address-faults.tsx";
import { changeAddress } from "./change-address.ts";
import { Facts } from "./facts.tsx";
import { LiveButton } from "./live-button.tsx";
import { NodeTabs } from "./node-tabs.tsx";
import type { NodePagePath } from "./node-tabs.tsx";
import { RangePicker } from "./range-picker.tsx";
import type { NodePageView } from "./use-node-page.ts";

/** What every page of a node begins with: its facts, the range, live, the ways to its pages, and what of the address is wrong. */
export function NodeHead({
  view,
  current,
  verdict,
  every,
  tools,
}: {
  readonly view: Pick<
    NodePageView<{ readonly window: TimeWindow }>,
    "node" | "address" | "faults" | "zone" | "nowMs" | "data" | "live" | "setLive"
  >;
  readonly current: NodePagePath;
  /** Of the window that is shown; left out where the page shows none. */
  readonly verdict?: TrendVerdict | null;
  /** How often the page reads anew while it is live. */
  readonly every: string;
  /** Beside the range. */
  readonly tools?: ReactNode;
}) {
  const { node, address, data, zone, nowMs } = view;
  const shown = { address, window: data.window, zone, nowMs };
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-[480px]">
          <Facts node={node} nowMs={nowMs} {...(verdict !== undefined && { verdict })} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <RangePicker
            {...shown}
            onChange={(change) =>
              changeAddress({ ...change }, change.from === undefined ? "replace" : "push")
            }
          />
          {tools}
          <LiveButton
            address={address}
            live={view.live}
            onLive={view.setLive}
            every={every}
            silent={node.silent}
          />
        </div>
      </div>
      <NodeTabs nodeId={node.nodeId} current={current} />
      <AddressFaults faults={view.faults} {...shown} />
    </>
  );
}
