import { BANDS, type BandKey } from "./bands.ts";

/** The keys of /proc/meminfo that a composition reads. Whoever stores snapshots keeps at least these. */
export const COMPOSED_MEMINFO_KEYS = [
  "MemTotal",
  "MemFree",
  "Buffers",
  "Cached",
  "SwapCached",
  "Active(anon)",
  "Inactive(anon)",
  "Mlocked",
  "SwapTotal",
  "Zswap",
  "AnonPages",
  "Shmem",
  "KReclaimable",
  "Slab",
  "SReclaimable",
  "SUnreclaim",
  "KernelStack",
  "ShadowCallStack",
  "PageTables",
  "SecPageTables",
  "Quicklists",
  "Bounce",
  "WritebackTmp",
  "VmallocUsed",
  "VmallocChunk",
  "Percpu",
  "HardwareCorrupted",
  "Balloon",
  "GPUActive",
  "GPUReclaim",
  "HugePages_Total",
  "Hugepagesize",
  "Hugetlb",
] as const;

export type ComposedMeminfoKey = (typeof COMPOSED_MEMINFO_KEYS)[number];

/** A counter that may be missing: `null` is what a column holds, `undefined` what a map gives. */
type Maybe<T> = T | null | undefined;

/**
 * What a composition is made of, from a snapshot on the wire or a row of the database alike. All in KiB
 * (`HugePages_Total` in huge pages); values may be fractional means of a roll-up. Missing is absent, never zero.
 *
 * - wire: `{ meminfo: (key) => snapshot.meminfo[key], pcpFreeKib: pagesToKib(...), ... }`
 * - row: `{ meminfo: (key) => row[columnOf[key]], pcpFreeKib: row.pcpFreeKib, ... }`
 */
export interface MemoryCounters {
  readonly meminfo: (key: ComposedMeminfoKey) => Maybe<number>;
  /** `Zoneinfo.pcpFreePages` in KiB. */
  readonly pcpFreeKib?: Maybe<number>;
  /** `nr_zspages` of /proc/vmstat in KiB. */
  readonly zspagesKib?: Maybe<number>;
  /** Used only where the fields alone do not say whether `VmallocUsed` is address space (kernels up to 4.3). */
  readonly kernelRelease?: Maybe<string>;
  /** Whether stacks lie in vmalloc space, from /proc/vmallocinfo (`readVmapStack`); else inferred and marked as assumed. */
  readonly vmapStack?: Maybe<boolean>;
  /** True for balloon drivers that leave MemTotal alone (VMware, virtio with deflate-on-oom). */
  readonly balloonLeavesMemTotal?: Maybe<boolean>;
}

/** The parts of the band *other*. */
export type OtherKey =
  "swapcache" | "kmiscRecl" | "bounce" | "fuseTmp" | "zcomp" | "hwpoison" | "gpu" | "balloon";

/** What one must know to read a composition rightly; `describeNote` has the sentences. */
export type CompositionNote =
  | { readonly kind: "folded"; readonly terms: readonly FoldedTerm[] }
  | { readonly kind: "vmalloc-is-address-space" }
  | { readonly kind: "vmap-stack-assumed" }
  | { readonly kind: "shmem-in-file" }
  | { readonly kind: "slab-not-split" }
  | { readonly kind: "swapcache-range"; readonly lowKib: number; readonly highKib: number }
  | { readonly kind: "balloon-not-placed"; readonly balloonKib: number }
  | { readonly kind: "unaccounted-drift" }
  | { readonly kind: "unaccounted-negative"; readonly shareOfTotal: number };

/** What stands inside *unaccounted* because the kernel does not report it. */
export type FoldedTerm = Exclude<BandKey, "free" | "other" | "unacc" | "hugetlb"> | "largeKmalloc";

export interface Composition {
  readonly totalKib: number;
  /**
   * KiB of each band; `undefined` where the kernel does not report it. The defined ones sum to `totalKib`, exactly
   * for integers. `unacc` is always there, signed, never clamped.
   */
  readonly bands: Readonly<Record<BandKey, number | undefined>>;
  /** What `bands.other` is made of, KiB. */
  readonly other: Readonly<Record<OtherKey, number | undefined>>;
  /** The non-cache kernel memory of `smem -w`; absent unless all six counters are there. */
  readonly kernelNoncacheKib: number | undefined;
  /**
   * SUnreclaim, kernel stacks, page tables, percpu, vmalloc and unaccounted. What is not reported is inside
   * unaccounted, so this is comparable between kernels.
   */
  readonly kernelUnreclaimableKib: number;
  readonly notes: readonly CompositionNote[];
}

/** The bands that the kernel reports, from top to bottom. */
export function reportedBands({
  bands,
}: Pick<Composition, "bands">): { readonly key: BandKey; readonly label: string; readonly kib: number }[] {
  return BANDS.flatMap(({ key, label }) => {
    const kib = bands[key];
    return kib === undefined ? [] : [{ key, label, kib }];
  });
}

/** Below this share of MemTotal a negative remainder is drift of per-CPU counters; beyond, the data are doubtful. */
const DRIFT_SHARE = 0.01;
/** Mlocked above this share of AnonPages: the LRU lists no longer tell the swap cache. */
const MLOCKED_SHARE = 0.01;
/** VmallocUsed at least this part of KernelStack: stacks are taken to be in it. */
const STACKS_IN_VMALLOC_SHARE = 0.9;

/**
 * How the memory of a machine is composed: every page in one band, what no counter explains in `unacc`.
 *
 * Returns `undefined` without MemTotal or MemFree. Where a kernel does not report a term it is part of `unacc`, and a
 * note says so; the decision rests on the field being there, not on the kernel's version, because distributions
 * backport.
 */
export function composeMemory(counters: MemoryCounters): Composition | undefined {
  const read = (key: ComposedMeminfoKey) => present(counters.meminfo(key));
  const totalKib = read("MemTotal");
  const free = read("MemFree");
  if (totalKib === undefined || free === undefined || totalKib <= 0) return undefined;

  const notes: CompositionNote[] = [];
  const pcp = present(counters.pcpFreeKib);
  const buffers = read("Buffers");
  const cached = read("Cached");
  const shmem = read("Shmem");
  const file = cached === undefined ? undefined : Math.max(0, cached - (shmem ?? 0));
  if (shmem === undefined && file !== undefined) notes.push({ kind: "shmem-in-file" });
  const anon = read("AnonPages");
  const srecl = read("SReclaimable");
  const slab = read("Slab");
  let sunrecl = read("SUnreclaim");
  if (sunrecl === undefined && slab !== undefined) {
    sunrecl = Math.max(0, slab - (srecl ?? 0));
    if (srecl === undefined) notes.push({ kind: "slab-not-split" });
  }
  const kstack = sumOf(read("KernelStack"), read("ShadowCallStack"));
  const pageTables = read("PageTables");
  // The others are small beside it: alone they do not say how much page tables take.
  const ptables =
    pageTables === undefined ? undefined : sumOf(pageTables, read("SecPageTables"), read("Quicklists"));
  const percpu = read("Percpu");
  const vmalloc = vmallocBand(counters, read, totalKib, notes);
  const hugetlb = hugetlbBand(read);
  const other = otherParts(counters, read, srecl, notes);
  const otherKib = sumOf(
    other.swapcache,
    other.kmiscRecl,
    other.bounce,
    other.fuseTmp,
    other.zcomp,
    other.hwpoison,
    other.gpu,
    other.balloon,
  );

  const unacc =
    totalKib -
    ((sumOf(free, pcp, buffers, file, shmem, anon, srecl, sunrecl, kstack, ptables) ?? 0) +
      (sumOf(percpu, vmalloc, hugetlb, otherKib) ?? 0));

  const bands = {
    free,
    pcp,
    file,
    buffers,
    shmem,
    anon,
    srecl,
    sunrecl,
    kstack,
    ptables,
    percpu,
    vmalloc,
    hugetlb,
    other: otherKib,
    unacc,
  };
  noteFolded(bands, notes);
  if (unacc < -DRIFT_SHARE * totalKib) {
    notes.push({ kind: "unaccounted-negative", shareOfTotal: unacc / totalKib });
  } else if (unacc < 0) notes.push({ kind: "unaccounted-drift" });

  return {
    totalKib,
    bands,
    other,
    kernelNoncacheKib:
      anon === undefined || buffers === undefined || cached === undefined || srecl === undefined
        ? undefined
        : totalKib - free - anon - buffers - cached - srecl,
    kernelUnreclaimableKib: (sumOf(sunrecl, kstack, ptables, percpu, vmalloc) ?? 0) + unacc,
    notes,
  };
}

type Read = (key: ComposedMeminfoKey) => number | undefined;

/**
 * `VmallocUsed` has had three meanings: address space (up to 4.3, where `VmallocChunk` is a real number too), the
 * constant 0, and since 5.3 pages. Only the last one is memory. It includes the kernel's stacks where those are mapped,
 * and shadow call stacks always (docs/decisions/0020-shadow-call-stacks.md).
 */
function vmallocBand(
  counters: MemoryCounters,
  read: Read,
  totalKib: number,
  notes: CompositionNote[],
): number | undefined {
  const used = read("VmallocUsed");
  if (used === undefined || used === 0) return undefined;
  const addressSpace = (read("VmallocChunk") ?? 0) > 0 || isUpTo43(counters.kernelRelease);
  if (addressSpace || used > totalKib) {
    notes.push({ kind: "vmalloc-is-address-space" });
    return undefined;
  }
  const stacks = stacksInVmalloc(counters.vmapStack, read("KernelStack") ?? 0, used, notes);
  return Math.max(0, used - stacks - (read("ShadowCallStack") ?? 0));
}

function stacksInVmalloc(
  vmapStack: MemoryCounters["vmapStack"],
  kernelStackKib: number,
  usedKib: number,
  notes: CompositionNote[],
): number {
  if (vmapStack != null) return vmapStack ? kernelStackKib : 0;
  if (kernelStackKib === 0 || usedKib < STACKS_IN_VMALLOC_SHARE * kernelStackKib) return 0;
  notes.push({ kind: "vmap-stack-assumed" });
  return kernelStackKib;
}

function isUpTo43(kernelRelease: Maybe<string>): boolean {
  const match = /^(\d{1,3})\.(\d{1,3})/.exec(kernelRelease ?? "");
  if (!match) return false;
  const major = Number(match[1]);
  return major < 4 || (major === 4 && Number(match[2]) <= 3);
}

function hugetlbBand(read: Read): number | undefined {
  const hugetlb = read("Hugetlb");
  if (hugetlb !== undefined) return hugetlb;
  const pages = read("HugePages_Total");
  if (pages === undefined) return undefined;
  if (pages === 0) return 0;
  const sizeKib = read("Hugepagesize");
  return sizeKib === undefined ? undefined : pages * sizeKib;
}

function otherParts(
  counters: MemoryCounters,
  read: Read,
  sreclKib: number | undefined,
  notes: CompositionNote[],
): Record<OtherKey, number | undefined> {
  const kreclaimable = read("KReclaimable");
  const zswap = read("Zswap");
  const zspages = present(counters.zspagesKib);
  const balloon = read("Balloon");
  if (balloon !== undefined && balloon > 0 && counters.balloonLeavesMemTotal == null) {
    notes.push({ kind: "balloon-not-placed", balloonKib: balloon });
  }
  return {
    swapcache: swapcachePart(read, notes),
    kmiscRecl:
      kreclaimable === undefined || sreclKib === undefined ? undefined : Math.max(0, kreclaimable - sreclKib),
    bounce: read("Bounce"),
    fuseTmp: read("WritebackTmp"),
    zcomp: zswap === undefined ? zspages : Math.max(zswap, zspages ?? 0),
    hwpoison: read("HardwareCorrupted"),
    gpu: sumOf(read("GPUActive"), read("GPUReclaim")),
    balloon: counters.balloonLeavesMemTotal === true ? balloon : undefined,
  };
}

/** `SwapCached` pages that are still mapped are in AnonPages as well; what the LRU holds beyond that is added here. */
function swapcachePart(read: Read, notes: CompositionNote[]): number | undefined {
  const swapCached = read("SwapCached");
  if (swapCached === undefined) return undefined;
  if (swapCached === 0 || read("SwapTotal") === 0) return 0;
  const anon = read("AnonPages") ?? 0;
  if ((read("Mlocked") ?? 0) > MLOCKED_SHARE * anon) {
    notes.push({ kind: "swapcache-range", lowKib: 0, highKib: swapCached });
  }
  const onLru = (read("Active(anon)") ?? 0) + (read("Inactive(anon)") ?? 0);
  return Math.min(Math.max(onLru - anon - (read("Shmem") ?? 0), 0), swapCached);
}

const MAY_FOLD = [
  "pcp",
  "file",
  "buffers",
  "anon",
  "srecl",
  "sunrecl",
  "kstack",
  "ptables",
  "percpu",
  "vmalloc",
] as const;

function noteFolded(bands: Composition["bands"], notes: CompositionNote[]): void {
  const terms: FoldedTerm[] = MAY_FOLD.filter((key) => bands[key] === undefined);
  if (bands.shmem === undefined && bands.file === undefined) terms.push("shmem");
  // Until 5.4 a kmalloc beyond a slab was counted nowhere; VmallocUsed became real at the same time (5.3).
  if (bands.vmalloc === undefined) terms.push("largeKmalloc");
  if (terms.length > 0) notes.unshift({ kind: "folded", terms });
}

/** A counter that is there: neither null nor missing nor what arithmetic on a hole leaves behind. */
function present(value: Maybe<number>): number | undefined {
  return value == null || !Number.isFinite(value) ? undefined : value;
}

/** The sum of what is there; `undefined` when nothing is. */
function sumOf(...terms: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const term of terms) if (term !== undefined) sum = (sum ?? 0) + term;
  return sum;
}
