import { startedTotal } from "#lib/domain/snapshot/started-total.ts";
import { isCount, parseRecord } from "./parse-record.ts";

/** What counts the containers that were started, and how far it is. */
export interface StartedReading {
  /** `kubelet`, `runtime` or `cgroups`. */
  readonly source: string;
  /** Since whatever it counts from: a boot, or the start of a program. */
  readonly count: number;
  /** In words, for who reads the number. */
  readonly detail: string;
}

/** One count over all sources, which never falls within a boot. */
export interface StartedState {
  readonly bootId: string;
  readonly total: number;
  readonly source: string;
  /** What the source said last. */
  readonly last: number;
}

/** Goes on with the best source that there is now; `readings` are in order, best first. */
export function advanceStarted(
  before: StartedState | undefined,
  bootId: string,
  readings: readonly StartedReading[],
): { state: StartedState; reading: StartedReading } | undefined {
  const [reading] = readings;
  if (reading === undefined) return undefined;
  const { source, count } = reading;
  const sameBoot = before?.bootId === bootId ? { ...before, value: before.last } : undefined;
  const total = startedTotal(sameBoot, { source, value: count });
  return { state: { bootId, total, source, last: count }, reading };
}

/** Checks what was read back from disk; anything else starts anew. */
export function parseStartedState(text: string): StartedState | undefined {
  const value = parseRecord(text);
  if (value === undefined) return undefined;
  const { bootId, total, source, last } = value;
  const isSound = typeof bootId === "string" && typeof source === "string" && isCount(total) && isCount(last);
  return isSound ? (value as unknown as StartedState) : undefined;
}
