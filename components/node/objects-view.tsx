"use client";

import { useMemo } from "react";
import { formatMoment } from "#lib/charts/format-time.ts";
import { allocationTable, readBefore, vmallocTable } from "#lib/charts/holders-model.ts";
import type { HolderTable, ObjectPageData } from "#lib/charts/holders-model.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import type { NodePageData, NodePageStart } from "#lib/charts/node-page.ts";
import { OBJECT_METRICS, objectFinding, objectLanes } from "#lib/charts/object-lanes.ts";
import { withoutEmptyColumns } from "#lib/charts/reported-columns.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { tellerOf } from "#lib/charts/sources-model.ts";
import { fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { LaneSection } from "./lane-section.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { CsvButton, NumbersTable } from "./numbers-table.tsx";
import { NO_WHOLE_SAMPLE, PartFault } from "./part-fault.tsx";
import { readMetrics } from "./read-node-page.ts";
import { readSnapshot } from "./read-node.ts";
import { readPart } from "./read-part.ts";
import { useNodePage } from "./use-node-page.ts";
import type { NodePageView } from "./use-node-page.ts";

async function readObjects(nodeId: number, window: TimeWindow, signal: AbortSignal) {
  const [series, snapshot, before] = await Promise.all([
    readMetrics(nodeId, window, OBJECT_METRICS, signal),
    readPart(readSnapshot(nodeId, window.toMs, signal)),
    readPart(readSnapshot(nodeId, window.fromMs, signal)),
  ]);
  const read = (atMs: number) => readPart(readSnapshot(nodeId, atMs, signal));
  return { series, snapshot, before: await readBefore(window, { series, snapshot, before }, read) };
}

/** A table of who holds memory in a section of its own; nothing where the node did not send it. */
function Holders({
  found,
  id,
  title,
  file,
  view,
}: {
  readonly found: HolderTable | undefined;
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly view: Pick<NodePageView<NodePageData>, "zone" | "nowMs">;
}) {
  if (!found) return null;
  const moment = (atMs: number) => formatMoment(atMs, view.zone, view.nowMs);
  const since =
    found.sinceMs === undefined
      ? "no earlier reading to compare with"
      : `change since ${moment(found.sinceMs)}`;
  return (
    <Section
      id={id}
      title={title}
      note={`the largest, read ${moment(found.at)}, ${since}`}
      tools={<CsvButton table={() => found.table} file={file} />}
    >
      <NumbersTable table={withoutEmptyColumns(found.table).table} label={title} />
    </Section>
  );
}

/** What the kernel counts of its own objects: what holds slab, and what comes near a limit. */
export function ObjectsView({ start }: { readonly start: NodePageStart<ObjectPageData> }) {
  const view = useNodePage(start, readObjects);
  const { data } = view;
  const series = dataOf(data.series);
  const lanes = useMemo(() => (series ? objectLanes(series) : []), [series]);
  const snapshot = dataOf(data.snapshot);
  const before = dataOf(data.before);
  const { name } = view.node;
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
          tellerOf(view.node) === "prometheus" ? (
            <p>
              Of kernel objects node_exporter tells file handles and sockets alone, and Prometheus passed on
              neither: node_filefd_allocated, node_filefd_maximum, node_sockstat_*.
            </p>
          ) : (
            <p>
              File handles, inodes, dentries, sockets, keys, tasks and mounts come with newer collectors.
              Fetch the collector anew from Add nodes; Sources says what it cannot read.
            </p>
          )
        }
      />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
        <PartFault
          part={data.snapshot}
          title="Who holds vmalloc space could not be read"
          absentTitle={NO_WHOLE_SAMPLE}
        />
        <Holders
          found={snapshot && vmallocTable(snapshot, before)}
          id="h-vmalloc"
          title="Who holds vmalloc space"
          file={fileName(name, "vmalloc")}
          view={view}
        />
        <Holders
          found={snapshot && allocationTable(snapshot, before)}
          id="h-allocations"
          title="Memory by line of kernel code"
          file={fileName(name, "allocations")}
          view={view}
        />
      </div>
    </NodeFrame>
  );
}
