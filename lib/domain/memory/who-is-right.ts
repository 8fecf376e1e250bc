import type { BandKey } from "./bands.ts";
import { reportedBands, type ComposedMeminfoKey, type Composition } from "./composition.ts";

/** The keys of /proc/meminfo that the views are made of. */
export type UsedMeminfoKey = ComposedMeminfoKey | "MemAvailable" | "Inactive(file)";

/** A part of used memory that a view does not count as used. */
export interface LeftOut {
  readonly key: BandKey;
  readonly label: string;
  readonly kib: number;
}

/** What one tool calls *used*. */
export interface UsedView {
  readonly key: string;
  /** The tool, and its versions where they differ. */
  readonly who: string;
  /** In counters of /proc/meminfo. */
  readonly formula: string;
  /** KiB; `undefined` where a counter is missing. */
  readonly usedKib?: number | undefined;
  /** Counters of the formula that the snapshot lacks. */
  readonly missing: readonly string[];
  /** Memory in use that `usedKib` does not hold, bands from top to bottom; those that the kernel does not report are part of `unacc`. */
  readonly leavesOut: readonly LeftOut[];
  /**
   * Of that what belongs to the kernel: all but tmpfs, huge pages and what is compressed or set aside. `undefined` where a
   * counter that it needs is missing.
   */
  readonly kernelLeftOutKib?: number | undefined;
  /** Why it counts so, and what it therefore hides or adds. */
  readonly why: string;
  /** The machine's counters stand in for those of its root cgroup: equal to a fraction of a percent. */
  readonly approximate: boolean;
  /** Whether it is what this machine's cgroup mode gives; `undefined` where the view does not depend on it or the mode is not known. */
  readonly applies?: boolean | undefined;
}

/** Every view on the same moment. */
export interface UsedMemory {
  readonly totalKib: number;
  /** All that the kernel holds itself: reclaimable slab, and what cannot be reclaimed. */
  readonly kernelKib: number;
  readonly views: readonly UsedView[];
}

export interface UsedCounters {
  /** Of the same moment, as it is shown. */
  readonly composition: Composition;
  readonly meminfo: (key: UsedMeminfoKey) => number | null | undefined;
  /** Of the memory controller. */
  readonly cgroupMode?: "v1" | "v2" | undefined;
}

interface Definition {
  readonly key: string;
  readonly who: string;
  /** What is added up, and what is taken from it. */
  readonly plus: readonly UsedMeminfoKey[];
  readonly minus: readonly UsedMeminfoKey[];
  readonly leavesOut: readonly BandKey[];
  readonly why: string;
  readonly approximate?: boolean;
  readonly cgroupMode?: "v1" | "v2";
}

/** Bands in use that belong to the kernel itself. */
const KERNEL: readonly BandKey[] = ["srecl", "sunrecl", "kstack", "ptables", "percpu", "vmalloc", "unacc"];
/** The largest bands of all others. */
const BESIDE_KERNEL: readonly BandKey[] = ["free", "file", "buffers", "anon"];
/** What no cgroup statistic of file and anonymous pages holds. */
const OUTSIDE_FILE_AND_ANON: readonly BandKey[] = [...KERNEL, "hugetlb", "other"];

const ROOT_USAGE = {
  plus: ["Cached", "Buffers", "AnonPages"],
  minus: ["Inactive(file)"],
  leavesOut: OUTSIDE_FILE_AND_ANON,
  approximate: true,
} as const;

const NOT_AVAILABLE = { plus: ["MemTotal"], minus: ["MemAvailable"], leavesOut: ["srecl"] } as const;

const WITHOUT_SLAB = {
  plus: ["MemTotal"],
  minus: ["MemFree", "Buffers", "Cached", "Slab"],
  leavesOut: ["shmem", "srecl", "sunrecl"],
} as const;

const WITHOUT_RECLAIMABLE = {
  plus: ["MemTotal"],
  minus: ["MemFree", "Buffers", "Cached", "SReclaimable"],
  leavesOut: ["shmem", "srecl"],
} as const;

const OTHERS: readonly Definition[] = [
  {
    key: "free-total",
    who: "free before 3.3.10, row Mem",
    plus: ["MemTotal"],
    minus: ["MemFree"],
    leavesOut: [],
    why: "All that is not free: page cache and reclaimable slab are in it, so it looks full on every busy machine.",
  },
  {
    key: "free-buffers",
    who: "free before 3.3.10, row -/+ buffers/cache",
    plus: ["MemTotal"],
    minus: ["MemFree", "Buffers", "Cached"],
    leavesOut: ["shmem"],
    why: "All of slab is in it. Cached holds tmpfs and shared memory, which nobody can take back without swap.",
  },
  {
    key: "free-slab",
    who: "free 3.3.10 and 3.3.11",
    ...WITHOUT_SLAB,
    why: "All of slab counts as cache, also what cannot be reclaimed: a slab leak shows as a full cache.",
  },
  {
    key: "free-reclaimable",
    who: "free 3.3.12 to 4.0.0",
    ...WITHOUT_RECLAIMABLE,
    why: "Slab with a shrinker counts as cache, whether or not its objects are pinned.",
  },
  {
    key: "free-available",
    who: "free since 4.0.1",
    ...NOT_AVAILABLE,
    why: "The kernel takes slab with a shrinker for available, down to a reserve of half of it at most; pinned slab is therefore not used.",
  },
  {
    key: "kubelet-v1",
    who: "kubelet and kubectl top node, cgroup v1",
    ...ROOT_USAGE,
    cgroupMode: "v1",
    why: "Working set of the root cgroup: the kernel makes its usage of file pages and mapped anonymous pages alone. Active page cache and tmpfs are in it, kernel memory is not.",
  },
  {
    key: "kubelet-v2",
    who: "kubelet and kubectl top node, cgroup v2, newer",
    ...ROOT_USAGE,
    cgroupMode: "v2",
    why: "The root has no memory.current; the kubelet's library adds file and anon of memory.stat, to agree with v1. A node can run out while memory.available looks healthy.",
  },
  {
    key: "kubelet-v2-meminfo",
    who: "kubelet and kubectl top node, cgroup v2, older",
    plus: ["MemTotal"],
    minus: ["MemFree", "Inactive(file)"],
    leavesOut: [],
    approximate: true,
    cgroupMode: "v2",
    why: "Older versions of that library took MemTotal less MemFree for the usage: kernel memory is in it, and active page cache too. An upgrade makes the figure fall without freeing anything.",
  },
  {
    key: "node-problem-detector",
    who: "node-problem-detector, memory/bytes_used used",
    ...WITHOUT_SLAB,
    why: "Slab is a state of its own beside used, so that a slab leak is not in what it calls used.",
  },
  {
    key: "dashboard-available",
    who: "dashboards of node_exporter, by MemAvailable",
    ...NOT_AVAILABLE,
    why: "As free since 4.0.1: shrinkable slab counts as available although it may be pinned.",
  },
  {
    key: "dashboard-cache",
    who: "dashboards of node_exporter, by cache",
    ...WITHOUT_RECLAIMABLE,
    why: "tmpfs stands in their cache. Those that leave out SReclaimable too are as free before 3.3.10, row -/+ buffers/cache.",
  },
];

const RECLAIMABLE: readonly BandKey[] = ["free", "pcp", "file", "buffers", "srecl"];
const NEEDED: readonly UsedMeminfoKey[] = [
  "MemTotal",
  "MemFree",
  "Cached",
  "Buffers",
  "SReclaimable",
  "Shmem",
];

/**
 * What `free`, kubelet, node-problem-detector, common dashboards and Plumbline call *used* at one moment, and the memory that
 * each leaves out. All in KiB, from one reading of /proc/meminfo; an absent counter leaves the views that need it without
 * an amount, and says so.
 *
 * Sources: procps-ng NEWS 3.3.10, 3.3.12, 4.0.1; `mem_cgroup_usage` of mm/memcontrol.c; opencontainers/runc#2873 and #3933;
 * node-problem-detector pkg/systemstatsmonitor/memory_collector_unix.go.
 */
export function reconcileUsed(counters: UsedCounters): UsedMemory {
  const { composition } = counters;
  const { bands, totalKib } = composition;
  const read = (key: UsedMeminfoKey) => counters.meminfo(key) ?? undefined;
  const srecl = bands.srecl ?? 0;
  const views = OTHERS.map((definition): UsedView => {
    const { plus, minus, approximate = false, cgroupMode } = definition;
    return {
      key: definition.key,
      who: definition.who,
      formula: [plus.join(" + "), ...minus].join(" − "),
      ...amountOf(plus, minus, read),
      ...leftOut(definition.leavesOut, composition),
      why: definition.why,
      approximate,
      applies:
        cgroupMode === undefined || counters.cgroupMode === undefined
          ? undefined
          : cgroupMode === counters.cgroupMode,
    };
  });
  const missing = NEEDED.filter((key) => read(key) === undefined);
  const reclaimable = RECLAIMABLE.reduce((sum, key) => sum + (bands[key] ?? 0), 0);
  const pcp = bands.pcp === undefined ? "; the per-CPU free lists were not read and count as used" : "";
  return {
    totalKib,
    kernelKib: composition.kernelUnreclaimableKib + srecl,
    views: [
      ...views,
      {
        key: "plumbline",
        who: "Plumbline",
        formula:
          "MemTotal − free − per-CPU free lists − page cache without tmpfs − buffers − reclaimable slab",
        usedKib: missing.length > 0 ? undefined : totalKib - reclaimable,
        missing,
        ...leftOut(["srecl"], composition),
        why: `What the kernel could not give to somebody else; slab with a shrinker is a band of its own, because it may be pinned${pcp}.`,
        approximate: false,
        applies: undefined,
      },
    ],
  };
}

function amountOf(
  plus: readonly UsedMeminfoKey[],
  minus: readonly UsedMeminfoKey[],
  read: (key: UsedMeminfoKey) => number | undefined,
): Pick<UsedView, "usedKib" | "missing"> {
  const missing: string[] = [];
  let usedKib = 0;
  for (const [sign, keys] of [[1, plus] as const, [-1, minus] as const]) {
    for (const key of keys) {
      const value = read(key);
      if (value === undefined) missing.push(key);
      else usedKib += sign * value;
    }
  }
  return { usedKib: missing.length > 0 ? undefined : usedKib, missing };
}

function leftOut(
  keys: readonly BandKey[],
  composition: Composition,
): Pick<UsedView, "leavesOut" | "kernelLeftOutKib"> {
  const leavesOut: readonly LeftOut[] = reportedBands(composition).filter(({ key }) => keys.includes(key));
  return {
    leavesOut,
    kernelLeftOutKib: isLeftOutKnown(keys, composition)
      ? leavesOut.reduce((sum, { key, kib }) => sum + (KERNEL.includes(key) ? kib : 0), 0)
      : undefined,
  };
}

/** Whether the kernel's memory among these bands can be told. */
function isLeftOutKnown(keys: readonly BandKey[], { bands, notes }: Composition): boolean {
  // What is not reported is part of unaccounted, and so counted where that is, unless programs and cache are in it too.
  if (keys.includes("unacc")) return BESIDE_KERNEL.every((key) => bands[key] !== undefined);
  const isUnsplit = keys.includes("sunrecl") && notes.some(({ kind }) => kind === "slab-not-split");
  return keys.every(
    (key) => !KERNEL.includes(key) || bands[key] !== undefined || (key === "srecl" && isUnsplit),
  );
}
