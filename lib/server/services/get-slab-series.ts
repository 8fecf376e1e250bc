import type { SlabSeries } from "#lib/contracts/series.ts";
import { readArraySeries, type ArrayEntry, type SeriesRequest } from "#lib/server/data/series.ts";
import type { Context } from "./context.ts";
import { describeAxis } from "./describe-axis.ts";
import { findVisibleNode } from "./find-visible-node.ts";

type Field = "sizeKib" | "activeObjs" | "numObjs";
type Cache = SlabSeries["caches"][number];

/**
 * The slab caches that matter in a window: the `limit` largest now and the `limit` that changed most, largest change
 * first. The change is the last minus the first value of the newest boot in the window. What the newest sample does not
 * have comes last: nobody knows how it stands now.
 * @throws AppError `not_found`.
 */
export async function getSlabSeries({
  ctx,
  input,
}: {
  ctx: Context;
  input: SeriesRequest & { limit: number };
}): Promise<SlabSeries> {
  const { limit, ...request } = input;
  const [, frame] = await Promise.all([
    findVisibleNode(ctx, input.nodeId),
    readArraySeries(ctx.db, { ...request, kind: "slab", fields: ["sizeKib", "activeObjs", "numObjs"] }),
  ]);
  const newestBoot = frame.bootIds.at(-1);
  const firstPoint = Math.max(
    0,
    frame.bootIds.findIndex((bootId) => bootId === newestBoot),
  );
  const caches = frame.entries.map((entry) => describeCache(entry, frame.timesMs, firstPoint));
  const least = (value: number | null) => value ?? -Infinity;
  const size = ({ sizeKib }: Cache) => least(sizeKib);
  // A change up to some moment in the past does not compare with one up to now.
  const change = ({ sizeKib, changeKib }: Cache) => (sizeKib === null ? null : changeKib);
  const extent = (cache: Cache) => least(change(cache) === null ? null : Math.abs(change(cache) ?? 0));
  const kept = new Set([
    ...caches.toSorted((a, b) => descending(size(a), size(b))).slice(0, limit),
    ...caches.toSorted((a, b) => descending(extent(a), extent(b))).slice(0, limit),
  ]);
  return {
    ...describeAxis(frame, request),
    caches: [...kept].sort(
      (a, b) => descending(least(change(a)), least(change(b))) || descending(size(a), size(b)),
    ),
  };
}

function descending(a: number, b: number): number {
  return a === b ? 0 : b - a;
}

/** A cache that a sample does not have is not known there: it had no slabs, or was too small to be sent. */
function describeCache(
  { name, objSizeBytes, values }: ArrayEntry<Field>,
  timesMs: readonly number[],
  firstPoint: number,
): Cache {
  const newest = (field: Field) => values[field].at(-1) ?? null;
  const sinceBoot = values.sizeKib.slice(firstPoint).filter((value) => value !== null);
  const [first, last] = [sinceBoot[0], sinceBoot.at(-1)];
  const lastSent = values.sizeKib.findLastIndex((value) => value !== null);
  return {
    name,
    objSizeBytes: objSizeBytes ?? 0,
    objects: newest("numObjs"),
    activeObjects: newest("activeObjs"),
    sizeKib: newest("sizeKib"),
    lastSentAt: timesMs[lastSent] ?? 0,
    changeKib: first !== undefined && last !== undefined && sinceBoot.length > 1 ? last - first : null,
    valuesKib: values.sizeKib,
  };
}
