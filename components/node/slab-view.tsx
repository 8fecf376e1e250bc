"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { formatNumber } from "#lib/charts/format.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { dataOf } from "#lib/charts/node-data.ts";
import type { NodePageStart } from "#lib/charts/node-page.ts";
import {
  MOST_CHARTED,
  chartedCaches,
  readSlabAddress,
  slabCsv,
  slabFinding,
  slabLanes,
  slabMetrics,
  slabSent,
  slabTable,
  slabWholes,
} from "#lib/charts/slab-model.ts";
import type { SlabPageData } from "#lib/charts/slab-model.ts";
import type { AddressFault, TimeWindow } from "#lib/charts/view-address.ts";
import { slabGrowth } from "#lib/contracts/slab.ts";
import { tellerOf } from "#lib/charts/sources-model.ts";
import { SLAB_BY_PROMETHEUS } from "#lib/domain/snapshot/source-advice.ts";
import { fileName } from "../ui/download.ts";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { WrongAddress } from "../ui/wrong-address.tsx";
import { PinButton, PinLink } from "../investigation/pin-button.tsx";
import type { PinOffer } from "../investigation/pin-offer.ts";
import { getJson } from "./api-client.ts";
import { changeAddress } from "./change-address.ts";
import { LaneStack } from "./lane-stack.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { CsvButton } from "./numbers-table.tsx";
import { PartFault } from "./part-fault.tsx";
import { rangeOf, readMetrics } from "./read-node-page.ts";
import { readSnapshot } from "./read-node.ts";
import { readPart } from "./read-part.ts";
import { SlabTableView } from "./slab-table.tsx";
import { useNodePage } from "./use-node-page.ts";

const SEPARATOR = "\n";

async function readSlab(nodeId: number, window: TimeWindow, wanted: readonly string[], signal: AbortSignal) {
  const path = `/api/v1/nodes/${nodeId}/slab/growth?${rangeOf(window)}`;
  const [growth, snapshot] = await Promise.all([
    readPart(getJson(path, slabGrowth, signal)),
    readPart(readSnapshot(nodeId, window.toMs, signal)),
  ]);
  const metrics = slabMetrics(chartedCaches(wanted, dataOf(growth)));
  return { growth, snapshot, series: await readMetrics(nodeId, window, metrics, signal) };
}

/** The slab caches that a node sends: what each holds, how it grew, and the chosen ones over time. */
export function SlabView({ start }: { readonly start: NodePageStart<SlabPageData> }) {
  const parameters = useSearchParams();
  const { address, faults } = useMemo(() => {
    const found: AddressFault[] = [];
    return { address: readSlabAddress((name) => parameters.getAll(name), found), faults: found };
  }, [parameters]);
  // The address follows what is typed a moment later; the box itself must not wait for it.
  const [filter, setFilter] = useState(address.filter);
  const slab = useMemo(() => ({ ...address, filter }), [address, filter]);
  const choice = slab.caches.join(SEPARATOR);
  const { nodeId } = start.node;
  const readOwn = useCallback(
    (id: number, window: TimeWindow, signal: AbortSignal) =>
      readSlab(id, window, choice === "" ? [] : choice.split(SEPARATOR), signal),
    [choice],
  );
  const view = useNodePage(start, readOwn, { now: choice, atFirst: choice });
  const { data, zone, nowMs, node } = view;
  const growth = dataOf(data.growth);
  const series = dataOf(data.series);
  const charted = useMemo(() => chartedCaches(slab.caches, growth), [slab.caches, growth]);
  const lanes = useMemo(() => (series ? slabLanes(series, charted) : []), [series, charted]);
  const merged = dataOf(data.snapshot)?.details.slabNames?.value.merged;
  const table = useMemo(() => (growth ? slabTable(growth, slab, merged) : undefined), [growth, slab, merged]);
  const status = node.sources["slabinfo"]?.status;

  const choose = (name: string, on: boolean) => {
    const next = on ? [...charted, name] : charted.filter((each) => each !== name);
    changeAddress({ cache: next.slice(-MOST_CHARTED) }, "replace");
  };
  const narrow = (text: string) => {
    setFilter(text);
    changeAddress({ filter: text || undefined }, "replace");
  };
  const pinned = (kind: PinOffer["kind"], caption: string): PinOffer => {
    const { searchParams } = new URL(window.location.href);
    searchParams.set("from", String(data.window.fromMs));
    searchParams.set("to", String(data.window.toMs));
    searchParams.delete("cache");
    for (const name of charted) searchParams.append("cache", name);
    return {
      kind,
      address: `/nodes/${nodeId}/slab?${searchParams.toString()}`,
      caption: `${node.name}: ${caption}`,
      nodeIds: [nodeId],
      suggestion: `${node.name}: what grows, and why`,
    };
  };
  return (
    <NodeFrame
      view={view}
      current="/slab"
      finding={growth ? slabFinding(growth) : "The slab caches of this window could not be read."}
      below={growth ? slabWholes(growth) : undefined}
    >
      <WrongAddress faults={faults} instead="all caches, by growth" />
      <PartFault part={data.growth} title="The slab caches could not be read" />
      {growth?.caches.length === 0 ? (
        <StatePanel
          title={status === undefined || status === "ok" ? "Nothing was sent" : `slabinfo is ${status}`}
          heading="h2"
        >
          {status !== undefined && status !== "ok" && tellerOf(node) === "prometheus" ? (
            <p>Prometheus passed on no slab caches. {SLAB_BY_PROMETHEUS}</p>
          ) : status === undefined || status === "ok" ? (
            <p>Nothing of /proc/slabinfo was sent between the ends of the window. Choose a longer one.</p>
          ) : (
            <p>
              The collector could not read /proc/slabinfo. Reading it needs uid 0; no capability replaces
              that.
            </p>
          )}
        </StatePanel>
      ) : null}
      <Section
        id="h-charts"
        title="Over time"
        note={view.slow ? "Reading\u2026" : `up to ${MOST_CHARTED} caches, chosen in the table below`}
        tools={<PinButton offer={() => pinned("chart", "slab caches over time")} />}
      >
        <PartFault part={data.series} title="The sizes could not be read" />
        {series && lanes.length > 0 ? (
          <LaneStack view={view} series={series} lanes={lanes} />
        ) : series ? (
          <p className="py-2 text-sm text-ink-2">No sample in this window.</p>
        ) : null}
      </Section>
      {growth && table && growth.caches.length > 0 ? (
        <div className="mt-6">
          <Section
            id="h-caches"
            title="Caches sent"
            note={`${formatNumber(table.rows.length)} of ${formatNumber(table.total)} sent, sizes at ${formatMoment(growth.sampleAt ?? data.window.toMs, zone, nowMs)}, growth over the window with 95 % interval`}
            tools={
              <>
                <PinLink about="the slab caches" offer={() => pinned("table", "slab caches by growth")} />
                <CsvButton table={() => slabCsv(growth, slab)} file={fileName(node.name, "slab-caches")} />
              </>
            }
          >
            <p className="max-w-[110ch] pb-1 text-sm text-ink-2">{slabSent(growth)}</p>
            <SlabTableView
              table={table}
              address={slab}
              charted={charted}
              onChoose={choose}
              onFilter={narrow}
            />
          </Section>
        </div>
      ) : null}
    </NodeFrame>
  );
}
