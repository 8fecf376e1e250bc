import type { DumpContext } from "./artefact.ts";
import type { DumpLine } from "./dump-line.ts";

const PAGE_KIB = [4, 8, 16, 32, 64, 256] as const;

/** Default huge pages that only one page size has: arm64 with 16 KiB and 64 KiB pages. 2 MiB and 16 MiB say nothing. */
const BY_HUGE_PAGE_KIB: ReadonlyMap<number, number> = new Map([
  [32_768, 16],
  [524_288, 64],
]);

/** Counters that stand in /proc/meminfo in kB and in /proc/vmstat in pages. */
const PAIRS: readonly (readonly [meminfo: string, vmstat: string])[] = [
  ["AnonPages", "nr_anon_pages"],
  ["Shmem", "nr_shmem"],
  ["Mapped", "nr_mapped"],
  ["SReclaimable", "nr_slab_reclaimable"],
  ["SUnreclaim", "nr_slab_unreclaimable"],
  ["PageTables", "nr_page_table_pages"],
];

/**
 * The page size that a paste proves: printed by the machine (`KernelPageSize`, `getconf PAGESIZE`), implied by the size
 * of its huge pages, or by one counter that stands there in kB and in pages. Else 4 KiB, marked as assumed.
 */
export function findPageSize(lines: readonly DumpLine[]): DumpContext {
  const kib = new Map<string, number>();
  const pages = new Map<string, number>();
  const oomPages = new Map<string, number>();
  for (const { text, context } of lines) {
    if (text.length > 2000) continue;
    const printed = /^\s*(?:KernelPageSize|MMUPageSize):\s+(\d{1,6}) kB$/.exec(text)?.[1];
    if (printed !== undefined && isPageKib(Number(printed))) return known(Number(printed));
    if (
      /getconf PAGE_?SIZE/i.test(context) &&
      /^\d{4,6}$/.test(text.trim()) &&
      isPageKib(Number(text) / 1024)
    ) {
      return known(Number(text) / 1024);
    }
    const counter = /^\s*(\w{4,30}):?\s+(\d{1,15})(?: kB)?\s*$/.exec(text);
    if (counter) {
      const [, key = "", value = ""] = counter;
      (key.startsWith("nr_") ? pages : kib).set(key, Number(value));
    }
    for (const [, key = "", value = "", unit] of text.matchAll(/\b(shmem|pagetables):(\d{1,15})(kB)?\b/g)) {
      if (unit === undefined) oomPages.set(key, Number(value));
      else if (!kib.has(`oom ${key}`)) kib.set(`oom ${key}`, Number(value));
    }
  }
  const byHugePage = BY_HUGE_PAGE_KIB.get(kib.get("Hugepagesize") ?? 0);
  if (byHugePage !== undefined) return known(byHugePage);
  const ratios = [
    ...PAIRS.map(([inKib, inPages]) => ratio(kib.get(inKib), pages.get(inPages))),
    ratio(kib.get("oom shmem"), oomPages.get("shmem")),
    ratio(kib.get("oom pagetables"), oomPages.get("pagetables")),
  ].flatMap((each) => PAGE_KIB.find((size) => each !== undefined && Math.abs(each / size - 1) < 0.1) ?? []);
  const [first] = ratios;
  if (first !== undefined && ratios.every((each) => each === first)) return known(first);
  return { pageSizeBytes: 4096, pageSizeAssumed: true };
}

function known(pageKib: number): DumpContext {
  return { pageSizeBytes: pageKib * 1024, pageSizeAssumed: false };
}

function isPageKib(kib: number): boolean {
  return PAGE_KIB.some((size) => size === kib);
}

/** Few pages prove nothing: 3 pages of 4 kB may also be 1 page and a half. */
function ratio(kib: number | undefined, pages: number | undefined): number | undefined {
  return kib === undefined || pages === undefined || pages < 64 ? undefined : kib / pages;
}
