import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { KNOWN_SECTIONS, SNAPSHOT_LIMITS } from "#lib/domain/snapshot/schema.ts";
import { hasOwnColumn } from "#lib/server/data/snapshot-columns.ts";

/** What was last written to SnapshotExtra for one boot: the chain that the next row continues. */
export interface ExtraChain {
  readonly baseAtMs: number;
  readonly lastAtMs: number;
  readonly meminfo: Readonly<Record<string, number>>;
  readonly vmstat: Readonly<Record<string, number>>;
  readonly sections: Readonly<Record<string, string>>;
}

export interface ExtraStep {
  readonly baseAtMs: number;
  readonly counters: Readonly<Record<string, unknown>>;
  readonly chain: ExtraChain;
}

/** A little under a minute, so that samples every 15 s that come a moment early still hit the fourth. */
const SPACING_MS = 58_000;
const KEYFRAME_MS = 3_600_000;

/**
 * Decides what of a snapshot goes to SnapshotExtra: nothing within a minute of the row before unless something
 * happened, else what changed, and everything at the start, each hour, and when a snapshot is older than the chain.
 * Pure; the caller keeps the chain once the row is stored.
 */
export function nextExtra(chain: ExtraChain | undefined, snapshot: Snapshot): ExtraStep | undefined {
  const { at, meminfo, vmstat = {} } = snapshot;
  const sections = unknownSections(snapshot);
  const continued = chain && at > chain.lastAtMs && at - chain.baseAtMs < KEYFRAME_MS ? chain : undefined;
  if (continued && at - continued.lastAtMs < SPACING_MS && !snapshot.events?.length) return undefined;
  const changed = {
    meminfo: changedCounters("meminfo", meminfo, continued?.meminfo),
    vmstat: changedCounters("vmstat", vmstat, continued?.vmstat),
    sections: Object.fromEntries(
      Object.entries(sections)
        .filter(([name, text]) => continued?.sections[name] !== text)
        .map(([name, text]): [string, unknown] => [name, JSON.parse(text)]),
    ),
  };
  const baseAtMs = continued?.baseAtMs ?? at;
  return {
    baseAtMs,
    counters: Object.fromEntries(
      Object.entries(changed).filter(([, values]) => Object.keys(values).length > 0),
    ),
    // A key that this sample lacks keeps its last value in the chain, as it does for whoever reads it.
    chain: continued
      ? {
          baseAtMs,
          lastAtMs: at,
          meminfo: { ...continued.meminfo, ...changed.meminfo },
          vmstat: { ...continued.vmstat, ...changed.vmstat },
          sections: { ...continued.sections, ...sections },
        }
      : { baseAtMs, lastAtMs: at, meminfo: changed.meminfo, vmstat: changed.vmstat, sections },
  };
}

function changedCounters(
  section: "meminfo" | "vmstat",
  counters: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>> | undefined,
): Record<string, number> {
  const changed: Record<string, number> = {};
  for (const key in counters) {
    const value = counters[key];
    if (value !== undefined && before?.[key] !== value && !hasOwnColumn(section, key)) changed[key] = value;
  }
  return changed;
}

/** Together they may be as large as one snapshot of today. */
const UNKNOWN_SECTIONS = 4;

/** Sections that version 1 does not define, as JSON: the first few, without those that are too large. */
function unknownSections(snapshot: Snapshot): Record<string, string> {
  const sections: Record<string, string> = {};
  let kept = 0;
  for (const name in snapshot) {
    if (KNOWN_SECTIONS.has(name) || kept === UNKNOWN_SECTIONS) continue;
    const text = JSON.stringify(snapshot[name]);
    if (text === undefined || text.length > SNAPSHOT_LIMITS.unknownSectionBytes) continue;
    sections[name] = text;
    kept += 1;
  }
  return sections;
}

/** Says what becomes of the sections that this version does not know; empty for most snapshots. */
export function describeUnknownSections(snapshot: Snapshot): string[] {
  const kept = unknownSections(snapshot);
  return Object.keys(snapshot)
    .filter((name) => !KNOWN_SECTIONS.has(name))
    .slice(0, 20)
    .map((name) => {
      const what = `The section ${JSON.stringify(name.slice(0, 60))} is not known`;
      if (name in kept) return `${what}; it is kept as it is.`;
      return `${what} and was left out: at most ${UNKNOWN_SECTIONS} of ${SNAPSHOT_LIMITS.unknownSectionBytes} characters are kept.`;
    });
}
