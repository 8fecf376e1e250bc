"use client";

import { useMemo } from "react";
import { dataOf } from "#lib/charts/node-data.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { OBJECT_METRICS, objectFinding, objectLanes } from "#lib/charts/object-lanes.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import type { MetricSeries } from "#lib/contracts/series.ts";
import { LaneSection } from "./lane-section.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { readMetrics } from "./read-node-page.ts";
import { useNodePage } from "./use-node-page.ts";

type ObjectPageData = NodePageData & { readonly series: Part<MetricSeries> };

async function readObjects(nodeId: number, window: TimeWindow, signal: AbortSignal) {
  return { series: await readMetrics(nodeId, window, OBJECT_METRICS, signal) };
}

/** What the kernel counts of its own objects: what holds slab, and what comes near a limit. */
export function ObjectsView({ start }: { readonly start: NodePageStart<ObjectPageData> }) {
  const view = useNodePage(start, readObjects);
  const { data } = view;
  const series = dataOf(data.series);
  const lanes = useMemo(() => (series ? objectLanes(series) : []), [series]);
  return (
    <NodeFrame
      view={view}
      current="/objects"
      finding={
        series ? objectFinding(lanes, series.reboots) : "The counts of kernel objects could not be read."
      }
      below="Objects take slab memory and come near limits of their own: a count that only rises names what leaks."
    >
      <LaneSection
        view={view}
        part={data.series}
        lanes={lanes}
        note="a limit is drawn once a count comes to a quarter of it"
        missing={
          <p>
            File handles, inodes, dentries, sockets, keys, tasks and mounts come with newer collectors. Fetch
            the collector anew from Add nodes; Sources says what it cannot read.
          </p>
        }
      />
    </NodeFrame>
  );
}
