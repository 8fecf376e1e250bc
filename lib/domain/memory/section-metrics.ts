import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import type { MetricKind, MetricUnit } from "./metric-unit.ts";

/**
 * A number in one of the sections that tell what holds memory in the kernel, as a metric. `key` is its path in the snapshot; a part
 * in angle brackets stands for what the node reports.
 */
export interface SectionMetric {
  readonly key: string;
  /** With `<>` where the variable part is named. */
  readonly label: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
  readonly description: string;
  /** What a count counts, plural: "keys". */
  readonly noun: string;
  /** The values in a snapshot, by what stands in the angle brackets; by "" for a key without. */
  readonly read: (
    snapshot: SnapshotInput,
  ) => Iterable<readonly [variable: string, value: number | undefined]>;
}

type Shape = Pick<SectionMetric, "unit" | "noun"> & Partial<Pick<SectionMetric, "kind">>;
type Read = SectionMetric["read"];

/** Cgroups so far below the root become series; deeper ones come and go with their pods. */
const TREE_DEPTH = 2;

const COUNT = { unit: "count" } as const;
const IN_KIB = { unit: "KiB", noun: "" } as const;
const IN_BYTES = { unit: "bytes", noun: "" } as const;

/** Series of new containers by who created them begin so. */
export const CREATED_PREFIX = "containers.created.";

/** All of them. Where two keys could be of one name the earlier counts. */
export const SECTION_METRICS: readonly SectionMetric[] = [
  ...(["some", "full"] as const).flatMap((who) => [
    ...(["avg10", "avg60", "avg300"] as const).map((window) =>
      single(
        `pressure.memory.${who}.${window}`,
        { unit: "percent", noun: "percent" },
        `memory pressure, ${who}, ${window}`,
        `Share of the last ${window.slice(3)} s in which ${who === "some" ? "some task" : "all tasks that could run"} waited for memory.`,
        (snapshot) => snapshot.pressure?.memory[who]?.[window],
      ),
    ),
    single(
      `pressure.memory.${who}.totalUs`,
      { unit: "µs", noun: "microseconds", kind: "counter" },
      `memory pressure, ${who}, total`,
      `Time since boot in which ${who === "some" ? "some task" : "all tasks that could run"} waited for memory.`,
      (snapshot) => snapshot.pressure?.memory[who]?.totalUs,
    ),
  ]),
  single(
    "fs.fileNr.allocated",
    { ...COUNT, noun: "file handles" },
    "file handles",
    "File handles in use: the first number of file-nr.",
    ({ fs }) => fs?.fileNr?.allocated,
  ),
  single(
    "fs.fileNr.max",
    { ...COUNT, noun: "file handles" },
    "file handles, limit",
    "Limit of file handles: the third number of file-nr.",
    ({ fs }) => fs?.fileNr?.max,
  ),
  single(
    "fs.inodeNr.nr_inodes",
    { ...COUNT, noun: "inodes" },
    "inodes in memory",
    "Inodes that the kernel holds, of all file systems.",
    ({ fs }) => fs?.inodeNr?.nr_inodes,
  ),
  single(
    "fs.inodeNr.nr_free_inodes",
    { ...COUNT, noun: "inodes" },
    "inodes in memory, unused",
    "Inodes that nothing uses.",
    ({ fs }) => fs?.inodeNr?.nr_free_inodes,
  ),
  single(
    "fs.dentryState.nr_dentry",
    { ...COUNT, noun: "dentries" },
    "dentries",
    "Names of files that the kernel remembers.",
    ({ fs }) => fs?.dentryState?.nr_dentry,
  ),
  single(
    "fs.dentryState.nr_unused",
    { ...COUNT, noun: "dentries" },
    "dentries, unused",
    "Dentries that nothing uses: they can be reclaimed.",
    ({ fs }) => fs?.dentryState?.nr_unused,
  ),
  single(
    "fs.dentryState.nr_negative",
    { ...COUNT, noun: "dentries" },
    "dentries, negative",
    "Dentries of names that do not exist; absent where the kernel does not count them.",
    ({ fs }) => fs?.dentryState?.nr_negative,
  ),
  single(
    "keyUsers.nkeys",
    { ...COUNT, noun: "keys" },
    "keys",
    "Keys and keyrings of all users.",
    ({ keyUsers }) => keyUsers?.nkeys,
  ),
  ...(["nkeys", "qnkeys", "maxkeys"] as const).map((field) =>
    variable(
      `keyUsers.<uid>.${field}`,
      { ...COUNT, noun: "keys" },
      `keys of uid <>, ${field}`,
      `${field} of a user in /proc/key-users.`,
      ({ keyUsers }) => keyUsers?.users.map((user) => [String(user.uid), user[field]]),
    ),
  ),
  ...(["qnbytes", "maxbytes"] as const).map((field) =>
    variable(
      `keyUsers.<uid>.${field}`,
      IN_BYTES,
      `keys of uid <>, ${field}`,
      `${field} of a user in /proc/key-users.`,
      ({ keyUsers }) => keyUsers?.users.map((user) => [String(user.uid), user[field]]),
    ),
  ),
  variable(
    "sockstat.<protocol>.mem",
    { unit: "pages", noun: "pages" },
    "socket memory, <>",
    "Pages that sockets of a protocol hold, in all network namespaces.",
    ({ sockstat }) => entries(sockstat)?.map(([protocol, { mem }]) => [protocol, mem]),
  ),
  variable(
    "sockstat.<protocol>.memory",
    IN_BYTES,
    "reassembly memory, <>",
    "Memory of packets that wait for their other parts.",
    ({ sockstat }) => entries(sockstat)?.map(([protocol, { memory }]) => [protocol, memory]),
  ),
  variable(
    "sockstat.<protocol>.<counter>",
    { ...COUNT, noun: "sockets" },
    "sockets, <>",
    "A counter of sockstat: inuse, orphan, tw, alloc; of the first process's network namespace.",
    ({ sockstat }) =>
      entries(sockstat)?.flatMap(([protocol, counters]) =>
        Object.entries(counters)
          .filter(([counter]) => counter !== "mem" && counter !== "memory")
          .map(([counter, value]) => [`${protocol}.${counter}`, value] as const),
      ),
  ),
  ...(["lowPages", "pressurePages", "highPages"] as const).map((field) =>
    single(
      `tcpMem.${field}`,
      { unit: "pages", noun: "pages" },
      `tcp_mem, ${field.slice(0, -5)}`,
      "A limit of TCP's memory: below low nothing is held back, above high nothing is given.",
      ({ tcpMem }) => tcpMem?.[field],
    ),
  ),
  variable(
    "protocols.<protocol>.sockets",
    { ...COUNT, noun: "sockets" },
    "sockets of <>",
    "Sockets of a protocol, in the first process's network namespace.",
    ({ protocols }) => protocols?.map((each) => [each.protocol, each.sockets]),
  ),
  variable(
    "protocols.<protocol>.memoryPages",
    { unit: "pages", noun: "pages" },
    "memory of <>",
    "Pages that sockets of a protocol hold, in all network namespaces.",
    ({ protocols }) => protocols?.map((each) => [each.protocol, each.memoryPages]),
  ),
  single(
    "conntrack.count",
    { ...COUNT, noun: "connections" },
    "tracked connections",
    "nf_conntrack_count of the node's network namespace.",
    ({ conntrack }) => conntrack?.count,
  ),
  single(
    "conntrack.max",
    { ...COUNT, noun: "connections" },
    "tracked connections, limit",
    "nf_conntrack_max.",
    ({ conntrack }) => conntrack?.max,
  ),
  single(
    "tasks.processes",
    { ...COUNT, noun: "processes" },
    "processes",
    "Processes that the collector sees.",
    ({ tasks }) => tasks?.processes,
  ),
  single(
    "tasks.threads",
    { ...COUNT, noun: "threads" },
    "threads",
    "All tasks of the kernel: the total in /proc/loadavg.",
    ({ tasks }) => tasks?.threads,
  ),
  single(
    "tasks.zombies",
    { ...COUNT, noun: "zombies" },
    "zombies",
    "Processes that ended and that their parent has not waited for (Z).",
    ({ tasks }) => tasks?.zombies,
  ),
  single(
    "tasks.uninterruptible",
    { ...COUNT, noun: "processes" },
    "processes in uninterruptible sleep",
    "Processes in state D.",
    ({ tasks }) => tasks?.uninterruptible,
  ),
  variable(
    "buddyinfo.<order>.freeBlocks",
    { ...COUNT, noun: "blocks" },
    "free blocks of order <>",
    "Free blocks of 2^order pages, all zones together.",
    ({ buddyinfo }) => buddyinfo && sumByOrder(buddyinfo),
  ),
  ...(["nr", "free", "resv", "surplus"] as const).map((field) =>
    variable(
      `hugepages.<sizeKib>.${field}`,
      { ...COUNT, noun: "huge pages" },
      `huge pages of <> KiB, ${field}`,
      `${field}_hugepages of a pool of huge pages.`,
      ({ hugepages }) => hugepages?.map((pool) => [String(pool.sizeKib), pool[field]]),
    ),
  ),
  ...(["memUsedBytes", "origDataBytes", "comprDataBytes"] as const).map((field) =>
    variable(
      `zram.<device>.${field}`,
      IN_BYTES,
      `<>, ${field}`,
      "A column of mm_stat of a compressed RAM disk.",
      ({ zram }) => zram?.map((disk) => [disk.device, disk[field]]),
    ),
  ),
  ...(["sizeBytes", "minBytes", "maxBytes"] as const).map((field) =>
    single(
      `zfsArc.${field}`,
      IN_BYTES,
      `ZFS ARC, ${field.slice(0, -5)}`,
      "The cache of ZFS; none of the kernel's own counters holds it.",
      ({ zfsArc }) => zfsArc?.[field],
    ),
  ),
  single(
    "vmalloc.usedKib",
    IN_KIB,
    "vmalloc, all areas",
    "Memory behind the areas of /proc/vmallocinfo, kernel stacks included.",
    ({ vmalloc }) => vmalloc?.usedKib,
  ),
  single(
    "vmalloc.areas",
    { ...COUNT, noun: "areas" },
    "vmalloc areas",
    "Areas of /proc/vmallocinfo that are in use.",
    ({ vmalloc }) => vmalloc?.areas,
  ),
  single(
    "vmalloc.pcpuKib",
    IN_KIB,
    "per-CPU areas",
    "Address space of the per-CPU allocator: an upper bound of its memory.",
    ({ vmalloc }) => vmalloc?.pcpuKib,
  ),
  variable(
    "vmalloc.<caller>.usedKib",
    IN_KIB,
    "vmalloc by <>",
    "Memory behind the areas that one function of the kernel asked for.",
    ({ vmalloc }) => vmalloc?.callers.map((each) => [each.caller, each.usedKib]),
  ),
  variable(
    "vmalloc.<caller>.sizeKib",
    IN_KIB,
    "address space by <>",
    "Address space of the areas that one function of the kernel asked for.",
    ({ vmalloc }) => vmalloc?.callers.map((each) => [each.caller, each.sizeKib]),
  ),
  variable(
    "vmalloc.<caller>.areas",
    { ...COUNT, noun: "areas" },
    "vmalloc areas by <>",
    "Areas that one function of the kernel asked for.",
    ({ vmalloc }) => vmalloc?.callers.map((each) => [each.caller, each.areas]),
  ),
  single(
    "allocinfo.bytes",
    IN_BYTES,
    "profiled allocations",
    "All allocations that memory allocation profiling knows of.",
    ({ allocinfo }) => allocinfo?.bytes,
  ),
  variable(
    "allocinfo.<site>.bytes",
    IN_BYTES,
    "allocated at <>",
    "Memory allocated by one line of the kernel's code and not freed yet.",
    ({ allocinfo }) => allocinfo?.sites.map((each) => [each.site, each.bytes]),
  ),
  variable(
    "allocinfo.<site>.calls",
    { ...COUNT, noun: "allocations" },
    "allocations at <>",
    "Allocations by one line of the kernel's code that are not freed yet.",
    ({ allocinfo }) => allocinfo?.sites.map((each) => [each.site, each.calls]),
  ),
  single(
    "mounts.total",
    { ...COUNT, noun: "mounts" },
    "mounts",
    "Lines of /proc/1/mountinfo.",
    ({ mounts }) => mounts?.total,
  ),
  single(
    "mounts.stacked",
    { ...COUNT, noun: "mounts" },
    "mounts over mounts",
    "Mounts whose mount point another mount has too.",
    ({ mounts }) => mounts?.stacked,
  ),
  variable(
    "mounts.<type>.count",
    { ...COUNT, noun: "mounts" },
    "mounts of type <>",
    "Mounts of one type of file system.",
    ({ mounts }) => entries(mounts?.byType),
  ),
  single(
    "netns.inUse",
    { ...COUNT, noun: "namespaces" },
    "network namespaces in use",
    "Network namespaces that some process is in.",
    ({ netns }) => netns?.inUse,
  ),
  single(
    "netns.mounted",
    { ...COUNT, noun: "namespaces" },
    "network namespaces kept by a mount",
    "nsfs mounts of the first process's mount namespace.",
    ({ netns }) => netns?.mounted,
  ),
  ...(["devices", "attached", "deleted"] as const).map((field) =>
    single(
      `loop.${field}`,
      { ...COUNT, noun: "loop devices" },
      `loop devices${field === "devices" ? "" : `, ${field}`}`,
      field === "deleted"
        ? "Loop devices whose backing file is deleted."
        : field === "attached"
          ? "Loop devices with a backing file."
          : "Loop devices that are there, attached or not.",
      ({ loop }) => loop?.[field],
    ),
  ),
  single(
    "modules.count",
    { ...COUNT, noun: "modules" },
    "modules",
    "Modules that are loaded.",
    ({ modules }) => modules?.length,
  ),
  single(
    "modules.tainted",
    { ...COUNT, noun: "modules" },
    "modules that taint the kernel",
    "Modules that are out of tree, proprietary, unsigned or staging.",
    ({ modules }) => modules?.filter(({ taint }) => taint !== undefined).length,
  ),
  single(
    "modules.sizeBytes",
    IN_BYTES,
    "modules, size",
    "Memory of the code and data of all modules.",
    ({ modules }) => modules?.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  ),
  single(
    "slabNames.memcgChildCaches",
    { ...COUNT, noun: "caches" },
    "slab caches of memory cgroups",
    "Caches cloned for one memory cgroup: kernels 3.8 to 5.8 only.",
    ({ slabNames }) => slabNames?.memcgChildCaches,
  ),
  single(
    "kmemAccounting.containers",
    { ...COUNT, noun: "containers" },
    "containers asked for kmem accounting",
    "Containers whose kernel memory accounting was looked at.",
    ({ kmemAccounting }) => kmemAccounting?.containers,
  ),
  single(
    "kmemAccounting.accounted",
    { ...COUNT, noun: "containers" },
    "containers with kmem accounting",
    "Of them those whose kernel memory is accounted to them.",
    ({ kmemAccounting }) => kmemAccounting?.accounted,
  ),
  single(
    "kmemAccounting.usageKib",
    IN_KIB,
    "kernel memory accounted to cgroups",
    "Kernel memory that is accounted to cgroups, all together.",
    ({ kmemAccounting }) => kmemAccounting?.usageKib,
  ),
  ...(
    [
      ["usageKib", "all memory"],
      ["kernelKib", "kernel memory"],
      ["anonKib", "anonymous memory"],
      ["fileKib", "page cache, shmem included"],
      ["shmemKib", "shmem"],
      ["slabKib", "slab"],
      ["slabUnreclaimableKib", "unreclaimable slab"],
      ["kernelStackKib", "kernel stacks"],
      ["pageTablesKib", "page tables"],
      ["percpuKib", "per-CPU memory"],
      ["vmallocKib", "vmalloc"],
      ["sockKib", "socket memory"],
    ] as const
  ).map(([field, words]) =>
    variable(
      `cgroupTrees.<path>.${field}`,
      IN_KIB,
      `${words} of cgroup <>`,
      `Charged to a cgroup and all below it: ${words}. Series of the root and ${TREE_DEPTH} levels below it.`,
      ({ cgroupTrees }) =>
        cgroupTrees
          ?.filter(({ path }) => depthOf(path) <= TREE_DEPTH)
          .map((tree) => [tree.path, tree[field]]),
    ),
  ),
  ...(["directories", "empty"] as const).map((field) =>
    variable(
      `cgroupDirectories.<hierarchy>.${field}`,
      { ...COUNT, noun: "cgroups" },
      `${field === "empty" ? "empty " : ""}cgroups of <>`,
      field === "empty"
        ? "Cgroups without processes and without children in one hierarchy."
        : "Directories of one cgroup hierarchy.",
      ({ cgroupDirectories }) => cgroupDirectories?.map((each) => [each.hierarchy, each[field]]),
    ),
  ),
  single(
    "creators.seen",
    { ...COUNT, noun: "cgroups", kind: "counter" },
    "new cgroups seen",
    "Cgroups that were seen to be new, of every kind.",
    ({ creators }) => creators?.seen,
  ),
  single(
    "creators.made",
    { ...COUNT, noun: "cgroups", kind: "counter" },
    "new cgroups made",
    "Cgroups that the kernel made meanwhile, also those that came and went unseen.",
    ({ creators }) => creators?.made,
  ),
  variable(
    `${CREATED_PREFIX}<creator>`,
    { ...COUNT, noun: "containers", kind: "counter" },
    "containers created by <>",
    "New leaf cgroups by who created them; those that came and went between two looks are missing.",
    ({ creators }) => creators?.creators.map(({ name, created }) => [name, created]),
  ),
  variable(
    "counts.<name>",
    { ...COUNT, noun: "times", kind: "counter" },
    "<>",
    "Counted by the collector, or told by the kubelet or the runtime, since boot.",
    ({ counts }) => entries(counts),
  ),
];

/** Longest name of a metric that is kept: a path and what stands around it. */
const LONGEST_NAME = 1100;

const patterns = SECTION_METRICS.map((metric) => {
  const [prefix = "", suffix] = metric.key.split(/<.*>/);
  return { metric, prefix, suffix };
});

/** The metric of a name and what stands in its angle brackets; undefined for a name that is none of these. */
export function findSectionMetric(name: string): { metric: SectionMetric; variable: string } | undefined {
  if (name.length > LONGEST_NAME || /[\u0000-\u001f\u007f]/.test(name) || !name.isWellFormed())
    return undefined;
  for (const { metric, prefix, suffix } of patterns) {
    if (suffix === undefined) {
      if (name === prefix) return { metric, variable: "" };
    } else if (
      name.length > prefix.length + suffix.length &&
      name.startsWith(prefix) &&
      name.endsWith(suffix)
    ) {
      return { metric, variable: name.slice(prefix.length, name.length - suffix.length) };
    }
  }
  return undefined;
}

/**
 * All numbers of a snapshot's sections by the name of their metric. What a section does not say is not there. A name that cannot
 * be read back (too long, control characters) is left out.
 */
export function readSectionCounters(snapshot: SnapshotInput): Map<string, number> {
  const counters = new Map<string, number>();
  for (const { metric, prefix, suffix } of patterns) {
    for (const [variablePart, value] of metric.read(snapshot)) {
      if (value === undefined) continue;
      const name = suffix === undefined ? prefix : `${prefix}${variablePart}${suffix}`;
      if (!counters.has(name) && findSectionMetric(name)?.metric === metric) counters.set(name, value);
    }
  }
  return counters;
}

function single(
  key: string,
  shape: Shape,
  label: string,
  description: string,
  read: (snapshot: SnapshotInput) => number | undefined,
): SectionMetric {
  return { kind: "gauge", ...shape, key, label, description, read: (snapshot) => [["", read(snapshot)]] };
}

function variable(
  key: string,
  shape: Shape,
  label: string,
  description: string,
  read: (snapshot: SnapshotInput) => ReturnType<Read> | undefined,
): SectionMetric {
  return { kind: "gauge", ...shape, key, label, description, read: (snapshot) => read(snapshot) ?? [] };
}

function entries<T>(record: Readonly<Record<string, T>> | undefined): [string, T][] | undefined {
  return record && Object.entries(record);
}

function sumByOrder(zones: NonNullable<SnapshotInput["buddyinfo"]>): [string, number][] {
  const sums: number[] = [];
  for (const { freeBlocks } of zones) {
    freeBlocks.forEach((blocks, order) => {
      sums[order] = (sums[order] ?? 0) + blocks;
    });
  }
  return sums.map((blocks, order) => [String(order), blocks]);
}

function depthOf(path: string): number {
  return path === "/" ? 0 : path.split("/").length - 1;
}
