/** The two clocks at one moment, in milliseconds: one that never steps, and the one that people set. */
export interface Clocks {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** A wall clock that moved by more than this against the monotonic one was set; less is drift or a slow read. */
const MOST_DRIFT_MS = 1000;

/** Monotonic time of a full interval of the wall clock, from which all others are counted. */
export function findGrid({ monotonicMs, wallMs }: Clocks, intervalMs: number): number {
  return monotonicMs - (wallMs % intervalMs);
}

/**
 * When to sample next: the first full interval of the wall clock (at :00, :15, :30 for 15 s) after now, kept by the
 * monotonic clock, so that a step of the wall clock neither bunches nor skips samples; after a step the grid is found
 * anew. Intervals that have passed unseen (a suspended machine) are left out, not made up for.
 * @returns the grid to go on with, and how long to wait, more than 0 and at most one interval.
 */
export function nextTick(grid: number, clocks: Clocks, intervalMs: number): { grid: number; waitMs: number } {
  const drift = (clocks.monotonicMs - grid - clocks.wallMs) % intervalMs;
  const off = Math.min(Math.abs(drift), intervalMs - Math.abs(drift));
  const kept = off > Math.min(MOST_DRIFT_MS, intervalMs / 4) ? findGrid(clocks, intervalMs) : grid;
  const since = clocks.monotonicMs - kept;
  const next = kept + (Math.floor(since / intervalMs) + 1) * intervalMs;
  return { grid: kept, waitMs: next - clocks.monotonicMs };
}
