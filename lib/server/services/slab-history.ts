import { decomposeGrowth, type Decomposition } from "#lib/domain/analysis/decomposition.ts";
import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import type { BootRow } from "#lib/server/data/nodes.ts";
import type { ArrayEntry, SeriesAxis } from "#lib/server/data/series.ts";
import type { StoredSnapshot } from "#lib/server/data/snapshot-at.ts";
import { segmentsOf } from "./analyse-metric.ts";

type Values = readonly (number | null)[];

/** Sizes of all slab caches that were sent, over time. */
export type SlabHistory = SeriesAxis & { readonly entries: readonly ArrayEntry<"sizeKib">[] };

/** Names of slab caches that the kernel of a node keeps as one, by group; none where that is not known. */
export function mergedNamesOf(
  stored: Pick<StoredSnapshot, "details"> | undefined,
): readonly (readonly string[])[] {
  return stored?.details.slabNames?.value.merged ?? [];
}

/** Shares the slope of a whole out to parts that add up to it, all beside the times of `axis`. */
export function decompose(
  axis: Pick<SeriesAxis, "timesMs" | "bootIds">,
  boots: readonly BootRow[],
  whole: Values,
  parts: ReadonlyMap<string, Values>,
): Decomposition | Insufficient {
  const segments = segmentsOf(axis, whole, boots, 1);
  const cut = [...parts].map(([key, values]) => ({ key, boots: segmentsOf(axis, values, boots, 1) }));
  return decomposeGrowth({
    segments,
    parts: segments.map((_, index) =>
      cut.map(({ key, boots: own }) => ({ key, values: own[index]?.values ?? [] })),
    ),
  });
}

/** A cache that was destroyed and made again with another object size is stored twice under its name. */
export function sizesByName({ entries, timesMs }: SlabHistory): [string, number[]][] {
  const byName = new Map<string, number[]>();
  for (const { name, values } of entries) {
    // A cache that is not in a sample had no slabs then, or was too small to be sent.
    const sum = byName.get(name) ?? new Array<number>(timesMs.length).fill(0);
    byName.set(
      name,
      sum.map((value, point) => value + (values.sizeKib[point] ?? 0)),
    );
  }
  return [...byName];
}

/** Last less first, summed over boots. */
export function changeOf(values: readonly number[], bootIds: readonly string[]): number {
  return values.reduce(
    (sum, value, point) =>
      point > 0 && bootIds[point] === bootIds[point - 1] ? sum + value - (values[point - 1] ?? 0) : sum,
    0,
  );
}

/** A series at the times of another: for each the nearest point of the same boot, within one bucket of the wider axis. */
export function onAxis(from: SeriesAxis, values: Values, to: SeriesAxis): Values {
  const withinMs = 1000 * Math.max(from.resolution.bucketSeconds, to.resolution.bucketSeconds);
  let at = 0;
  return to.timesMs.map((timeMs, point) => {
    const far = (index: number) => Math.abs((from.timesMs[index] ?? Infinity) - timeMs);
    while (at + 1 < from.timesMs.length && far(at + 1) <= far(at)) at += 1;
    return far(at) <= withinMs && from.bootIds[at] === to.bootIds[point] ? (values[at] ?? null) : null;
  });
}
