/** How well the page counters of meminfo agree with its LRU lists. */
export interface LruCheck {
  /**
   * LRU pages less counted pages, KiB. Positive: pages on the lists that no counter owns. Negative: counted pages that
   * are not on a list (isolated for reclaim, or in per-CPU batches on their way to one).
   */
  readonly differenceKib: number;
  /** What the difference is held against: 1 % of the counted pages, at least 64 MiB. */
  readonly toleranceKib: number;
  readonly verdict: "agree" | "orphaned-pages" | "pages-off-lists";
}

export const LRU_MEMINFO_KEYS = [
  "Active",
  "Inactive",
  "Unevictable",
  "Cached",
  "Buffers",
  "AnonPages",
] as const;

export type LruMeminfoKey = (typeof LRU_MEMINFO_KEYS)[number];

const LEAST_TOLERANCE_KIB = 64 * 1024;
const TOLERANCE_SHARE = 0.01;

/**
 * A second view of the same pages: `Active + Inactive + Unevictable` against `Cached + Buffers + AnonPages` and the swap
 * cache that is not mapped (`Composition.other.swapcache`). A lasting surplus on the lists is memory that was charged
 * to nobody: orphaned pages. `undefined` when one of the counters is missing.
 */
export function checkLru(
  meminfo: (key: LruMeminfoKey) => number | null | undefined,
  swapcacheKib = 0,
): LruCheck | undefined {
  const [active, inactive, unevictable, cached, buffers, anon] = LRU_MEMINFO_KEYS.map((key) => meminfo(key));
  if (active == null || inactive == null || unevictable == null) return undefined;
  if (cached == null || buffers == null || anon == null) return undefined;
  const counted = cached + buffers + anon + swapcacheKib;
  const differenceKib = active + inactive + unevictable - counted;
  const toleranceKib = Math.max(LEAST_TOLERANCE_KIB, TOLERANCE_SHARE * counted);
  return {
    differenceKib,
    toleranceKib,
    verdict:
      Math.abs(differenceKib) <= toleranceKib
        ? "agree"
        : differenceKib > 0
          ? "orphaned-pages"
          : "pages-off-lists",
  };
}
