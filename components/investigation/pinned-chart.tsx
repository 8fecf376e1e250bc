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

const NO_EFFECTS: readonly [] = [];

/** What both charts of a pin have: the window that they show, a cursor of their own, and what a closer look leads to. */
function usePinnedNode(node: PinnedNode, page: string, atMs?: number) {
  const router = useRouter();
  const hasPages = useContext(InnerLinksContext);
  const [closer, setCloser] = useState<TimeWindow>();
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
      setCloser({ fromMs: Math.max(fromMs, node.window.fromMs), toMs: Math.min(toMs, node.window.toMs) });
    else router.push(`/nodes/${node.nodeId}${page}?from=${Math.round(fromMs)}&to=${Math.round(toMs)}`);
  };
  const window = closer ?? node.window;
  const when = `${isolatedText(node.name)}, ${formatWindow(window.fromMs, window.toMs, zone, readAtMs)} ${zoneName(window.toMs, zone)}`;
  return {
    when,
    window,
    /** Shows all of it again, while a closer look is taken in place. */
    back: closer === undefined ? undefined : () => setCloser(undefined),
    /** What both hand to their charts. */
    stack: {
      window,
      zone,
      cursor,
      describeAt,
      onZoom: show,
      onReset: () => (hasPages ? show(node.window) : setCloser(undefined)),
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
  const { node, effects, trend, mode, atMs } = reading;
  const { when, window, back, stack } = usePinnedNode(node, "", atMs);
  const { zone, readAtMs, annotations } = node;
  const composition = useMemo(
    () => (window === node.window ? reading.composition : cutComposition(reading.composition, window)),
    [reading.composition, node.window, window],
  );
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
    return <p className="py-2 text-sm text-ink-2">No sample of {when} is kept any more.</p>;
  return (
    <>
      <WhenShown when={`${when}; ${model.note}`} onReset={back} />
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
  const { node, caches } = reading;
  const { when, window, back, stack } = usePinnedNode(node, "/slab");
  const { annotations } = node;
  const series = useMemo(
    () => (window === node.window ? reading.series : cutMetrics(reading.series, window)),
    [reading.series, node.window, window],
  );
  const lanes = useMemo(() => slabLanes(series, caches), [series, caches]);
  const marks = useMemo(() => marksOf(annotations, NO_EFFECTS, window), [annotations, window]);
  if (lanes.length === 0)
    return <p className="py-2 text-sm text-ink-2">No sample of {when} is kept any more.</p>;
  return (
    <>
      <WhenShown when={when} onReset={back} />
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

/** Node and window, and the way back from a closer look. */
function WhenShown({ when, onReset }: { readonly when: string; readonly onReset: (() => void) | undefined }) {
  return (
    <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
      {when}{" "}
      {onReset ? (
        <button type="button" className="min-h-6 text-accent-ink hover:underline" onClick={onReset}>
          Show all of it
        </button>
      ) : null}
    </p>
  );
}
