"use client";

import type { ReactNode } from "react";
import type { NodePageData } from "#lib/charts/node-page.ts";
import { NodeHead } from "./node-head.tsx";
import type { NodePagePath } from "./node-tabs.tsx";
import { PanelView } from "./panel-view.tsx";
import type { NodePageView } from "./use-node-page.ts";
import { Headline } from "../ui/headline.tsx";

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
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-4 pb-2">
        <NodeHead view={view} current={current} every="60 s" />
        <div aria-live="polite" className="pt-1">
          <Headline>{finding}</Headline>
        </div>
        {below ? <div className="max-w-[165ch] text-ink-2">{below}</div> : null}
      </div>
      <PanelView>{children}</PanelView>
    </>
  );
}
