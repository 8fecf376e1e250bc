"use client";

import type { ReactNode } from "react";
import type { NodePageData } from "#lib/charts/node-page.ts";
import { AddressFaults } from "./address-faults.tsx";
import { changeAddress } from "./change-address.ts";
import { Facts } from "./facts.tsx";
import { LiveButton } from "./live-button.tsx";
import { NodeTabs } from "./node-tabs.tsx";
import type { NodePagePath } from "./node-tabs.tsx";
import { RangePicker } from "./range-picker.tsx";
import type { NodePageView } from "./use-node-page.ts";

/** The head that the pages of a node share, with the finding of the page as its heading, and what it stands on below. */
export function NodeFrame<Data extends NodePageData>({
  view,
  current,
  finding,
  below,
  children,
}: {
  readonly view: NodePageView<Data>;
  readonly current: NodePagePath;
  readonly finding: string;
  readonly below?: ReactNode;
  readonly children: ReactNode;
}) {
  const { node, address, data, zone, nowMs } = view;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-4 pb-2">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-[480px]">
            <Facts node={node} nowMs={nowMs} />
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <RangePicker
              address={address}
              window={data.window}
              zone={zone}
              nowMs={nowMs}
              onChange={(change) =>
                changeAddress({ ...change }, change.from === undefined ? "replace" : "push")
              }
            />
            <LiveButton
              address={address}
              live={view.live}
              onLive={view.setLive}
              every="60 s"
              silent={node.silent}
            />
          </div>
        </div>
        <NodeTabs nodeId={node.nodeId} current={current} />
        <AddressFaults
          faults={view.faults}
          address={address}
          window={data.window}
          zone={zone}
          nowMs={nowMs}
        />
        <div aria-live="polite" className="pt-1">
          <h1 className="max-w-[118ch] text-xl font-semibold tracking-[-0.008em] text-pretty max-md:text-[17px] max-md:leading-6">
            {finding}
          </h1>
        </div>
        {below ? <div className="max-w-[165ch] text-ink-2">{below}</div> : null}
      </div>
      {children}
    </>
  );
}
