import type { SourceStatus } from "./schema.ts";

/** What a reader needs to know of a source that is not read. */
export interface SourceAdvice {
  /** What is not seen without it. */
  readonly shows: string;
  /** Why it is not read, as far as the status tells. */
  readonly why: string;
  /** What to do about it; undefined where there is nothing to do. */
  readonly allow: string | undefined;
}

interface Known {
  readonly name: RegExp;
  readonly shows: string;
  readonly allow: Partial<Record<Exclude<SourceStatus, "ok">, string>>;
}

const AS_ROOT =
  "Run the collector as uid 0; no capability replaces that, and none is needed: systemd User=root with an empty CapabilityBoundingSet, in a pod runAsUser: 0.";
const WHOLE_PROC =
  "If the kernel has it, the collector does not see the whole of /proc: leave ProcSubset=pid and ProtectKernelTunables out of the systemd unit, in a pod mount the node's /proc and name it with --proc.";
const WHOLE_SYS =
  "In a pod mount the node's /sys and name it with --sys: a cgroup namespace hides all but the pod's own subtree.";
const NODE_COLLECTOR = "The shell collector does not read it: use the collector for Node.js.";
const REACH =
  "The collector must be able to search every folder on the way: run it as uid 0, leave PrivateTmp and ProtectHome out of the unit, in a pod mount the node's /run with mountPropagation: HostToContainer.";

/** By name as the collectors give it; the first that fits counts. */
const KNOWN: readonly Known[] = [
  {
    name: /^slabinfo$/,
    shows: "slab caches: which of them holds and gains kernel memory",
    allow: { denied: AS_ROOT, absent: WHOLE_PROC },
  },
  {
    name: /^vmallocinfo$/,
    shows: "vmalloc areas by caller, and whether kernel stacks lie among them",
    allow: { denied: AS_ROOT, absent: WHOLE_PROC },
  },
  {
    name: /^allocinfo$/,
    shows: "memory by the line of kernel code that asked for it",
    allow: {
      denied: AS_ROOT,
      absent:
        "Needs a kernel from 6.10 on that is built with memory allocation profiling, and sysctl vm.mem_profiling=1.",
    },
  },
  {
    name: /^zoneinfo$/,
    shows: "free pages in per-CPU lists, which are then counted as unaccounted",
    allow: { absent: WHOLE_PROC },
  },
  {
    name: /^(?:meminfo|vmstat|stat|uptime|cgroups|buddyinfo)$/,
    shows: "what every view of the node rests on",
    allow: { absent: WHOLE_PROC, denied: WHOLE_PROC },
  },
  {
    name: /^cgroup\.stat$/,
    shows: "live and dying memory cgroups on cgroup v2",
    allow: { absent: WHOLE_SYS, denied: WHOLE_SYS },
  },
  {
    name: /^(?:cgroup-walk|kmem-?accounting)$/i,
    shows: "live and dying memory cgroups, containers alive, and the largest trees",
    allow: { absent: WHOLE_SYS, denied: WHOLE_SYS },
  },
  {
    name: /^cgroup-?(?:trees|directories)$/i,
    shows: "the largest trees of memory cgroups, and directories of cgroups that hold nothing",
    allow: { absent: `${WHOLE_SYS} ${NODE_COLLECTOR}`, denied: WHOLE_SYS },
  },
  {
    name: /^cgroups-created$/,
    shows: "how many containers were ever started, and so what each leaves behind",
    allow: {
      absent:
        "Kernels before about 4.14 give inode numbers out again, so that nothing can be counted this way. The sh collector does not count them either.",
    },
  },
  {
    name: /^tmpfs$/,
    shows: "memory and inodes of tmpfs mounts",
    allow: { denied: REACH, absent: REACH },
  },
  {
    name: /^watch:/,
    shows: "the number of files in the directory",
    allow: {
      denied: REACH,
      absent:
        "The directory is not there: nothing is lost unless the runtime keeps its files elsewhere. Name that place with --watch.",
    },
  },
  {
    name: /^kmsg$/,
    shows: "OOM kills, failed allocations and limits that were reached, as the kernel said them",
    allow: {
      denied:
        "Run the collector as root, or set sysctl kernel.dmesg_restrict=0. In systemd leave PrivateDevices and ProtectKernelLogs out; in a pod the device needs privileged: true, so let it read the journal instead.",
      absent: `Where --root names the node's root, its /dev must be mounted too. ${NODE_COLLECTOR}`,
    },
  },
  {
    name: /^journal$/,
    shows: "what kubelet and the container runtimes logged",
    allow: {
      denied: "Put the collector's user into the group systemd-journal.",
      absent: `journalctl must be installed beside the collector; in a pod name log files with --log instead. ${NODE_COLLECTOR}`,
    },
  },
  {
    name: /^logs$/,
    shows: "what kubelet and the container runtimes logged into files",
    allow: { absent: NODE_COLLECTOR },
  },
  {
    name: /^log:/,
    shows: "what that log file says",
    allow: {
      denied: "Give the collector's user permission to read the file; as uid 0 it has it.",
      absent: "The file is not there. Name the node's own with --log.",
    },
  },
  {
    name: /^net-?ns$|^nets?$|^namespaces$/i,
    shows: "network namespaces that somebody keeps",
    allow: {
      denied:
        "Needs CAP_SYS_PTRACE: AmbientCapabilities=CAP_SYS_PTRACE, in a pod capabilities add SYS_PTRACE.",
      absent: NODE_COLLECTOR,
    },
  },
  {
    name: /^modules$/,
    shows: "which kernel modules are loaded, and so whether one of another maker is among them",
    allow: {
      absent: `A kernel without loadable modules has no such list: then nothing is lost. ${WHOLE_PROC}`,
    },
  },
  {
    name: /^arcstats$/,
    shows: "memory that the cache of ZFS holds",
    allow: { absent: "The node has no ZFS loaded: nothing is lost." },
  },
  {
    name: /^(?:nf_)?conntrack/,
    shows: "tracked connections against their limit",
    allow: { absent: "The node tracks no connections, or a pod without hostNetwork: true looks at its own." },
  },
];

const GENERAL: Readonly<Record<Exclude<SourceStatus, "ok">, string>> = {
  absent: "not there: this kernel does not offer it, or the collector looks in another place",
  denied: "there, but the collector may not read it",
  malformed: "there, but not as the collector knows it",
  truncated: "longer than the collector reads",
};

/** Who tells of a node: a collector of Plumbline on it, or Prometheus. */
export type Teller = "collector" | "prometheus";

/** How to let node_exporter tell of slab caches, of which it is silent unasked. */
export const SLAB_BY_PROMETHEUS =
  "Start node_exporter as root with --collector.slabinfo, and let Prometheus pass on node_slabinfo_*.";
/** Why there is no count of files in directories where no collector runs. */
export const WATCH_BY_PROMETHEUS =
  "None: node_exporter does not count the files of directories, a collector on the node does.";
const OWN_COLLECTOR = "node_exporter does not export it; a collector of Plumbline on the node reads it.";

/** What a source that is not read hides, why, and how to allow it. `undefined` for one that is. */
export function adviseOnSource(
  name: string,
  status: SourceStatus,
  teller: Teller = "collector",
): SourceAdvice | undefined {
  if (status === "ok") return undefined;
  const known = KNOWN.find((each) => each.name.test(name));
  const shows = known?.shows ?? "what this source alone tells";
  if (teller === "prometheus") {
    return {
      shows,
      why: "not among the series that came by Prometheus",
      allow: name === "slabinfo" ? SLAB_BY_PROMETHEUS : OWN_COLLECTOR,
    };
  }
  return {
    shows,
    why: GENERAL[status],
    allow:
      known?.allow[status] ??
      (status === "denied"
        ? AS_ROOT
        : status === "malformed"
          ? "Keep a copy of the file: a collector of the server's version may read it, else it is worth a bug report."
          : undefined),
  };
}
