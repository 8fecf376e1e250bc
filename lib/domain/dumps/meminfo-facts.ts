/** The keys that kernels from 2.6 to 7.3 print, in their order; the order says what a cut text did not reach. */
export const MEMINFO_KEYS = [
  ...[
    "MemTotal",
    "MemFree",
    "MemAvailable",
    "MemShared",
    "Buffers",
    "Cached",
    "SwapCached",
    "Active",
    "Inactive",
  ],
  ...["Active(anon)", "Inactive(anon)", "Active(file)", "Inactive(file)", "Unevictable", "Mlocked"],
  ...[
    "HighTotal",
    "HighFree",
    "LowTotal",
    "LowFree",
    "MmapCopy",
    "SwapTotal",
    "SwapFree",
    "Zswap",
    "Zswapped",
  ],
  ...[
    "Dirty",
    "Writeback",
    "AnonPages",
    "Mapped",
    "Shmem",
    "KReclaimable",
    "Slab",
    "SReclaimable",
    "SUnreclaim",
  ],
  ...[
    "KernelStack",
    "ShadowCallStack",
    "PageTables",
    "SecPageTables",
    "Quicklists",
    "NFS_Unstable",
    "Bounce",
  ],
  ...["WritebackTmp", "CommitLimit", "Committed_AS", "VmallocTotal", "VmallocUsed", "VmallocChunk", "Percpu"],
  ...["EarlyMemtestBad", "HardwareCorrupted", "AnonHugePages", "ShmemHugePages", "ShmemPmdMapped"],
  ...[
    "FileHugePages",
    "FilePmdMapped",
    "CmaTotal",
    "CmaFree",
    "Unaccepted",
    "Balloon",
    "GPUActive",
    "GPUReclaim",
  ],
  ...["HugePages_Total", "HugePages_Free", "HugePages_Rsvd", "HugePages_Surp", "Hugepagesize", "Hugetlb"],
  ...["DirectMap4k", "DirectMap64k", "DirectMap2M", "DirectMap4M", "DirectMap16M", "DirectMap1G"],
] as const;

const PLACE: ReadonlyMap<string, number> = new Map(MEMINFO_KEYS.map((key, index) => [key, index]));

/** What the plain remainder takes off MemTotal; absent ones count nothing. `Slab` is taken apart below. */
const TAKEN_OFF = [
  ...["MemFree", "Buffers", "Cached", "AnonPages", "KernelStack", "PageTables", "SecPageTables", "Percpu"],
];
/** Without these the remainder would be the size of what is missing. */
const NEEDED_FOR_REMAINDER = ["MemTotal", "MemFree", "Buffers", "Cached", "AnonPages", "PageTables"];
/** Printed by every kernel from 2.6.32 on, near the end: a text without it stops early or was filtered. */
const LAST_OF_ALL_KERNELS = "VmallocTotal";

/**
 * What one sample of /proc/meminfo says: its counters, and what follows from them by arithmetic. `unaccounted` is
 * MemTotal less everything that the kernel counts (per-CPU free lists and vmalloc are inside it). Given only when the
 * text reaches far enough to mean something.
 */
export function meminfoFacts(values: ReadonlyMap<string, number>): {
  readonly facts: ReadonlyMap<string, number>;
  readonly truncated: boolean;
  readonly warnings: readonly string[];
} {
  const facts = new Map<string, number>();
  const warnings: string[] = [];
  for (const [key, value] of values) facts.set(key.startsWith("HugePages_") ? `${key}_count` : key, value);

  const slab = values.get("Slab");
  const reclaimable = values.get("SReclaimable");
  if (slab !== undefined && reclaimable !== undefined && !values.has("SUnreclaim") && slab >= reclaimable) {
    facts.set("SUnreclaim", slab - reclaimable);
    warnings.push("SUnreclaim is not shown; it is Slab less SReclaimable.");
  }
  hugetlbFacts(values, facts);

  const total = values.get("MemTotal");
  const reached = Math.max(...[...values.keys()].map((key) => PLACE.get(key) ?? -1));
  const looksWhole = total !== undefined && values.size >= 8;
  const truncated = looksWhole && reached < (PLACE.get(LAST_OF_ALL_KERNELS) ?? 0);
  if (truncated) {
    const lastKey = [...values.keys()].at(-1) ?? "";
    warnings.push(
      `The text stops at ${lastKey}: the fields after it are not known, which is not the same as zero.`,
    );
  }
  remainder(values, facts, warnings, slab ?? sum(reclaimable, values.get("SUnreclaim")));
  const available = values.get("MemAvailable");
  if (total !== undefined && available !== undefined && available > total) {
    warnings.push(
      "MemAvailable is larger than MemTotal: a counter of this kernel is wrong, so no share is given.",
    );
  }
  for (const key of ["Active(file)", "Inactive(file)", "Active(anon)", "Inactive(anon)", "Cached"]) {
    const value = values.get(key);
    if (total !== undefined && value !== undefined && value > total) {
      warnings.push(`${key} is larger than MemTotal: this counter cannot be right.`);
    }
  }
  return { facts, truncated, warnings };
}

function hugetlbFacts(values: ReadonlyMap<string, number>, facts: Map<string, number>): void {
  const sizeKib = values.get("Hugepagesize");
  const total = values.get("HugePages_Total");
  const free = values.get("HugePages_Free");
  const reserved = values.get("HugePages_Rsvd");
  if (sizeKib === undefined || total === undefined || total === 0) return;
  facts.set("hugetlb_total", total * sizeKib);
  if (free === undefined) return;
  facts.set("hugetlb_free", free * sizeKib);
  facts.set("hugetlb_touched", (total - free) * sizeKib);
  if (reserved === undefined) return;
  // Reserved pages are free ones that are promised: they are inside HugePages_Free.
  facts.set("hugetlb_rsvd", reserved * sizeKib);
  facts.set("hugetlb_committed", (total - free + reserved) * sizeKib);
}

function remainder(
  values: ReadonlyMap<string, number>,
  facts: Map<string, number>,
  warnings: string[],
  slabKib: number | undefined,
): void {
  const total = values.get("MemTotal");
  if (total === undefined || slabKib === undefined) return;
  if (NEEDED_FOR_REMAINDER.some((key) => !values.has(key))) return;
  const hugePages = values.get("HugePages_Total");
  const hugePageKib = values.get("Hugepagesize");
  const hugetlb =
    values.get("Hugetlb") ??
    (hugePages === undefined || hugePageKib === undefined ? 0 : hugePages * hugePageKib);
  const counted = TAKEN_OFF.reduce((taken, key) => taken + (values.get(key) ?? 0), 0);
  const unaccounted = total - counted - slabKib - hugetlb;
  facts.set("unaccounted", unaccounted);
  if (!values.has("Hugetlb") && hugePages === undefined) {
    warnings.push("Huge pages are not shown: if there are any, they are part of unaccounted.");
  }
  const swapCached = values.get("SwapCached");
  if (swapCached !== undefined && swapCached > 0)
    facts.set("unaccounted_minus_swapcached", unaccounted - swapCached);
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
