/**
 * The bands of a memory composition, from top to bottom as they are stacked: what can be taken back lies on top,
 * what cannot at the bottom, and the signed remainder lowest. The order never changes, by size or by page.
 */
export const BANDS = [
  { key: "free", label: "free" },
  { key: "pcp", label: "per-CPU free lists" },
  { key: "file", label: "page cache" },
  { key: "buffers", label: "buffers" },
  { key: "shmem", label: "shmem, tmpfs" },
  { key: "anon", label: "anonymous" },
  { key: "srecl", label: "slab, reclaimable" },
  { key: "sunrecl", label: "slab, unreclaimable" },
  { key: "kstack", label: "kernel stacks" },
  { key: "ptables", label: "page tables" },
  { key: "percpu", label: "percpu" },
  { key: "vmalloc", label: "vmalloc" },
  { key: "hugetlb", label: "hugetlb" },
  { key: "other", label: "other" },
  { key: "unacc", label: "unaccounted" },
] as const;

/** Key of one band of a composition; also the last part of a metric name `band.<key>` and of a colour token. */
export type BandKey = (typeof BANDS)[number]["key"];

/** The bands that `total.kernelUnreclaimable` is the sum of. */
export const UNRECLAIMABLE_BANDS = [
  "sunrecl",
  "kstack",
  "ptables",
  "percpu",
  "vmalloc",
  "unacc",
] as const satisfies readonly BandKey[];
