"use client";

import { useRouter } from "next/navigation";
import { useCallback, useContext, useMemo, useRef, useState } from "react";
import { compositionFinding, compositionModel, defaultMode } from "#lib/charts/composition-model.ts";
import { cutComposition, cutMetrics } from "#lib/charts/cut-series.ts";
import { formatMoment, formatWindow, zoneName } from "#lib/charts/format-time.ts";
import { kernelMemoryLane } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { marksOf, slopeLabels } from "#lib/charts/marks-model.ts";
import type { PinnedNode, PinReading } from "#lib/charts/pin-reading.ts";
import { slabLanes } from "#lib/charts/slab-model.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { ChartStack } from "../charts/chart-stack.tsx";
import { createCursorStore } from "../charts/cursor-store.ts";
import { useEffectCard } from "../marks/use-effect-card.tsx";
import { InnerLinksContext } from "../ui/inner-link.tsx";
import { ChartKey } from "./chart-key.tsx";
import { useCloserLook } from "./use-closer-look.ts";

const NO_EFFECTS: readonly [] = [];

/** What both charts of a pin have: the window that they show, a cursor of their own, and what a closer look leads to. */
function usePinnedNode(number: number, node: PinnedNode, page: string, atMs?: number) {
  const router = useRouter();
  const hasPages = useContext(InnerLinksContext);
  const { look, show: showPart } = useCloserLook(number);
  const frame = useRef<HTMLDivElement>(null);
  const [cursor] = useState(() => {
    const store = createCursorStore();
    store.set(atMs);
    return store;
  });
  const { zone, readAtMs } = node;
  const effectOf = useEffectCard(zone, readAtMs);
  const describeAt = useCallback((at: number) => formatMoment(at, zone, readAtMs), [zone, readAtMs]);
  const show = ({ fromMs, toMs }: TimeWindow) => {
    // Whoever has the page of the node takes a closer look there: what is pinned stays as it is.
    if (!hasPages)
      showPart({ fromMs: Math.max(fromMs, node.window.fromMs), toMs: Math.min(toMs, node.window.toMs) });
    else router.push(`/nodes/${node.nodeId}${page}?from=${Math.round(fromMs)}&to=${Math.round(toMs)}`);
  };
  const window = look?.part ?? node.window;
  const when = `${isolatedText(node.name)}, ${formatWindow(window.fromMs, window.toMs, zone, readAtMs)} ${zoneName(window.toMs, zone)}`;
  return {
    /** Says node and window, and while a closer look is taken in place leads back from it. */
    head: { when, note: look?.note ?? "", onReset: look && (() => showPart()) },
    window,
    finer: look?.finer,
    /** What both hand to their charts. */
    stack: {
      window,
      zone,
      cursor,
      describeAt,
      onZoom: show,
      onReset: () => (hasPages ? show(node.window) : showPart()),
      effectOf,
      frameRef: frame,
    },
  };
}

/** The composition of a node over the pinned window, with its marks and slopes. */
export function PinnedComposition({
  reading,
  number,
}: {
  readonly reading: Extract<PinReading, { kind: "composition" }>;
  readonly number: number;
}) {
  const { node, effects, trend, mode, atMs } = reading;
  const { head, window, finer, stack } = usePinnedNode(number, node, "", atMs);
  const { zone, readAtMs, annotations } = node;
  const composition = useMemo(() => {
    if (finer?.kind === "composition") return finer.composition;
    return window === node.window ? reading.composition : cutComposition(reading.composition, window);
  }, [finer, reading.composition, node.window, window]);
  const model = useMemo(
    () => compositionModel(composition, mode ?? defaultMode(composition), { zone, nowMs: readAtMs }),
    [composition, mode, zone, readAtMs],
  );
  const lanes = useMemo(
    () => [kernelMemoryLane(composition)].filter((lane): lane is LaneModel => lane !== undefined),
    [composition],
  );
  const marks = useMemo(() => marksOf(annotations, effects, window), [annotations, effects, window]);
  const slopes = useMemo(() => slopeLabels(marks, trend), [marks, trend]);
  if (reading.composition.totalKib.every((value) => value === null))
    return <p className="py-2 text-sm text-ink-2">No sample of {head.when} is kept any more.</p>;
  return (
    <>
      <WhenShown {...head} when={`${head.when}; ${model.note}`} />
      <ChartStack
        {...stack}
        composition={model}
        lanes={lanes}
        marks={marks}
        slopes={slopes}
        samples={composition}
        finding={`${model.note}. ${compositionFinding(composition)}`}
      />
      <ChartKey model={model} marks={marks} zone={zone} />
    </>
  );
}

/** Slab caches of a node over the pinned window. */
export function PinnedCaches({
  reading,
  number,
}: {
  readonly reading: Extract<PinReading, { kind: "caches" }>;
  readonly number: number;
}) {
  const { node, caches } = reading;
  const { head, window, finer, stack } = usePinnedNode(number, node, "/slab");
  const { annotations } = node;
  const series = useMemo(() => {
    if (finer?.kind === "caches") return finer.series;
    return window === node.window ? reading.series : cutMetrics(reading.series, window);
  }, [finer, reading.series, node.window, window]);
  const lanes = useMemo(() => slabLanes(series, caches), [series, caches]);
  const marks = useMemo(() => marksOf(annotations, NO_EFFECTS, window), [annotations, window]);
  if (lanes.length === 0)
    return <p className="py-2 text-sm text-ink-2">No sample of {head.when} is kept any more.</p>;
  return (
    <>
      <WhenShown {...head} />
      <ChartStack
        {...stack}
        lanes={lanes}
        marks={marks}
        samples={series}
        finding={`Slab caches of ${head.when}`}
      />
    </>
  );
}

/** Node and window, what there is to say of the points of a closer look, and the way back from it. */
function WhenShown({
  when,
  note,
  onReset,
}: {
  readonly when: string;
  readonly note: string;
  readonly onReset: (() => void) | undefined;
}) {
  return (
    <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
      {when}{" "}
      {onReset ? (
        <button type="button" className="min-h-6 text-accent-ink hover:underline" onClick={onReset}>
          Show all of it
        </button>
      ) : null}{" "}
      <span role="status">{note}</span>
    </p>
  );
}
