import type { MetricUnit } from "../memory/metric-unit.ts";
import { parseMetric } from "../memory/metrics.ts";

/** Below this a rise is one of minutes: a program that starts, or a leak, nobody knows. */
export const MOMENT_HOURS = 0.25;

/** How one quantity went over the time that was looked at, within one boot. */
export interface Change {
  readonly first: number;
  readonly last: number;
  readonly max: number;
  readonly samples: number;
  /** From the first to the last sample; absent where the samples carry no time. */
  readonly hours?: number | undefined;
  /** Lower end of the 95 % interval of the slope, per hour; absent where too few samples carry an interval. */
  readonly lowerPerHour?: number | undefined;
  readonly slopePerHour?: number | undefined;
  /**
   * Whether it rises all along: false of a step, of growth that levels off, and of what may be part of a day's rhythm. Absent
   * where nothing was said of it.
   */
  readonly persistent?: boolean | undefined;
}

/** Something a person or the node did, and what it did to quantities. */
export interface Intervention {
  /** `drop-caches-1`, `-2`, `-3`, `files-removed`, `job-stopped`, `runtime-restarted`, `process-restarted`, `reboot`. */
  readonly kind: string;
  /** Part of the level that was given back, 0 to 1, by quantity. */
  readonly freedShare?: Readonly<Record<string, number>>;
  /** What became of the growth, by quantity: the words of an event study. */
  readonly slope?: Readonly<Record<string, "stopped" | "slowed" | "unchanged" | "faster">>;
}

/**
 * All that is known of one machine, as plain records: a pasted dump, a reading of this machine or a node's stored history
 * fill the same. Whatever is not there is not known; nothing is ever taken to be zero or false.
 *
 * Quantities are named as metrics are (`meminfo.SUnreclaim`, `band.unacc`, `slab.dentry.bytes`, `cgroup.memory.dying`);
 * what no metric holds yet has the names of {@link QUANTITY_LABELS}, `vmalloc.<caller>.usedKib`, or `kmalloc.<bytes>.bytes`
 * for all unreclaimable kmalloc caches of one size.
 */
export interface Evidence {
  /** The newest value of each quantity. */
  readonly levels: Readonly<Record<string, number>>;
  readonly changes: Readonly<Record<string, Change>>;
  /** Spearman's coefficient of the changes of two quantities, under `a ~ b`, both orders looked up. */
  readonly correlations?: Readonly<Record<string, number>>;
  /** How often each kind of message was logged; kinds as dumps/message-dump.ts names them. */
  readonly messages?: Readonly<Record<string, number>>;
  /** When each kind was last logged, epoch ms, where that is known. */
  readonly lastLoggedMs?: Readonly<Record<string, number>>;
  readonly kernelRelease?: string | undefined;
  /** Names of slab caches that SLUB merged, one list for each cache: /proc/slabinfo counts them under one of the names. */
  readonly mergedCaches?: readonly (readonly string[])[];
  /** `x86_64`, `aarch64`. */
  readonly architecture?: string | undefined;
  /** Of components: `crio`, `podman`, `containerd`, `runc`, `systemd`, ... */
  readonly versions?: Readonly<Record<string, string>>;
  /** Out-of-tree or proprietary kernel modules that are loaded. */
  readonly foreignModules?: readonly string[];
  readonly interventions?: readonly Intervention[];
  /** Whether this is the reading of a whole machine; a pod's memory.stat is not. */
  readonly scope?: "machine" | "cgroup";
}

/** Quantities that no metric of the store holds, and what they are called. Units are told by the ending. */
export const QUANTITY_LABELS: Readonly<Record<string, string>> = {
  "audit.backlog": "audit messages waiting",
  "audit.backlog.limit": "limit of waiting audit messages",
  "balloon.kib": "memory taken by the balloon driver",
  "bpf.jit.kib": "memory of compiled BPF programs",
  "bpf.jit.limit.kib": "limit of compiled BPF programs",
  "bpf.memlock.kib": "memory of BPF maps",
  "cgroup.kernel.residual.kib":
    "kernel memory of one cgroup that is no slab, stack, page table, percpu or socket",
  "cgroup.memory.empty": "memory cgroups with a directory and no process",
  "cgroup.memory.kmem.kib": "kernel memory charged to a container's cgroup",
  "cgroup.memory.selfMade": "memory cgroups made by the commands in the text",
  "conntrack.count": "connections tracked",
  "conntrack.max": "limit of connections tracked",
  cpus: "possible CPUs",
  "fs.dentryState.nr_dentry": "dentries",
  "fs.dentryState.nr_negative": "negative dentries",
  "fs.fileNr.allocated": "open files",
  "fs.fileNr.max": "limit of open files",
  "fs.inodeNr.nr_inodes": "inodes",
  "images.count": "container images",
  "inotify.watches": "inotify watches",
  "inotify.watches.max": "limit of inotify watches of a user",
  "keys.quota.max": "limit of keys of a user",
  "keys.quota.used": "keys of that user",
  "keyUsers.nkeys": "keys",
  "loop.devices": "loop devices",
  "loop.expected": "loop devices in use by volumes and snaps",
  "lru.orphan.kib": "pages on the anonymous lists that no process maps and that are no shared memory",
  "mounts.total": "mounts",
  "mounts.expected": "mounts that the running pods explain",
  "mounts.nfs.count": "NFS mounts",
  "mounts.tmpfs.count": "tmpfs mounts",
  "neighbours.count": "neighbour entries",
  "neighbours.max": "limit of neighbour entries",
  "net.rx.bytes": "bytes received",
  "percpu.perCgroup.kib": "percpu memory for each memory cgroup",
  "pins.kib": "memory pinned and not released",
  "pins.pages": "pages pinned and not released",
  "process.ptes.kib": "page tables of the largest processes",
  "process.fuse.kib": "memory of FUSE daemons",
  "process.threads.topShare": "part of the new threads that one process holds",
  "processes.shims": "container shims",
  "sandboxes.count": "pods with a sandbox",
  "shmem.outside.kib": "shared memory outside of tmpfs mounts and SysV segments",
  "slab.unused.kib": "unused objects in slabs that are kept",
  "sockets.count": "sockets",
  "sockstat.tcp.kib": "memory of TCP buffers",
  "sockstat.tcp.limit.kib": "pressure limit of TCP buffers",
  "swiotlb.total": "bounce-buffer slots",
  "swiotlb.used": "bounce-buffer slots in use",
  "sysvshm.orphan.kib": "shared-memory segments without a process",
  "tasks.threads": "threads",
  "tasks.zombies": "zombies",
  "tmpfs.used.kib": "what files on tmpfs hold",
  "vmallocinfo.percpu.kib": "address space of the percpu allocator",
  "zfs.arc.kib": "ZFS ARC",
  "zfs.arc.max.kib": "limit of the ZFS ARC",
  "zfs.slab.kib": "slab caches of ZFS",
  "zfs.spl.kib": "caches of the SPL allocator",
  "zpool.kib": "compressed memory",
};

/** `share` is a part of 1. */
export type QuantityUnit = MetricUnit | "share";

/** The unit of a quantity, from its name. */
export function quantityUnit(name: string): QuantityUnit {
  if (name.endsWith(".kib")) return "KiB";
  const metric = parseMetric(name);
  if (metric !== undefined) return metric.unit;
  if (name.endsWith(".bytes")) return "bytes";
  if (name.endsWith("Share")) return "share";
  return name.endsWith(".pages") ? "pages" : "count";
}

/** What a quantity is called in a sentence. */
export function quantityLabel(name: string): string {
  const caller = /^vmalloc\.(.+)\.usedKib$/.exec(name)?.[1];
  if (caller !== undefined) return `vmalloc of ${caller}`;
  const size = /^kmalloc\.(\d+)\.bytes$/.exec(name)?.[1];
  if (size !== undefined) return `kmalloc caches of ${kmallocSize(Number(size))}`;
  return QUANTITY_LABELS[name] ?? parseMetric(name)?.label ?? name;
}

function kmallocSize(bytes: number): string {
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

/** A value in KiB where the quantity is memory, else as it is. */
export function inKib(name: string, value: number): number {
  return quantityUnit(name) === "bytes" ? value / 1024 : value;
}

/** Whether a quantity is an amount of memory. `net.rx.bytes` is traffic. */
export function isMemory(name: string): boolean {
  const unit = quantityUnit(name);
  return (unit === "KiB" || unit === "bytes") && !name.startsWith("net.");
}

/** The coefficient of two quantities in either order. */
export function correlationOf(evidence: Evidence, a: string, b: string): number | undefined {
  return evidence.correlations?.[`${a} ~ ${b}`] ?? evidence.correlations?.[`${b} ~ ${a}`];
}

/** Kernel release as numbers: `5.10.0-21-amd64` is [5, 10, 0]. */
export function kernelNumbers(release: string | undefined): readonly [number, number, number] | undefined {
  const match = /^(\d{1,3})\.(\d{1,4})(?:\.(\d{1,5}))?/.exec(release ?? "");
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Which version comes first, of any length: "1.9" before "1.13.2". `undefined` when either has no number. */
export function compareVersions(a: string, b: string): number | undefined {
  const numbers = (text: string) => text.match(/\d{1,9}/g)?.map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  if (left === undefined || right === undefined) return undefined;
  for (let place = 0; place < Math.min(left.length, right.length, 3); place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
