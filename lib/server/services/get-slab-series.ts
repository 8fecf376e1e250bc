import type { SlabSeries } from "#lib/contracts/series.ts";
import { readArraySeries, type ArrayEntry, type SeriesRequest } from "#lib/server/data/series.ts";
import type { Context } from "./context.ts";
import { describeAxis } from "./describe-axis.ts";
import { findVisibleNode } from "./find-visible-node.ts";

type Field = "sizeKib" | "activeObjs" | "numObjs";
type Cache = SlabSeries["caches"][number];

/**
 * The slab caches that matter in a window: the `limit` largest now and the `limit` that changed most, largest change
 * first. The change is the last minus the first sample of the newest boot in the window.
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
  const firstPoint = frame.bootIds.findIndex((bootId) => bootId === newestBoot);
  const caches = frame.entries.map((entry) => describeCache(entry, Math.max(0, firstPoint)));
  const kept = new Set([
    ...[...caches].sort((a, b) => b.sizeKib - a.sizeKib).slice(0, limit),
    ...[...caches].sort((a, b) => Math.abs(b.changeKib) - Math.abs(a.changeKib)).slice(0, limit),
  ]);
  return {
    ...describeAxis(frame, request),
    caches: [...kept].sort((a, b) => b.changeKib - a.changeKib || b.sizeKib - a.sizeKib),
  };
}

function describeCache({ name, objSizeBytes, values }: ArrayEntry<Field>, firstPoint: number): Cache {
  const last = (field: Field) => values[field].at(-1) ?? 0;
  // A cache that is not in a sample had no slabs then, or was too small to be sent.
  const first = values.sizeKib[firstPoint] ?? 0;
  return {
    name,
    objSizeBytes: objSizeBytes ?? 0,
    objects: last("numObjs"),
    activeObjects: last("activeObjs"),
    sizeKib: last("sizeKib"),
    changeKib: last("sizeKib") - first,
    valuesKib: values.sizeKib,
  };
}
