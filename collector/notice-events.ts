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

export type Noticed = Partial<Record<keyof typeof NOTICED, number>>;

/**
 * Compares with the sample before. The first sample notices nothing: what happened before the collector started has no
 * time. A counter that is absent or fell notices nothing either.
 */
export function noticeEvents(
  before: Noticed | undefined,
  vmstat: Readonly<Record<string, number>> | undefined,
  at: Date,
): { noticed: Noticed | undefined; list: CollectorEvent[] } {
  if (vmstat === undefined) return { noticed: before, list: [] };
  const noticed: Noticed = {};
  const list: CollectorEvent[] = [];
  for (const key of Object.keys(NOTICED) as (keyof typeof NOTICED)[]) {
    const now = vmstat[key];
    if (now === undefined) continue;
    noticed[key] = now;
    const earlier = before?.[key];
    if (earlier !== undefined && now > earlier) {
      list.push({ at: at.toISOString(), ...NOTICED[key](now - earlier) });
    }
  }
  return { noticed, list };
}
