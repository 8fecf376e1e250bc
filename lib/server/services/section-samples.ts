import { readSectionCounters } from "#lib/domain/memory/section-metrics.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import {
  DETAIL_SECTIONS,
  FREQUENT_SECTIONS,
  sourceSections,
  type DetailSection,
} from "#lib/domain/snapshot/source-sections.ts";

/** What of a snapshot goes to CounterSample. */
export interface SectionSample {
  /** By the name of the metric. */
  readonly counters: ReadonlyMap<string, number>;
  /** Sections that are kept whole; absent when the snapshot has none. */
  readonly details?: Partial<Pick<Snapshot, DetailSection>>;
}

/** A little under a minute, so that samples every 15 s that come a moment early still hit the fourth. */
const SPACING_MS = 58_000;

const FREQUENT: ReadonlySet<string> = new Set(FREQUENT_SECTIONS);
const RARE = (Object.keys(sourceSections) as (keyof typeof sourceSections)[]).filter(
  (name) => !FREQUENT.has(name),
);

/**
 * Decides what of a snapshot's sections is stored: nothing when it has none; nothing either when it only has those that each
 * snapshot brings, came less than a minute after the sample before, and nothing happened. Pure.
 *
 * @param lastAtMs time of the sample stored before, of the same boot.
 */
export function nextSectionSample(
  lastAtMs: number | undefined,
  snapshot: Snapshot,
): SectionSample | undefined {
  const { at, events = [] } = snapshot;
  const isClose = lastAtMs !== undefined && at >= lastAtMs && at - lastAtMs < SPACING_MS;
  if (isClose && events.length === 0 && RARE.every((name) => snapshot[name] === undefined)) return undefined;
  const counters = readSectionCounters(snapshot);
  const details = Object.fromEntries(
    DETAIL_SECTIONS.flatMap((name) => (snapshot[name] === undefined ? [] : [[name, snapshot[name]]])),
  );
  const hasDetails = Object.keys(details).length > 0;
  if (counters.size === 0 && !hasDetails) return undefined;
  return hasDetails ? { counters, details } : { counters };
}
