import { parseMetric } from "../memory/metrics.ts";
import { quantityLabel } from "./evidence.ts";

/** What the kernel prints a quantity as, where its label does not say so. */
const KERNEL_SPELLING: Readonly<Record<string, string>> = {
  "band.free": "MemFree",
  "band.pcp": "zoneinfo",
  "band.file": "Cached",
  "band.buffers": "Buffers",
  "band.shmem": "Shmem",
  "band.anon": "AnonPages",
  "band.kstack": "KernelStack",
  "band.ptables": "PageTables",
  "band.percpu": "Percpu",
  "band.vmalloc": "VmallocUsed",
  "band.hugetlb": "Hugetlb",
};

/** Quantities whose label in a list is no phrase of a sentence. */
const PHRASES: Readonly<Record<string, string>> = {
  "band.anon": "anonymous memory",
  "band.unacc": "unaccounted memory",
  "total.kernelUnreclaimable": "unreclaimable kernel memory",
  "total.kernelNoncache": "non-cache kernel memory",
  "cgroup.memory.dying": "dying memory cgroups",
  "cgroup.memory.live": "live memory cgroups",
  "meminfo.MemTotal": "all memory (MemTotal)",
  "meminfo.MemFree": "free memory (MemFree)",
  "meminfo.MemAvailable": "available memory (MemAvailable)",
  "meminfo.Slab": "slab (Slab)",
  "band.sunrecl": "unreclaimable slab (SUnreclaim)",
  "meminfo.SUnreclaim": "unreclaimable slab (SUnreclaim)",
  "band.srecl": "reclaimable slab (SReclaimable)",
  "meminfo.SReclaimable": "reclaimable slab (SReclaimable)",
  "meminfo.SecPageTables": "page tables of virtual machines (SecPageTables)",
  "meminfo.SwapTotal": "swap (SwapTotal)",
  "meminfo.HugePages_Total": "huge pages (HugePages_Total)",
  "meminfo.HugePages_Free": "free huge pages (HugePages_Free)",
  "meminfo.GPUActive": "memory of graphics (GPUActive)",
};

const DEEDS: Readonly<Record<string, string>> = {
  "drop-caches-1": "dropping the page cache (drop_caches 1)",
  "drop-caches-2": "dropping dentries and inodes (drop_caches 2)",
  "drop-caches-3": "dropping all caches (drop_caches 3)",
  "files-removed": "removing the files",
  "job-stopped": "stopping the job",
  "runtime-restarted": "restarting the runtime",
  "process-restarted": "restarting the process",
};

function phraseOf(name: string): string {
  const phrase = PHRASES[name];
  if (phrase !== undefined) return phrase;
  const source = parseMetric(name)?.source;
  if (source?.family === "slab") {
    return source.measure === "bytes"
      ? `slab cache ${source.cache}`
      : `objects of slab cache ${source.cache}`;
  }
  const spelling = KERNEL_SPELLING[name];
  return spelling === undefined ? quantityLabel(name) : `${quantityLabel(name)} (${spelling})`;
}

/**
 * What a sign missed, in the words of the product with the kernel's spelling. `name` is as signs give it: a quantity, a pair
 * whose changes are compared (`a ~ b`), a kind of log line (`log:kind`), only how a known quantity went (`change:a`), what a deed did to a quantity (`deed > a`), or words.
 *
 * @example missingText("meminfo.SUnreclaim ~ containers.started")
 * // "whether unreclaimable slab (SUnreclaim) and containers started move together"
 */
export function missingText(name: string): string {
  if (name.startsWith("change:")) return `how ${phraseOf(name.slice("change:".length))} changed over time`;
  if (name.startsWith("log:")) return `log lines of “${name.slice("log:".length)}”`;
  const [one = "", other] = name.split(" ~ ");
  if (other !== undefined) return `whether ${phraseOf(one)} and ${phraseOf(other)} move together`;
  const [deed = "", changed] = name.split(" > ");
  if (changed !== undefined) return `what ${DEEDS[deed] ?? deed} does to ${phraseOf(changed)}`;
  return phraseOf(name);
}
