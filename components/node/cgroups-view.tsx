"use client";

import { useCallback, useMemo } from "react";
import {
  cgroupFinding,
  dyingHoldIds,
  emptyCgroupTable,
  idMetric,
  noEmptyCgroupText,
  rootLeavesKernelOut,
  treeTable,
} from "#lib/charts/cgroup-model.ts";
import type { CgroupPageData } from "#lib/charts/cgroup-model.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import { CGROUP_METRICS, cgroupLanes } from "#lib/charts/object-lanes.ts";
import { withoutEmptyColumns } from "#lib/charts/reported-columns.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { forecastList } from "#lib/contracts/forecast.ts";
import { tellerOf } from "#lib/charts/sources-model.ts";
import { fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { getJson } from "./api-client.ts";
import { LaneSection } from "./lane-section.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { CsvButton, NumbersTable } from "./numbers-table.tsx";
import { NO_WHOLE_SAMPLE, PartFault } from "./part-fault.tsx";
import { rangeOf, readMetrics } from "./read-node-page.ts";
import { readSnapshot } from "./read-node.ts";
import { readPart } from "./read-part.ts";
import { TimeLeft } from "./time-left.tsx";
import { useNodePage } from "./use-node-page.ts";
import type { ReadOwn } from "./use-node-page.ts";

async function readCgroups(
  nodeId: number,
  metric: string,
  window: TimeWindow,
  zone: string,
  signal: AbortSignal,
) {
  const timezone = encodeURIComponent(zone === "UTC" ? "utc" : zone);
  const path = `/api/v1/nodes/${nodeId}/forecast?${rangeOf(window)}&timezone=${timezone}&metric=${metric}`;
  const [series, forecast, snapshot] = await Promise.all([
    readMetrics(nodeId, window, CGROUP_METRICS, signal),
    readPart(getJson(path, forecastList, signal)),
    readPart(readSnapshot(nodeId, window.toMs, signal)),
  ]);
  return { series, forecast, snapshot };
}

/** Memory cgroups of a node: ids against their limit, live and dying over time, the largest trees, and empty directories. */
export function CgroupsView({ start }: { readonly start: NodePageStart<CgroupPageData> }) {
  const { kernelRelease } = start.node;
  const readOwn: ReadOwn<Awaited<ReturnType<typeof readCgroups>>> = useCallback(
    (nodeId, window, signal, zone) => readCgroups(nodeId, idMetric(kernelRelease), window, zone, signal),
    [kernelRelease],
  );
  const view = useNodePage(start, readOwn);
  const { data, node, zone, nowMs } = view;
  const series = dataOf(data.series);
  const holds = dyingHoldIds(node.kernelRelease);
  const lanes = useMemo(() => (series ? cgroupLanes(series, holds) : []), [series, holds]);
  const details = dataOf(data.snapshot)?.details;
  const trees = details?.cgroupTrees;
  const directories = details?.cgroupDirectories;
  const treesTable = useMemo(
    () => (trees ? treeTable(trees.value, node.cgroupMode) : undefined),
    [trees, node.cgroupMode],
  );
  const reported = treesTable && withoutEmptyColumns(treesTable);
  const emptyTable = useMemo(
    () => (directories ? emptyCgroupTable(directories.value) : undefined),
    [directories],
  );
  const { live, dying, idsHeld, idLimit } = node.cgroups;
  const heldByDying = holds && dying !== null ? dying : 0;
  return (
    <NodeFrame
      view={view}
      current="/cgroups"
      finding={cgroupFinding(node, dataOf(data.forecast)?.forecasts ?? [], nowMs)}
      below={
        holds
          ? "Before kernel 4.8 a removed memory cgroup keeps its id until nothing holds on to it any more. At the limit no cgroup can be made: mkdir says ENOSPC."
          : "From kernel 4.8 on a memory cgroup gives its id back when it is removed; dying ones still hold memory. At the limit no cgroup can be made."
      }
    >
      {idsHeld === null ? null : (
        <div aria-hidden="true" className="mb-3 flex items-center gap-2 text-xs text-ink-2">
          <span className="whitespace-nowrap">ids 0</span>
          <svg
            height="10"
            viewBox={`0 0 ${idLimit} 10`}
            preserveAspectRatio="none"
            className="block w-full max-w-[680px] min-w-0"
          >
            <rect width={idLimit} height="10" fill="var(--line-2)" />
            <rect width={Math.min(idLimit, idsHeld)} height="10" fill="var(--leaking)" />
            <rect
              width={Math.min(idLimit, live ?? Math.max(0, idsHeld - heldByDying))}
              height="10"
              fill="var(--ink)"
            />
          </svg>
          <span>{formatNumber(idLimit)}</span>
        </div>
      )}
      <LaneSection
        view={view}
        part={data.series}
        lanes={lanes}
        note="live ones have a directory, dying ones were removed and something holds on to them"
        missing={
          tellerOf(node) === "prometheus" ? (
            <p>
              Prometheus passed on no node_cgroups_cgroups. Start node_exporter with --collector.cgroups: it
              tells how many memory cgroups the kernel counts, live and dying together.
            </p>
          ) : (
            <p>
              Neither /proc/cgroups nor cgroup.stat was sent. In a pod the collector needs the node&apos;s own
              /sys: see Sources.
            </p>
          )
        }
      />
      <div className="mt-6 grid gap-x-6 gap-y-6 lg:grid-cols-[440px_minmax(0,1fr)]">
        <TimeLeft part={data.forecast} zone={zone} nowMs={nowMs} />
        <div className="grid min-w-0 content-start gap-6">
          <PartFault
            part={data.snapshot}
            title="Trees and directories could not be read"
            absentTitle={NO_WHOLE_SAMPLE}
          />
          {trees && treesTable && reported ? (
            <Section
              id="h-trees"
              title="Largest trees"
              note={`KiB charged to each and all below it, ${formatMoment(trees.at, zone, nowMs)}`}
              tools={<CsvButton table={() => treesTable} file={fileName(node.name, "cgroup-trees")} />}
            >
              <NumbersTable table={reported.table} label="Largest trees of memory cgroups" />
              {rootLeavesKernelOut(trees.value, node.cgroupMode) ? (
                <p className="max-w-[110ch] pt-2 text-sm">
                  On cgroup v1 &ldquo;all&rdquo; of / is page cache and anonymous memory alone: the kernel
                  leaves its own memory out of memory.usage_in_bytes of the root. So a tree below it may be
                  larger; what the kernel charged for itself stands under &ldquo;kernel&rdquo;.
                </p>
              ) : null}
              {reported.left.length > 0 ? (
                <p className="pt-1 text-sm text-ink-2">
                  Not reported by this kernel: {reported.left.join(", ")}.
                </p>
              ) : null}
            </Section>
          ) : null}
          {directories && emptyTable ? (
            <Section
              id="h-empty"
              title="Empty cgroups"
              note={`without processes and without children, by names that are alike, ${formatMoment(directories.at, zone, nowMs)}`}
              tools={<CsvButton table={() => emptyTable} file={fileName(node.name, "empty-cgroups")} />}
            >
              {emptyTable.rows.length > 0 ? (
                <NumbersTable table={emptyTable} label="Empty cgroups by name" />
              ) : (
                <p className="py-2 text-sm text-ink-2">{noEmptyCgroupText(directories.value)}</p>
              )}
            </Section>
          ) : null}
          {data.snapshot.ok && !trees && !directories ? (
            <Section id="h-trees" title="Largest trees, empty cgroups">
              <p className="py-2 text-sm text-ink-2">
                {tellerOf(node) === "prometheus"
                  ? "node_exporter does not export them; a collector on the node reads them."
                  : "The collector of this node did not send them in the day before the end of the window."}
              </p>
            </Section>
          ) : null}
        </div>
      </div>
    </NodeFrame>
  );
}
