import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng, type Rng } from "#lib/domain/statistics/rng.ts";

/** What does not move on a running node. */
const CONSTANT = new Set(["MemTotal", "SwapTotal", "VmallocTotal", "Hugepagesize", "HugePages_Total"]);

/** Sections that `collector run` sends once a minute, and those that it sends each five to sixty minutes (seen on the wire). */
const OF_A_MINUTE = [
  "slab",
  "tmpfs",
  "watch",
  "tcpMem",
  "protocols",
  "buddyinfo",
  "mounts",
  "netns",
  "tasks",
  "zram",
  "hugepages",
] as const;
const SELDOM = [
  "loop",
  "kmemAccounting",
  "cgroupTrees",
  "cgroupDirectories",
  "slabNames",
  "vmapStack",
  "vmalloc",
  "modules",
  "allocinfo",
] as const;
const MINUTE_MS = 60_000;
const SELDOM_MS = 15 * MINUTE_MS;

/** Splits a snapshot with all its sections into those that each sample has, and those of some. */
function byCadence(base: SnapshotInput) {
  const every = { ...base };
  const some = (keys: readonly (keyof SnapshotInput)[]) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = base[key];
        delete every[key];
        return value === undefined ? [] : [[key, value]];
      }),
    ) as Partial<SnapshotInput>;
  const ofMinute = some(OF_A_MINUTE);
  return { ofMinute, seldom: some(SELDOM), every };
}

/**
 * The history of one node: the real snapshot as another machine would send it. Each counter has its own level on each
 * node and moves at each step, so that neighbours in a request compress as little as those of a real fleet do;
 * unreclaimable slab rises. Sections come as seldom as the collector sends them.
 */
export function history(
  base: SnapshotInput,
  node: string,
  fromMs: number,
  stepMs: number,
  samples: number,
): SnapshotInput[] {
  const rng = createRng(seedOf(node) + samples + stepMs);
  const { every, ofMinute, seldom } = byCadence(base);
  const { slab } = ofMinute;
  const meminfoOf = mover(rng, base.meminfo, 0.002);
  const vmstatOf = base.vmstat === undefined ? undefined : mover(rng, base.vmstat, 0.002);
  const slabLevels = slab?.map(() => 0.5 + rng.uniform());
  return Array.from({ length: samples }, (_, index) => {
    const leaked = Math.round((index * stepMs) / 60_000);
    const meminfo = meminfoOf();
    meminfo.SUnreclaim = (meminfo.SUnreclaim ?? 0) + leaked;
    meminfo.Slab = (meminfo.Slab ?? 0) + leaked;
    const sample: SnapshotInput = {
      ...every,
      meminfo,
      node,
      at: fromMs + index * stepMs,
      uptimeSeconds: 100_000 + (index * stepMs) / 1000,
      bootId: `bench-${node}`,
      containersStarted: index * 4,
    };
    if (vmstatOf !== undefined) sample.vmstat = vmstatOf();
    if ((index * stepMs) % SELDOM_MS < stepMs) Object.assign(sample, seldom);
    if ((index * stepMs) % MINUTE_MS < stepMs) {
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
      Object.assign(sample, ofMinute, { slab: moved });
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
