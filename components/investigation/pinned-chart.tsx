"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useRef, useState } from "react";
import { compositionFinding, compositionModel, defaultMode } from "#lib/charts/composition-model.ts";
import { formatMoment, formatWindow, zoneName } from "#lib/charts/format-time.ts";
import { kernelMemoryLane } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { marksOf, slopeLabels } from "#lib/charts/marks-model.ts";
import type { PinnedNode, PinReading } from "#lib/charts/pin-reading.ts";
import { slabLanes } from "#lib/charts/slab-model.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { ChartStack } from "../charts/chart-stack.tsx";
import { createCursorStore } from "../charts/cursor-store.ts";
import { useEffectCard } from "../marks/use-effect-card.tsx";

const NO_EFFECTS: readonly [] = [];

/** What both charts of a pin have: the marks of the window, a cursor of their own, and the way to the page. */
function usePinnedNode(node: PinnedNode, page: string, atMs?: number) {
  const router = useRouter();
  const frame = useRef<HTMLDivElement>(null);
  const [cursor] = useState(() => {
    const store = createCursorStore();
    store.set(atMs);
    return store;
  });
  const { zone, readAtMs } = node;
  const effectOf = useEffectCard(zone, readAtMs);
  const describeAt = useCallback((at: number) => formatMoment(at, zone, readAtMs), [zone, readAtMs]);
  // What is pinned stays as it is: a closer look is one at the page.
  const show = ({ fromMs, toMs }: TimeWindow) =>
    router.push(`/nodes/${node.nodeId}${page}?from=${Math.round(fromMs)}&to=${Math.round(toMs)}`);
  const when = `${node.name}, ${formatWindow(node.window.fromMs, node.window.toMs, zone, readAtMs)} ${zoneName(node.window.toMs, zone)}`;
  return {
    when,
    /** What both hand to their charts. */
    stack: {
      window: node.window,
      zone,
      cursor,
      describeAt,
      onZoom: show,
      onReset: () => show(node.window),
      effectOf,
      frameRef: frame,
    },
  };
}

/** The composition of a node over the pinned window, with its marks and slopes. */
export function PinnedComposition({
  reading,
}: {
  readonly reading: Extract<PinReading, { kind: "composition" }>;
}) {
  const { node, composition, effects, trend, mode, atMs } = reading;
  const { when, stack } = usePinnedNode(node, "", atMs);
  const { zone, readAtMs, window, annotations } = node;
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
  if (composition.totalKib.every((value) => value === null))
    return <p className="py-2 text-sm text-ink-2">No sample of {when} is kept any more.</p>;
  return (
    <>
      <p className="text-sm text-ink-2">
        {when}; {model.note}
      </p>
      <ChartStack
        {...stack}
        composition={model}
        lanes={lanes}
        marks={marks}
        slopes={slopes}
        samples={composition}
        finding={`${model.note}. ${compositionFinding(composition)}`}
      />
    </>
  );
}

/** Slab caches of a node over the pinned window. */
export function PinnedCaches({ reading }: { readonly reading: Extract<PinReading, { kind: "caches" }> }) {
  const { node, caches, series } = reading;
  const { when, stack } = usePinnedNode(node, "/slab");
  const { window, annotations } = node;
  const lanes = useMemo(() => slabLanes(series, caches), [series, caches]);
  const marks = useMemo(() => marksOf(annotations, NO_EFFECTS, window), [annotations, window]);
  if (lanes.length === 0)
    return <p className="py-2 text-sm text-ink-2">No sample of {when} is kept any more.</p>;
  return (
    <>
      <p className="text-sm text-ink-2">{when}</p>
      <ChartStack
        {...stack}
        lanes={lanes}
        marks={marks}
        samples={series}
        finding={`Slab caches of ${when}`}
      />
    </>
  );
}
