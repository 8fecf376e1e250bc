import type { Evidence } from "../signatures/evidence.ts";
import type { SignatureReading } from "../signatures/match-signatures.ts";
import type { Judgement } from "./judge.ts";

const SLAB_TABLE = "slabtop -o -s c, or /proc/slabinfo as root, to name the cache";
const CGROUPS =
  "the memory row of /proc/cgroups beside the number of directories (find /sys/fs/cgroup/memory -type d | wc -l); on v2 cgroup.stat";
const COUNTS = ["cgroup.memory.dying"] as const;

/**
 * What names the holder, by how a suspect's name begins. The first that fits counts. `told`: the quantities that the artefact
 * tells; where all are known it is not asked for again.
 */
const BY_SUSPECT: readonly (readonly [start: string, ask: string, told?: readonly string[]])[] = [
  [
    "used memory",
    "/proc/meminfo, whole, twice some hours apart: AnonPages against SUnreclaim, Percpu and what is in no class",
  ],
  [
    "slab-unreclaimable:task_struct",
    "the number of live tasks and of zombies (ps -eL | wc -l; ps -eo stat | grep -c ^Z)",
    ["tasks.threads", "tasks.zombies"],
  ],
  [
    "slab-unreclaimable:",
    "the same /proc/slabinfo some hours later, to see whether it grows; ls -l /sys/kernel/slab names what SLUB counts together",
  ],
  ["slab-unreclaimable", SLAB_TABLE],
  ["slab (", SLAB_TABLE],
  [
    "memory cgroups never removed",
    "the directories under /sys/fs/cgroup/memory counted by parent, and whether their cgroup.procs are empty",
  ],
  ["live memory cgroups", CGROUPS, COUNTS],
  ["cgroup ids", CGROUPS, COUNTS],
  ["dying-memcgs", CGROUPS, COUNTS],
  ["kernel-memory accounting", CGROUPS, COUNTS],
  ["percpu", CGROUPS, COUNTS],
  [
    "orphaned anonymous",
    "a later page-types summary (anonymous pages without the mmap flag), to see them grow",
  ],
  ["kernel-dynamic noncache", "/proc/meminfo (SUnreclaim, Percpu, HugePages_*)"],
  ["hugetlb reservation", "the rest of /proc/meminfo (HugePages_*, Hugetlb)"],
  ["zfs-arc/spl", "/proc/spl/kstat/zfs/arcstats (size against c_max)", ["zfs.arc.kib", "zfs.arc.max.kib"]],
  ["bpf-jit", "the bpf_jit areas of /proc/vmallocinfo summed, against net.core.bpf_jit_limit"],
  ["vmalloc", "/proc/vmallocinfo as root, summed by caller"],
  [
    "tmpfs inodes exhausted",
    "the directory that holds them: find MOUNT -xdev -printf '%h\\n' | sort | uniq -c | sort -rn | head",
  ],
  ["tmpfs full", "the files that fill it: du -xak MOUNT | sort -n | tail; ls -l /proc/*/fd | grep deleted"],
  [
    "tmpfs/shmem",
    "df -k of the tmpfs mounts together with ipcs -m",
    ["tmpfs.used.kib", "sysvshm.orphan.kib"],
  ],
  ["counter bug", "the full /proc/meminfo, with MemFree, Cached and AnonPages, and the kernel's release"],
  ["TCP", "ss -tm, to see whose queues are full"],
  ["conntrack", "nf_conntrack_count against nf_conntrack_max", ["conntrack.count", "conntrack.max"]],
  ["network namespaces", "grep net_namespace /proc/slabinfo; ls /run/netns; the number of pods"],
  [
    "half-empty slabs",
    "/proc/slabinfo (active against total objects), and SUnreclaim again some hours later",
  ],
  ["kernel stacks", "the threads of each process (grep -H ^Threads /proc/[0-9]*/status)"],
  [
    "kernel memory of the cgroup",
    "the cgroup's memory.kmem.slabinfo as root (v1), or its whole memory.stat (v2)",
  ],
  ["page tables", "VmPTE of the largest processes (grep -H VmPTE /proc/[0-9]*/status)"],
];

const REST_OF_MEMINFO = [
  "AnonPages",
  "Slab",
  "SUnreclaim",
  "VmallocUsed",
  "Percpu",
  "HugePages_Total",
] as const;

/**
 * The artefact that would say most about what is not known yet; `undefined` where the reading leaves no question. "We do
 * not know; collect this next" is an answer.
 */
export function askNext(
  { verdict, suspects }: Judgement,
  { findings }: SignatureReading,
  { levels, changes }: Evidence,
  isEmpty: boolean,
): string | undefined {
  if (isEmpty)
    return "cat /proc/meminfo; as root also /proc/slabinfo. Tools that redraw the screen print once with an option (slabtop -o)";
  if (verdict === "not-a-leak") return undefined;
  const first = suspects.find(({ weight }) => weight !== "benign");
  if (first === undefined)
    return levels["meminfo.MemTotal"] === undefined || levels["band.unacc"] === undefined
      ? "/proc/meminfo, whole"
      : "the same again some hours later";
  const doubted = suspects.filter(({ weight }) => weight !== "benign");
  for (const { name } of doubted) {
    if (name === "unaccounted") return askForRest(levels, changes["band.unacc"] === undefined);
    const [, ask, told = []] = BY_SUSPECT.find(([start]) => name.startsWith(start)) ?? [];
    if (ask === undefined) continue;
    if (told.length === 0 || told.some((each) => levels[each] === undefined))
      return ask.replace("MOUNT", name.split(": ")[1] ?? "MOUNT");
  }
  const again = "the same again some hours later, to see what grows";
  return verdict === "leak" ? (findings[0]?.confirm.command ?? again) : again;
}

function askForRest(levels: Evidence["levels"], once: boolean): string {
  const missing = REST_OF_MEMINFO.filter((key) => levels[`meminfo.${key}`] === undefined);
  if (levels["oom.reported"] === 1) return "/proc/meminfo soon after boot and again some hours later";
  if (missing.length > 1) return `the rest of /proc/meminfo (${missing.join(", ")})`;
  const isVmallocKnown = Object.keys(levels).some((name) => /^vmalloc\..+\.usedKib$/.test(name));
  const sources = [
    ...(levels["band.pcp"] === undefined ? ["/proc/zoneinfo"] : []),
    ...(levels["sockstat.tcp.kib"] === undefined ? ["/proc/net/sockstat"] : []),
    ...(levels["pins.pages"] === undefined ? ["nr_foll_pin_* of /proc/vmstat"] : []),
    "the list of modules",
    ...(isVmallocKnown ? [] : ["as root /proc/vmallocinfo"]),
    "the kernel memory of the largest cgroups (memory.kmem.usage_in_bytes, on v2 kernel of memory.stat), which counts pipes and sockets",
    "on a virtual machine its balloon (vmware-toolbox-cmd stat balloon)",
  ].join("; ");
  return once ? `${sources}; and /proc/meminfo again some hours later` : sources;
}
