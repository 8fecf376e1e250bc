import { parseFlatCounters } from "./flat-counters.ts";
import type { Parsed, ParseError } from "./parse-error.ts";

/** What a memory cgroup and all below it hold, bytes; undefined where the kernel does not say it. */
export interface MemoryStat {
  readonly version: "v1" | "v2" | undefined;
  readonly anonBytes: number | undefined;
  /** Page cache, shmem included. */
  readonly fileBytes: number | undefined;
  readonly shmemBytes: number | undefined;
  /** All kernel memory (v2 since 5.18). */
  readonly kernelBytes: number | undefined;
  readonly slabBytes: number | undefined;
  readonly slabUnreclaimableBytes: number | undefined;
  readonly kernelStackBytes: number | undefined;
  readonly pageTablesBytes: number | undefined;
  readonly percpuBytes: number | undefined;
  readonly vmallocBytes: number | undefined;
  readonly sockBytes: number | undefined;
  /** Every counter under the kernel's name. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * `memory.stat` of a memory cgroup. Kernel documents: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; since
 * 2.6.25 (v1) and 4.5 (v2). World-readable. On v1 the `total_` lines are taken: those include what is below, dying cgroups
 * too. Of the kernel's memory v1 says nothing here.
 */
export function parseMemoryStat(text: string, path = "memory.stat"): Parsed<MemoryStat> {
  const { value: values, warnings } = parseFlatCounters(text, path);
  // Without a limit v1 prints the largest number of pages in bytes, which is beyond 2^53.
  const isNoLimit = ({ line }: ParseError) => /^hierarchical_mem(ory|sw)_limit \d{17,}$/.test(line);
  const version = values.has("total_cache") ? "v1" : values.has("anon") ? "v2" : undefined;
  const ofV2 = (key: string) => (version === "v2" ? values.get(key) : undefined);
  return {
    value: {
      version,
      anonBytes: version === "v1" ? values.get("total_rss") : ofV2("anon"),
      fileBytes: version === "v1" ? values.get("total_cache") : ofV2("file"),
      shmemBytes: version === "v1" ? values.get("total_shmem") : ofV2("shmem"),
      kernelBytes: ofV2("kernel"),
      slabBytes: ofV2("slab"),
      slabUnreclaimableBytes: ofV2("slab_unreclaimable"),
      kernelStackBytes: ofV2("kernel_stack"),
      pageTablesBytes: ofV2("pagetables"),
      percpuBytes: ofV2("percpu"),
      vmallocBytes: ofV2("vmalloc"),
      sockBytes: ofV2("sock"),
      values,
    },
    warnings: warnings.filter((warning) => !isNoLimit(warning)),
  };
}
