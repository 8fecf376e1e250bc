/** How a finding stands: found, seen by a person, gone, or there again after it had gone. */
export type FindingState = "new" | "acknowledged" | "resolved" | "returned";

export type Certainty = "suspected" | "firm";

/** What is kept of a finding from one reading to the next; times in epoch milliseconds. */
export interface FindingStanding {
  readonly state: FindingState;
  readonly certainty: Certainty;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
}

export interface FindingStep extends FindingStanding {
  /** What it became now, for its history. */
  readonly became: readonly (FindingState | "firm")[];
}

/** Evidence must be gone for so long: a window that shifts by an hour may lose it for a while. */
export const RESOLVED_AFTER_MS = 6 * 3_600_000;

/**
 * How a finding stands after a reading. The surest that it was since it came last stays until it is resolved: a quieter window
 * takes no proof back. It is resolved only by readings that could have shown it: those of a boot that is a day old, since growth
 * of a younger one is not known, which is not the same as gone.
 * @param known how it stood; `undefined` when it was never seen.
 * @param seen the certainty with which it is seen now; `undefined` when it is not.
 * @returns `undefined` when there is nothing to keep.
 */
export function followFinding(
  known: FindingStanding | undefined,
  seen: Certainty | undefined,
  { nowMs, wholeDay }: { readonly nowMs: number; readonly wholeDay: boolean },
): FindingStep | undefined {
  if (seen === undefined) {
    if (known === undefined) return undefined;
    const { state, certainty, firstSeenAtMs, lastSeenAtMs } = known;
    const isGone = state !== "resolved" && wholeDay && nowMs - lastSeenAtMs >= RESOLVED_AFTER_MS;
    const standing = { state, certainty, firstSeenAtMs, lastSeenAtMs };
    return isGone ? { ...standing, state: "resolved", became: ["resolved"] } : { ...standing, became: [] };
  }
  const firm = seen === "firm" ? (["firm"] as const) : [];
  if (known === undefined)
    return {
      state: "new",
      certainty: seen,
      firstSeenAtMs: nowMs,
      lastSeenAtMs: nowMs,
      became: ["new", ...firm],
    };
  const since = { firstSeenAtMs: known.firstSeenAtMs, lastSeenAtMs: nowMs };
  if (known.state === "resolved")
    return { ...since, state: "returned", certainty: seen, became: ["returned", ...firm] };
  const isSurer = seen === "firm" && known.certainty === "suspected";
  return {
    ...since,
    state: known.state,
    certainty: isSurer ? "firm" : known.certainty,
    became: isSurer ? ["firm"] : [],
  };
}
