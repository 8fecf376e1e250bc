import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

/** One place in the kernel's code that allocates. */
export interface AllocationSite {
  /** `mm/slub.c:123 func:kmalloc`, with `[module]` before `func:` for a module. */
  readonly site: string;
  /** Allocated there and not freed yet. */
  readonly bytes: number;
  readonly calls: number;
}

/**
 * /proc/allocinfo. Kernel document: Documentation/mm/allocation-profiling.rst; since 6.10 with
 * CONFIG_MEM_ALLOC_PROFILING. Mode 0400: root only. Some thousands of lines, each a sum over all CPUs, so minutes apart.
 */
export function parseAllocinfo(text: string, path = "/proc/allocinfo"): Parsed<readonly AllocationSite[]> {
  const warnings = collectWarnings(path);
  const sites: AllocationSite[] = [];
  for (const line of scanLines(text)) {
    const row = line.text.trim();
    if (row === "" || row.startsWith("#") || row.startsWith("allocinfo - version:")) continue;
    const [, size, count, site = ""] = /^(-?\d{1,20}) +(-?\d{1,20}) +(\S[^\p{Cc}]{0,399})$/u.exec(row) ?? [];
    if (size === undefined || !site.includes("func:") || !line.terminated || !site.isWellFormed()) {
      warnings.add(line, "bytes, calls and `FILE:LINE func:NAME`");
      continue;
    }
    const bytes = parseCount(size);
    const calls = parseCount(count);
    // What is counted on another CPU than it was taken off may be below zero for a moment.
    if (bytes !== undefined && calls !== undefined) sites.push({ site, bytes, calls });
  }
  return { value: sites, warnings: warnings.list };
}
