import { HOUR_MS } from "./boot-segments.ts";
import type { ContainerBoot } from "./correlation.ts";

/** Least time with a known count on either side of a deed. */
const LEAST_SIDE_MS = HOUR_MS / 3;
/** A deed that changes the rate of creation by less than this factor is no experiment with containers. */
const LEAST_FACTOR = 2;

/** How fast containers were created before and after a deed, per hour. */
export interface CreationChange {
  readonly before: number;
  readonly after: number;
  readonly direction: "fewer" | "more";
}

/**
 * Whether a deed at least halved or doubled the rate at which containers are created: then what memory did there says more than
 * any correlation. Rates are of counted time within boots; `undefined` when a side has less than 20 min of it, or the rate went on
 * much as before.
 */
export function creationChange(
  boots: readonly ContainerBoot[],
  deed: {
    readonly beforeFromMs: number;
    readonly atMs: number;
    readonly settledMs: number;
    readonly afterToMs: number;
  },
): CreationChange | undefined {
  const before = rateWithin(boots, deed.beforeFromMs, deed.atMs);
  const after = rateWithin(boots, deed.settledMs, deed.afterToMs);
  if (before === undefined || after === undefined || before + after === 0) return undefined;
  if (after * LEAST_FACTOR <= before) return { before, after, direction: "fewer" };
  if (before * LEAST_FACTOR <= after) return { before, after, direction: "more" };
  return undefined;
}

function rateWithin(boots: readonly ContainerBoot[], fromMs: number, toMs: number): number | undefined {
  let created = 0;
  let countedMs = 0;
  for (const { timesMs, created: counts } of boots) {
    const known = timesMs.flatMap((timeMs, index) => {
      const count = counts[index];
      return count == null || timeMs < fromMs || timeMs > toMs ? [] : [{ timeMs, count }];
    });
    const [first] = known;
    const last = known.at(-1);
    if (first === undefined || last === undefined) continue;
    created += last.count - first.count;
    countedMs += last.timeMs - first.timeMs;
  }
  return countedMs < LEAST_SIDE_MS ? undefined : (created * HOUR_MS) / countedMs;
}
