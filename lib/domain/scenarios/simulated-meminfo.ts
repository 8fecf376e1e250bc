import type { Rng } from "#lib/domain/statistics/rng.ts";

const MIB = 1024;

/** What lies in the per-CPU free lists of a simulated node. */
export const PCP_FREE_PAGES = 12_000;

/** Amounts of memory, KiB, that the counters are made of. */
export interface MemoryLevels {
  readonly memTotalKib: number;
  readonly unreclaimable: number;
  readonly percpu: number;
  readonly anon: number;
  readonly file: number;
  readonly reclaimable: number;
  readonly exitFilesKib: number;
  /** Containers alive: their tasks have stacks. */
  readonly live: number;
  readonly unaccounted: number;
  /** Part of the page cache that programs map; 0.3 unless given. */
  readonly mappedShare?: number | undefined;
}

/** Counters of /proc/meminfo in kB: MemFree is what the others leave. */
export function simulatedMeminfo(levels: MemoryLevels): Record<string, number> {
  const whole = (kib: number) => Math.max(0, Math.round(kib));
  const KernelStack = 16 * (900 + 20 * levels.live);
  const vmallocOther = 180 * MIB;
  const PageTables = whole(0.004 * levels.anon) + 20 * MIB;
  const SUnreclaim = whole(levels.unreclaimable);
  const SReclaimable = whole(levels.reclaimable);
  const Shmem = 300 * MIB + whole(levels.exitFilesKib);
  const file = whole(levels.file);
  const AnonPages = whole(levels.anon);
  const Percpu = whole(levels.percpu);
  const Buffers = 40 * MIB;
  const used =
    SUnreclaim +
    SReclaimable +
    Shmem +
    file +
    AnonPages +
    Percpu +
    Buffers +
    KernelStack +
    PageTables +
    vmallocOther;
  const MemFree = whole(levels.memTotalKib - used - levels.unaccounted - 4 * PCP_FREE_PAGES);
  return {
    MemTotal: levels.memTotalKib,
    MemFree,
    MemAvailable: whole(MemFree + 0.9 * file + 0.5 * SReclaimable),
    Buffers,
    Cached: file + Shmem,
    SwapCached: 0,
    "Active(anon)": whole(0.4 * AnonPages),
    "Inactive(anon)": AnonPages + Shmem - whole(0.4 * AnonPages),
    SwapTotal: 0,
    SwapFree: 0,
    AnonPages,
    Mapped: whole((levels.mappedShare ?? 0.3) * file),
    Shmem,
    KReclaimable: SReclaimable,
    Slab: SReclaimable + SUnreclaim,
    SReclaimable,
    SUnreclaim,
    KernelStack,
    PageTables,
    Bounce: 0,
    VmallocUsed: KernelStack + vmallocOther,
    VmallocChunk: 0,
    Percpu,
    HardwareCorrupted: 0,
    HugePages_Total: 0,
    Hugepagesize: 2048,
    Hugetlb: 0,
  };
}

/** Looks like the kernel's random boot_id. */
export function randomBootId(rng: Rng): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => rng.integer(16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${"89ab".charAt(rng.integer(4))}${hex(3)}-${hex(12)}`;
}
