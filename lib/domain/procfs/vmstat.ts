import { parseFlatCounters } from "./flat-counters.ts";
import type { Parsed } from "./parse-error.ts";

/**
 * Counters of the memory manager, under the kernel's names. What is named `nr_*` is a level in pages, save
 * `nr_kernel_stack`, which is kB on kernels from about 4.8 on and a number of stacks before; the rest counts events
 * since boot.
 */
export interface Vmstat {
  readonly values: ReadonlyMap<string, number>;
}

/**
 * /proc/vmstat. Kernel document: Documentation/admin-guide/mm/ and mm/vmstat.c (`vmstat_text`); since 2.5.31.
 * World-readable. The set of keys changes with every kernel: all are kept, and an absent one is not zero.
 */
export function parseVmstat(text: string, path = "/proc/vmstat"): Parsed<Vmstat> {
  const { value, warnings } = parseFlatCounters(text, path);
  return { value: { values: value }, warnings };
}
