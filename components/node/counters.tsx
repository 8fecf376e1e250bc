"use client";

import { useEffect, useState } from "react";
import { formatKib } from "#lib/charts/format.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import type { Part } from "#lib/charts/node-data.ts";
import { sampleIndexAt } from "#lib/charts/segments.ts";
import type { CompositionSeries, SnapshotAt } from "#lib/contracts/series.ts";
import type { CursorStore } from "../charts/cursor-store.ts";
import { Section } from "../ui/section.tsx";
import { CounterTable } from "./counter-table.tsx";
import { readSnapshot } from "./read-node.ts";
import { readPart } from "./read-part.ts";
import { NO_WHOLE_SAMPLE, PartFault } from "./part-fault.tsx";
import { SmemTable } from "./smem-table.tsx";
import { UsedTable } from "./used-table.tsx";

/** How long the cursor rests before its sample is read. */
const REST_MS = 250;

/** The sample at the cursor, read once the cursor rests; the newest while there is no cursor or no sample at it. */
function useSnapshotAtCursor(
  nodeId: number,
  newest: Part<SnapshotAt>,
  cursor: CursorStore,
  samples: CompositionSeries | undefined,
) {
  const [atCursor, setAtCursor] = useState<{ readonly part: Part<SnapshotAt> }>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: AbortController | undefined;
    const follow = () => {
      clearTimeout(timer);
      running?.abort();
      timer = setTimeout(() => {
        const atMs = cursor.get();
        if (atMs === undefined || !samples || sampleIndexAt(samples, atMs) === undefined)
          return setAtCursor(undefined);
        const mine = new AbortController();
        running = mine;
        readPart(readSnapshot(nodeId, atMs, mine.signal)).then(
          (part) => setAtCursor({ part }),
          // It was ended: another one is on its way, or nobody waits for it.
          () => undefined,
        );
      }, REST_MS);
    };
    const stop = cursor.subscribe(follow);
    return () => {
      stop();
      clearTimeout(timer);
      running?.abort();
    };
  }, [nodeId, cursor, samples]);
  return { part: atCursor?.part ?? newest, following: atCursor !== undefined };
}

/** `smem -w`, what others call used, and every counter of one sample: the newest, or the one at the cursor. */
export function Counters({
  nodeId,
  newest,
  samples,
  cursor,
  zone,
  nowMs,
}: {
  readonly nodeId: number;
  readonly newest: Part<SnapshotAt>;
  /** Where there are samples to point at. */
  readonly samples: CompositionSeries | undefined;
  readonly cursor: CursorStore;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const { part, following } = useSnapshotAtCursor(nodeId, newest, cursor, samples);
  const [filter, setFilter] = useState("");
  if (!part.ok) {
    return (
      <Section id="h-smem" title="smem -w">
        <PartFault part={part} title="The counters could not be read" absentTitle={NO_WHOLE_SAMPLE} />
      </Section>
    );
  }
  const snapshot = part.data;
  const when = `${following ? "at cursor" : "last sample"} ${formatMoment(snapshot.at, zone, nowMs)}`;
  return (
    <>
      <Section id="h-smem" title="smem -w" note={`kB, ${when}`}>
        <SmemTable rows={snapshot.smem.map(({ area, ...amounts }) => ({ label: area, ...amounts }))} />
      </Section>
      {snapshot.usedMemory ? (
        <div className="mt-6">
          <Section
            id="h-used"
            title="Who is right about used memory"
            note={`the kernel itself holds ${formatKib(snapshot.usedMemory.kernelKib)}, ${when}`}
          >
            <UsedTable used={snapshot.usedMemory} label="What each tool calls used" />
          </Section>
        </div>
      ) : null}
      <details className="mt-3">
        <summary className="cursor-pointer text-sm text-accent-ink">All counters, {when}</summary>
        <div className="grid gap-2 pt-2">
          <input
            type="search"
            aria-label="Filter counters"
            placeholder="Filter by name, e.g. slab"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="h-8 w-64 max-w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink placeholder:text-ink-3 md:h-7"
          />
          <div
            role="group"
            aria-label="Counters"
            tabIndex={0}
            className="max-h-[420px] overflow-auto border-t border-line-2"
          >
            <CounterTable snapshot={snapshot} filter={filter} />
          </div>
        </div>
      </details>
    </>
  );
}
