import { parseFlatCounters } from "./flat-counters.ts";
import type { Parsed } from "./parse-error.ts";

/** Counts of control groups below one directory of the unified hierarchy. */
export interface CgroupStat {
  /** Live groups below this one, itself excluded. */
  readonly descendants: number | undefined;
  /** Removed groups that something still holds on to. */
  readonly dyingDescendants: number | undefined;
  /** The same for the memory controller alone (kernel 6.12). */
  readonly memoryDescendants: number | undefined;
  readonly dyingMemoryDescendants: number | undefined;
  /** Every counter under the kernel's name. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * `cgroup.stat` of a directory of cgroup v2. Kernel document: Documentation/admin-guide/cgroup-v2.rst; since 4.14, the
 * `nr_subsys_*` and `nr_dying_subsys_*` lines since 6.12. cgroup v1 has no such file.
 */
export function parseCgroupStat(text: string, path = "cgroup.stat"): Parsed<CgroupStat> {
  const { value: values, warnings } = parseFlatCounters(text, path);
  return {
    value: {
      descendants: values.get("nr_descendants"),
      dyingDescendants: values.get("nr_dying_descendants"),
      memoryDescendants: values.get("nr_subsys_memory"),
      dyingMemoryDescendants: values.get("nr_dying_subsys_memory"),
      values,
    },
    warnings,
  };
}
