/** A counter of started containers as it was read. */
export interface StartedCount {
  readonly source: string;
  readonly value: number;
}

/**
 * How many containers were started since a boot, over all sources that counted them; it never falls. A counter that began anew adds
 * what it has counted since. What another source counted between its start and now is no containers of this moment: from here on
 * only its own rise is added.
 * @param before of the same boot; without it the total is what the source says.
 */
export function startedTotal(
  before: (StartedCount & { readonly total: number }) | undefined,
  now: StartedCount,
): number {
  if (before === undefined) return now.value;
  if (before.source !== now.source) return before.total;
  return before.total + (now.value >= before.value ? now.value - before.value : now.value);
}
