import type { ReactNode } from "react";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { NodePageData } from "#lib/charts/node-page.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { LaneStack } from "./lane-stack.tsx";
import { NoSample } from "./no-sample.tsx";
import { PartFault } from "./part-fault.tsx";
import type { NodePageView } from "./use-node-page.ts";

/** The charts of a page of a node, or why there are none and what to do. */
export function LaneSection({
  view,
  part,
  lanes,
  note,
  missing,
}: {
  readonly view: NodePageView<NodePageData>;
  readonly part: Part<MetricSeries>;
  readonly lanes: readonly LaneModel[];
  readonly note?: string;
  /** Why nothing is drawn, where the node did send in this window. */
  readonly missing: ReactNode;
}) {
  const { node, data, zone, nowMs } = view;
  const sent = node.lastSeenAt >= data.window.fromMs && node.firstSeenAt <= data.window.toMs;
  return (
    <Section id="h-charts" title="Over time" note={view.slow ? "Reading\u2026" : note}>
      <PartFault part={part} title="The counters could not be read" />
      {!part.ok ? null : lanes.length > 0 ? (
        <LaneStack view={view} series={part.data} lanes={lanes} />
      ) : sent ? (
        <StatePanel title="Not reported in this window" heading="h3">
          {missing}
        </StatePanel>
      ) : (
        <NoSample node={node} window={data.window} zone={zone} nowMs={nowMs} />
      )}
    </Section>
  );
}
