import type { Change, Evidence } from "./evidence.ts";

/** A slab cache that SLUB keeps together with others of its size. */
export interface MergedCache {
  /** The name under which /proc/slabinfo counts all of them. */
  readonly shownAs: string;
  readonly names: readonly string[];
}

const MOST_NAMED = 4;

/** The merged caches of which a line was read, by each of their names. */
export function mergedCachesOf({ mergedCaches = [], levels }: Evidence): ReadonlyMap<string, MergedCache> {
  const found = new Map<string, MergedCache>();
  for (const names of mergedCaches) {
    const shownAs = names.find(
      (name) => levels[`slab.${name}.bytes`] !== undefined || levels[`slab.${name}.objects`] !== undefined,
    );
    if (shownAs === undefined) continue;
    for (const name of names) found.set(name, { shownAs, names });
  }
  return found;
}

/**
 * The same evidence with what slabinfo counts in one line under each of the names that it counts there: an upper bound for each,
 * since nothing tells them apart.
 */
export function withMergedNames(evidence: Evidence, merged: ReadonlyMap<string, MergedCache>): Evidence {
  if (merged.size === 0) return evidence;
  const levels: Record<string, number> = { ...evidence.levels };
  const changes: Record<string, Change> = { ...evidence.changes };
  for (const [name, { shownAs }] of merged) {
    for (const measure of ["bytes", "objects"]) {
      const level = evidence.levels[`slab.${shownAs}.${measure}`];
      const change = evidence.changes[`slab.${shownAs}.${measure}`];
      if (level !== undefined) levels[`slab.${name}.${measure}`] ??= level;
      if (change !== undefined) changes[`slab.${name}.${measure}`] ??= change;
    }
  }
  return { ...evidence, levels, changes };
}

/** What must be known to read the numbers of a cache; a sentence without a full stop, `undefined` where it stands alone. */
export function mergedText(cache: string, merged: ReadonlyMap<string, MergedCache>): string | undefined {
  const own = merged.get(cache);
  if (own === undefined) return undefined;
  const others = own.names.filter((name) => name !== cache && !name.startsWith(":"));
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : "";
  const list = `${others.slice(0, MOST_NAMED).join(", ")}${more}`;
  if (others.length === 0) return undefined;
  return own.shownAs === cache
    ? `SLUB counts ${list} under the name ${cache} too`
    : `SLUB counts ${cache} under the name ${own.shownAs}, together with ${list}`;
}
