import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";

/**
 * The history of one node: the real snapshot with its counters moved a little at each step, and unreclaimable slab
 * rising. Slab, tmpfs and watched directories are in every fourth sample, as the collector sends them.
 */
export function history(
  base: SnapshotInput,
  node: string,
  fromMs: number,
  stepMs: number,
  samples: number,
): SnapshotInput[] {
  const rng = createRng(samples + stepMs);
  const { slab, tmpfs, watch, ...frequent } = base;
  return Array.from({ length: samples }, (_, index) => {
    const moved = Math.round(2000 * rng.normal());
    const leaked = Math.round((index * stepMs) / 60_000);
    const meminfo = { ...base.meminfo };
    meminfo.MemFree = (meminfo.MemFree ?? 0) - leaked - moved;
    meminfo.Cached = (meminfo.Cached ?? 0) + moved;
    meminfo.SUnreclaim = (meminfo.SUnreclaim ?? 0) + leaked;
    meminfo.Slab = (meminfo.Slab ?? 0) + leaked;
    const sample: SnapshotInput = {
      ...frequent,
      meminfo,
      node,
      at: fromMs + index * stepMs,
      uptimeSeconds: 100_000 + (index * stepMs) / 1000,
      bootId: `bench-${node}`,
      containersStarted: index * 4,
    };
    if (index % 4 === 0) Object.assign(sample, { slab, tmpfs, watch });
    return sample;
  });
}

/** Splits into runs of at most `size`. */
export function inChunks<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}
