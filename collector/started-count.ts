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

/**
 * Goes on with the best source that there is now; `readings` are in order, best first. What another source counts between its start and
 * now is no containers of this moment, so a change of source adds nothing; a counter that began anew adds what it has counted
 * since.
 */
export function advanceStarted(
  before: StartedState | undefined,
  bootId: string,
  readings: readonly StartedReading[],
): { state: StartedState; reading: StartedReading } | undefined {
  const [reading] = readings;
  if (reading === undefined) return undefined;
  const { source, count } = reading;
  if (before?.bootId !== bootId) return { state: { bootId, total: count, source, last: count }, reading };
  if (before.source !== source) {
    return { state: { bootId, total: before.total, source, last: count }, reading };
  }
  const grown = count >= before.last ? count - before.last : count;
  return { state: { bootId, total: before.total + grown, source, last: count }, reading };
}

/** Checks what was read back from disk; anything else starts anew. */
export function parseStartedState(text: string): StartedState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { bootId, total, source, last } = value as Record<string, unknown>;
  const isCount = (each: unknown) => Number.isSafeInteger(each) && Number(each) >= 0;
  const isSound = typeof bootId === "string" && typeof source === "string" && isCount(total) && isCount(last);
  return isSound ? (value as StartedState) : undefined;
}
