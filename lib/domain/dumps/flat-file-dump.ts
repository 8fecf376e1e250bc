import { bytesToKib } from "../memory/kib.ts";
import { isKernelKey } from "../procfs/kernel-key.ts";
import { parseCount } from "../procfs/parse-count.ts";
import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { splitSamples, type Entry } from "./samples.ts";

const ROW = /^\s*([a-z][\w().]{1,60})\s+(\d{1,20})\s*$/;

/** Bytes in memory.stat of cgroup v2, and what both versions share. */
const STAT_BYTES: ReadonlySet<string> = new Set([
  ...[
    "anon",
    "file",
    "kernel",
    "kernel_stack",
    "pagetables",
    "sec_pagetables",
    "percpu",
    "sock",
    "vmalloc",
    "shmem",
  ],
  ...[
    "zswap",
    "zswapped",
    "file_mapped",
    "file_dirty",
    "file_writeback",
    "swapcached",
    "anon_thp",
    "file_thp",
  ],
  ...["shmem_thp", "inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable"],
  ...["slab_reclaimable", "slab_unreclaimable", "slab", "hugetlb", "balloon"],
  ...["cache", "rss", "rss_huge", "mapped_file", "dirty", "writeback", "swap"],
  ...["hierarchical_memory_limit", "hierarchical_memsw_limit"],
]);
const STAT_COUNTS =
  /^(?:total_)?(?:pg\w+|workingset_\w+|thp_\w+|zswp\w+|numa_\w+|swpin_zero|swpout_zero|demote_\w+)$/;
const VMSTAT =
  /^(?:nr_\w+|numa_\w+|pg\w+|thp_\w+|compact_\w+|allocstall\w*|oom_kill|slabs_scanned|drop_\w+|balloon_\w+|workingset_\w+|htlb_\w+|kswapd_\w+|pageoutrun|unevictable_\w+|swap_ra\w*|zone_reclaim\w*|direct_map_\w+|zswp\w+|ksm\w*|cow_ksm)$/;
const CGROUP_STAT = /^nr_(?:dying_)?(?:descendants|subsys_\w+)$/;

type FlatKind = "cgroup.stat" | "memory.stat" | "vmstat";

/** Keys of /proc/vmstat that tell something about leaks; pages, or events, as printed. */
const TOLD =
  /^(?:nr_slab_\w+|nr_(?:free_pages|anon_pages|file_pages|shmem|zspages|page_table_pages|sec_page_table_pages|iommu_pages|foll_pin_\w+|inactive_\w+|active_\w+)|oom_kill|drop_\w+|compact_(?:stall|fail))$/;

/**
 * The files that print `key value`: cgroup.stat, memory.stat of both versions, /proc/vmstat. They are told apart by
 * their keys, line by line within a run, so that fragments are read too. A memory.stat is bytes; vmstat is pages and events.
 */
export const flatFileDump: Recogniser = {
  kind: "memory.stat",
  recognise(lines) {
    const artefacts: Artefact[] = [];
    let run: { line: DumpLine; key: string; value: number }[] = [];
    const finish = () => {
      artefacts.push(...artefactsOf(run));
      run = [];
    };
    let last = -1;
    for (const line of lines) {
      const text = rowOf(line);
      const match = ROW.exec(text);
      const key = match?.[1];
      const value = parseCount(match?.[2]);
      const isFiller = /^\s*(?:\.{3}|…|\[\.{3}\])?\s*$/.test(text);
      if (key !== undefined && kindOf(key) === undefined && line.index - last === 1 && isVmstat(run)) {
        // A counter of /proc/vmstat that is not known by name: taken along, told by none.
        run.push({ line, key, value: value ?? 0 });
        last = line.index;
      } else if (line.isCommand || (!isFiller && (key === undefined || kindOf(key) === undefined))) finish();
      else if (key !== undefined && value !== undefined && isKernelKey(key)) {
        if (line.index - last > 4) finish();
        run.push({ line, key, value });
        last = line.index;
      }
    }
    finish();
    return artefacts;
  },
};

/** `inactive_anon` and its like belong to memory.stat; in vmstat they begin with nr_. */
function kindOf(key: string): FlatKind | "either" | undefined {
  if (CGROUP_STAT.test(key)) return "cgroup.stat";
  if (STAT_BYTES.has(key.replace(/^total_/, ""))) return "memory.stat";
  if (STAT_COUNTS.test(key)) return "either";
  return VMSTAT.test(key) ? "vmstat" : undefined;
}

/** `run` may be long; its first lines tell. */
function isVmstat(run: readonly { key: string }[]): boolean {
  const kinds = new Set(run.slice(0, 20).map(({ key }) => kindOf(key)));
  return kinds.has("vmstat") && !kinds.has("memory.stat");
}

function artefactsOf(run: readonly { line: DumpLine; key: string; value: number }[]): readonly Artefact[] {
  if (run.length === 0) return [];
  const other = isVmstat(run) ? "vmstat" : "memory.stat";
  const owner = (kind: FlatKind | "either" | undefined): FlatKind =>
    kind === undefined || kind === "either" ? other : kind;
  return (["cgroup.stat", "memory.stat", "vmstat"] as const).flatMap((kind) => {
    const entries = run.filter(({ key }) => owner(kindOf(key)) === kind);
    // One line with a common word and a number is no memory.stat.
    if (kind === "memory.stat" && entries.filter(({ key }) => kindOf(key) === "memory.stat").length < 2)
      return [];
    const samples = splitSamples(entries.map(({ key, value, line }): Entry => ({ key, value, line })));
    return samples.map((sample): Artefact => {
      const facts = new Map<string, number>();
      for (const [key, value] of sample.values) {
        if (kind === "memory.stat" && kindOf(key) === "memory.stat") {
          // A group without limit prints the largest multiple of the page size.
          if (!key.endsWith("_limit") || value < 2 ** 52) facts.set(key, bytesToKib(value));
        } else if (kind === "cgroup.stat" || (kind === "vmstat" && TOLD.test(key)))
          facts.set(`${key}_count`, value);
      }
      return { kind: kind === "vmstat" ? "/proc/vmstat" : kind, lines: sample.lines, facts, warnings: [] };
    });
  });
}
