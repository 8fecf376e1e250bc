import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng, type Rng } from "#lib/domain/statistics/rng.ts";

/** What does not move on a running node. */
const CONSTANT = new Set(["MemTotal", "SwapTotal", "VmallocTotal", "Hugepagesize", "HugePages_Total"]);

/**
 * The history of one node: the real snapshot as another machine would send it. Each counter has its own level on each
 * node and moves at each step, so that neighbours in a request compress as little as those of a real fleet do;
 * unreclaimable slab rises. Slab, tmpfs and watched directories are in every fourth sample, as the collector sends them.
 */
export function history(
  base: SnapshotInput,
  node: string,
  fromMs: number,
  stepMs: number,
  samples: number,
): SnapshotInput[] {
  const rng = createRng(seedOf(node) + samples + stepMs);
  const { slab, tmpfs, watch, ...frequent } = base;
  const meminfoOf = mover(rng, base.meminfo, 0.002);
  const vmstatOf = base.vmstat === undefined ? undefined : mover(rng, base.vmstat, 0.002);
  const slabLevels = slab?.map(() => 0.5 + rng.uniform());
  return Array.from({ length: samples }, (_, index) => {
    const leaked = Math.round((index * stepMs) / 60_000);
    const meminfo = meminfoOf();
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
    if (vmstatOf !== undefined) sample.vmstat = vmstatOf();
    if (index % 4 === 0) {
      const moved = slab?.map((cache, which) => {
        const factor = (slabLevels?.[which] ?? 1) * (1 + 0.01 * rng.normal());
        const moves = (value: number) => Math.max(0, Math.round(value * factor));
        return {
          ...cache,
          activeObjs: moves(cache.activeObjs),
          numObjs: moves(cache.numObjs),
          sizeKib: moves(cache.sizeKib),
        };
      });
      Object.assign(sample, { slab: moved, tmpfs, watch });
    }
    return sample;
  });
}

/** The counters, each at a level of this node's own and moved by a share of about `share` at each call. */
function mover(rng: Rng, counters: Readonly<Record<string, number>>, share: number) {
  const levels = Object.entries(counters).map(([key, value]) => ({
    key,
    value: CONSTANT.has(key) ? value : value * (0.7 + 0.3 * rng.uniform()),
  }));
  return (): Record<string, number> => {
    const moved: Record<string, number> = {};
    for (const { key, value } of levels) {
      moved[key] = CONSTANT.has(key) ? value : Math.max(0, Math.round(value * (1 + share * rng.normal())));
    }
    return moved;
  };
}

/** A number of a name: nodes differ, and the same one is the same in each run. */
function seedOf(node: string): number {
  let seed = 7;
  for (const letter of node) seed = (seed * 31 + letter.charCodeAt(0)) % 1_000_003;
  return seed;
}

/** Splits into runs of at most `size`. */
export function inChunks<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}
