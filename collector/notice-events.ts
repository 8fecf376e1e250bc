import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";

export type CollectorEvent = NonNullable<SnapshotInput["events"]>[number];

/** Counters of vmstat that stand for something a person did or must know. */
const NOTICED = {
  oom_kill: (by: number): Omit<CollectorEvent, "at"> => ({
    kind: "oom-kill",
    title: by === 1 ? "The OOM killer ended a process" : `The OOM killer ended ${by} processes`,
  }),
  drop_pagecache: (): Omit<CollectorEvent, "at"> => ({
    kind: "drop-caches",
    title: "The page cache was dropped by hand (drop_caches)",
  }),
  drop_slab: (): Omit<CollectorEvent, "at"> => ({
    kind: "drop-caches",
    title: "Reclaimable slab was dropped by hand (drop_caches)",
  }),
};

export interface Noticed {
  readonly counters: Partial<Record<keyof typeof NOTICED, number>>;
  /** OOM kills that a log told before the counter showed them: the two are not read at one moment. */
  readonly toldAhead: number;
}

/**
 * Compares with the sample before. The first sample notices nothing: what happened before the collector started has no
 * time. A counter that is absent or fell notices nothing either.
 *
 * @param toldKills OOM kills that logs told since the sample before: those are events already, and say more.
 */
export function noticeEvents(
  before: Noticed | undefined,
  vmstat: Readonly<Record<string, number>> | undefined,
  at: Date,
  toldKills = 0,
): { noticed: Noticed | undefined; list: CollectorEvent[] } {
  if (vmstat === undefined) return { noticed: before, list: [] };
  const counters: Partial<Record<keyof typeof NOTICED, number>> = {};
  const list: CollectorEvent[] = [];
  let toldAhead = before === undefined ? 0 : before.toldAhead + toldKills;
  for (const key of Object.keys(NOTICED) as (keyof typeof NOTICED)[]) {
    const now = vmstat[key];
    if (now === undefined) continue;
    counters[key] = now;
    const earlier = before?.counters[key];
    if (earlier === undefined || now <= earlier) continue;
    let by = now - earlier;
    if (key === "oom_kill") {
      const told = Math.min(by, toldAhead);
      toldAhead -= told;
      by -= told;
    }
    if (by > 0) list.push({ at: at.toISOString(), ...NOTICED[key](by) });
  }
  return { noticed: { counters, toldAhead }, list };
}
