"use client";

import { useMemo } from "react";
import {
  chartedPlaces,
  directoryCsv,
  directoryFinding,
  directoryRows,
  mountRows,
} from "#lib/charts/directory-model.ts";
import type { DirectoryPageData, GrowthText } from "#lib/charts/directory-model.ts";
import { formatNumber } from "#lib/charts/format.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import { placeLanes, placeMetrics } from "#lib/charts/object-lanes.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { directoryGrowth } from "#lib/contracts/directory.ts";
import { WATCH_BY_PROMETHEUS } from "#lib/domain/snapshot/source-advice.ts";
import { tellerOf } from "#lib/charts/sources-model.ts";
import { numericHead } from "../ui/column-heads.tsx";
import { fileName } from "../ui/download.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Section } from "../ui/section.tsx";
import { Verdict } from "../ui/verdict.tsx";
import { getJson } from "./api-client.ts";
import { LaneSection } from "./lane-section.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { CsvButton } from "./numbers-table.tsx";
import { PartFault } from "./part-fault.tsx";
import { rangeOf, readMetrics } from "./read-node-page.ts";
import { readPart } from "./read-part.ts";
import { useNodePage } from "./use-node-page.ts";

const DIRECTORY_HEADS = [
  "directory",
  numericHead("files"),
  numericHead("files/h, 95 %"),
  "verdict",
  { key: "words", content: "in words", className: "max-md:hidden" },
];
const MOUNT_HEADS = [
  "mount",
  numericHead("used"),
  numericHead("of its size"),
  numericHead("MiB/h, 95 %"),
  numericHead("inodes"),
  numericHead("of its limit"),
  numericHead("inodes/h, 95 %"),
  numericHead("inodes last"),
  "verdict of inodes",
];

async function readDirectories(nodeId: number, window: TimeWindow, signal: AbortSignal) {
  const path = `/api/v1/nodes/${nodeId}/directories?${rangeOf(window)}`;
  const growth = await readPart(getJson(path, directoryGrowth, signal));
  const metrics = placeMetrics(chartedPlaces(dataOf(growth)));
  return { growth, series: await readMetrics(nodeId, window, metrics, signal) };
}

function Growth({ growth }: { readonly growth: GrowthText }) {
  return (
    <>
      {growth.value === undefined ? "\u2013" : growth.value}{" "}
      <span className="text-ink-2">{growth.interval ?? ""}</span>
    </>
  );
}

/** Watched directories and tmpfs mounts of a node: how full, how fast they fill, when inodes run out. */
export function DirectoriesView({ start }: { readonly start: NodePageStart<DirectoryPageData> }) {
  const view = useNodePage(start, readDirectories);
  const { data, node, nowMs } = view;
  const growth = dataOf(data.growth);
  const series = dataOf(data.series);
  const places = useMemo(() => chartedPlaces(growth), [growth]);
  const lanes = useMemo(() => (series ? placeLanes(series, places) : []), [series, places]);
  const directories = growth ? directoryRows(growth) : [];
  const mounts = growth ? mountRows(growth, nowMs) : [];
  return (
    <NodeFrame
      view={view}
      current="/directories"
      finding={growth ? directoryFinding(growth, nowMs) : "Directories and mounts could not be read."}
      below="Files on a tmpfs are memory that nothing reclaims without swap, and each takes an inode and a dentry besides."
    >
      <PartFault part={data.growth} title="Directories and mounts could not be read" />
      <LaneSection
        view={view}
        part={data.series}
        lanes={lanes}
        note="the fullest; a limit is drawn once a line comes to a quarter of it"
        missing={<p>Neither directories nor mounts nor Shmem were sent in this window.</p>}
      />
      <div className="mt-6 grid gap-6">
        <Section
          id="h-directories"
          title="Watched directories"
          note="growth in files an hour, 95 %"
          tools={
            growth ? (
              <CsvButton table={() => directoryCsv(growth)} file={fileName(node.name, "directories")} />
            ) : null
          }
        >
          {growth && directories.length === 0 ? (
            <p className="py-2 text-sm text-ink-2">
              {tellerOf(node) === "prometheus" ? (
                WATCH_BY_PROMETHEUS
              ) : (
                <>
                  None in this window. Start the collector with <code>--watch DIR</code> to count the files of
                  a directory; /run/crio/exits and /run/libpod/exits are counted where they are.
                </>
              )}
            </p>
          ) : (
            <ScrollTable label="Watched directories" heads={DIRECTORY_HEADS}>
              {directories.map((row) => (
                <tr key={row.path}>
                  <th scope="row" className="min-w-36 [overflow-wrap:anywhere]">
                    <bdi>{row.path}</bdi>
                  </th>
                  <td className="num">{row.files}</td>
                  <td className="num">
                    <Growth growth={row.growth} />
                  </td>
                  <td>
                    <Verdict verdict={row.growth.verdict} />
                  </td>
                  <td className="max-w-[60ch] text-ink-2 max-md:hidden">{row.text}</td>
                </tr>
              ))}
            </ScrollTable>
          )}
        </Section>
        <Section
          id="h-mounts"
          title="tmpfs mounts"
          note={
            growth && growth.tmpfsTotal > mounts.length
              ? `the ${formatNumber(mounts.length)} fullest of ${formatNumber(growth.tmpfsTotal)}`
              : "the fullest first"
          }
        >
          {growth && mounts.length === 0 ? (
            <p className="py-2 text-sm text-ink-2">
              {tellerOf(node) === "prometheus"
                ? "None: what Prometheus passes on of mounts is not read, a collector on the node reads them."
                : "None in this window. The sh collector does not read them; the collector for Node.js does, where it may look at the mounts: see Sources."}
            </p>
          ) : (
            <ScrollTable label="tmpfs mounts" heads={MOUNT_HEADS}>
              {mounts.map((row) => (
                <tr key={row.mount}>
                  <th scope="row" className="max-w-80 min-w-36 [overflow-wrap:anywhere]">
                    <bdi>{row.mount}</bdi>
                  </th>
                  <td className="num">{row.used}</td>
                  <td className="num">{row.ofSize}</td>
                  <td className="num">
                    <Growth growth={row.usedGrowth} />
                  </td>
                  <td className="num">{row.inodes}</td>
                  <td className="num">{row.ofInodes}</td>
                  <td className="num">
                    <Growth growth={row.inodeGrowth} />
                  </td>
                  <td className="num">{row.left}</td>
                  <td>
                    <Verdict verdict={row.inodeGrowth.verdict} />
                  </td>
                </tr>
              ))}
            </ScrollTable>
          )}
        </Section>
      </div>
    </NodeFrame>
  );
}
