import { KILLED_PROCESS } from "./oom-kill.ts";

/** How bad a message is for memory: `critical` when something was killed or refused for want of it. */
export type LogSeverity = "info" | "warning" | "critical";

/** What a message becomes on the time axis; the words are those of machine-made marks. */
export type LogMarkKind =
  "oom-kill" | "allocation-failure" | "limit-reached" | "eviction" | "memory-pressure" | "restart";

/** One kind of message of the kernel, the kubelet or a container runtime. */
export interface LogPattern {
  /** Names the pattern in counters and tags. */
  readonly id: string;
  /** In a few words; the kind of an artefact in pasted dumps. */
  readonly name: string;
  readonly severity: LogSeverity;
  readonly mark: LogMarkKind;
  /** Who prints it. Lines of the kernel are taken from the kernel's own log where that can be read. */
  readonly by: "kernel" | "service";
  /** A fixed piece of text, one of which stands in every such line whatever its prefix; letter case is ignored. */
  readonly hints: readonly string[];
  /** What tells the line; named groups are what is extracted. */
  readonly pattern: RegExp;
  /** Title of a mark. `{group}` stands for what the pattern extracted; a piece in brackets goes with its group. */
  readonly title: string;
  /** Groups that tell one event from another of the same pattern. */
  readonly subject?: readonly string[];
  /** What it means for who looks for a leak. */
  readonly meaning: string;
}

const MKDIR = "mkdir:? .{0,40}/sys/fs/cgroup/.{0,400}?";
const MKDIR_MEANING =
  "A cgroup could not be made. On most kernels this says that the 65,535 memory-cgroup ids are used up, not that RAM is: compare live and dying memory cgroups.";

/**
 * Single lines that say that something of the kernel's ran out. They prove a limit, not an amount. Most particular first; the
 * wording differs between kernels and runtimes, and the words chosen are common to all.
 */
export const LIMIT_PATTERNS: readonly LogPattern[] = [
  {
    id: "memcg-mkdir-enomem",
    name: "memory cgroup not made: ENOMEM",
    severity: "critical",
    mark: "limit-reached",
    by: "service",
    hints: ["cannot allocate memory"],
    pattern: new RegExp(`${MKDIR}cannot allocate memory`, "i"),
    title: "A cgroup could not be made: cannot allocate memory",
    meaning: MKDIR_MEANING,
  },
  {
    id: "memcg-mkdir-enospc",
    name: "memory cgroup not made: ENOSPC",
    severity: "critical",
    mark: "limit-reached",
    by: "service",
    hints: ["no space left on device"],
    pattern: new RegExp(`${MKDIR}no space left on device`, "i"),
    title: "A cgroup could not be made: no space left on device",
    meaning: MKDIR_MEANING,
  },
  {
    id: "memcg-mkdir-ebusy",
    name: "memory cgroup not made: EBUSY",
    severity: "critical",
    mark: "limit-reached",
    by: "service",
    hints: ["device or resource busy"],
    pattern: new RegExp(`${MKDIR}device or resource busy`, "i"),
    title: "A cgroup could not be made: device or resource busy",
    meaning: MKDIR_MEANING,
  },
  {
    id: "memcg-mkdir-eagain",
    name: "memory cgroup not made: EAGAIN",
    severity: "critical",
    mark: "limit-reached",
    by: "service",
    hints: ["resource temporarily unavailable"],
    pattern: new RegExp(`${MKDIR}resource temporarily unavailable`, "i"),
    title: "A cgroup could not be made: resource temporarily unavailable",
    meaning: "cgroup.max.descendants or cgroup.max.depth of cgroup v2 was reached.",
  },
  {
    id: "seccomp-524",
    name: "seccomp filter not loaded: errno 524",
    severity: "critical",
    mark: "limit-reached",
    by: "service",
    hints: ["errno 524"],
    pattern: /(?:seccomp|bpf).{0,200}errno 524/i,
    title: "A container could not load its seccomp filter: errno 524",
    meaning:
      "The memory for BPF programs (net.core.bpf_jit_limit) is used up: programs leak, or there are many.",
  },
  {
    id: "session-key-quota",
    name: "session key not made: quota",
    severity: "critical",
    mark: "limit-reached",
    by: "service",
    hints: ["disk quota exceeded"],
    pattern: /session key.{0,100}disk quota exceeded/i,
    title: "A container got no session key: quota exceeded",
    meaning: "The keys of a user are used up (kernel.keys.maxkeys): keyrings of containers stay behind.",
  },
  {
    id: "inotify-watches",
    name: "inotify watches exhausted",
    severity: "warning",
    mark: "limit-reached",
    by: "service",
    hints: ["inotify_add_watch"],
    pattern: /inotify_add_watch.{0,300}no space left on device/i,
    title: "inotify watches are used up",
    meaning:
      "fs.inotify.max_user_watches was reached; the disk is not full. Each watch holds an inode in memory.",
  },
  {
    id: "inotify-instances",
    name: "inotify instances exhausted",
    severity: "warning",
    mark: "limit-reached",
    by: "service",
    hints: ["inotify_init"],
    pattern: /inotify_init.{0,100}too many open files/i,
    title: "inotify instances are used up",
    meaning: "fs.inotify.max_user_instances was reached.",
  },
  {
    id: "slab-allocation",
    name: "slab allocation failed",
    severity: "critical",
    mark: "allocation-failure",
    by: "kernel",
    hints: ["SLUB: Unable to allocate memory"],
    pattern: /SLUB: Unable to allocate memory on (?<where>(?:node|CPU) -?\d+)?(?=node|CPU|,| |$)/,
    title: "The kernel could not allocate slab memory[ on {where}]",
    meaning:
      "A slab could not be had. On kernels 3.10 with kmem accounting, with free memory left, it is the limit of a memory cgroup that is at fault.",
  },
  {
    id: "vmalloc",
    name: "vmalloc failed",
    severity: "critical",
    mark: "allocation-failure",
    by: "kernel",
    hints: ["vmap allocation for size", "vmalloc error", "vmalloc: allocation failure"],
    pattern:
      /vmap allocation for size (?<vmap>\d+) failed|vmalloc error: size (?<size>\d+)|vmalloc: allocation failure/,
    title: "vmalloc failed[ for {size} bytes][ for {vmap} bytes]",
    meaning: "The address space or the memory of vmalloc ran out.",
  },
  {
    id: "percpu",
    name: "percpu allocation failed",
    severity: "critical",
    mark: "allocation-failure",
    by: "kernel",
    hints: ["percpu: allocation failed"],
    pattern: /percpu: allocation failed, size=(?<size>\d+)?/i,
    title: "The per-CPU allocator failed[ for {size} bytes]",
    meaning: "Per-CPU memory ran out; it grows with memory cgroups, live and dying.",
  },
  {
    id: "conntrack-full",
    name: "conntrack table full",
    severity: "warning",
    mark: "limit-reached",
    by: "kernel",
    hints: ["table full"],
    pattern: /nf_conntrack: (?:nf_conntrack: )?table full(?: in netns (?<netns>\d+))?, dropping packet/,
    title: "The conntrack table is full, packets are dropped[ (netns {netns})]",
    subject: ["netns"],
    meaning: "nf_conntrack_max of that network namespace was reached.",
  },
  {
    id: "tcp-memory",
    name: "TCP out of memory",
    severity: "critical",
    mark: "limit-reached",
    by: "kernel",
    hints: ["consider tuning tcp_mem"],
    pattern: /TCP: out of memory -- consider tuning tcp_mem/,
    title: "TCP is out of memory (tcp_mem)",
    meaning:
      "Sockets hold the pages that tcp_mem allows: data that nobody reads, or sockets that are not closed.",
  },
  {
    id: "neighbour-table",
    name: "neighbour table overflow",
    severity: "warning",
    mark: "limit-reached",
    by: "kernel",
    hints: ["table overflow"],
    pattern: /neighbou?r: (?<table>\w+): neighbor table overflow!|Neighbour table overflow/,
    title: "The neighbour table[ {table}] overflows",
    subject: ["table"],
    meaning: "gc_thresh3 was reached: many neighbours, or entries that are not let go.",
  },
  {
    id: "file-max",
    name: "file-max reached",
    severity: "critical",
    mark: "limit-reached",
    by: "kernel",
    hints: ["VFS: file-max limit"],
    pattern: /VFS: file-max limit (?<limit>\d+) reached/,
    title: "All {limit} open files of the node are in use",
    meaning: "fs.file-max was reached: file descriptors leak.",
  },
  {
    id: "audit-backlog",
    name: "audit backlog",
    severity: "warning",
    mark: "limit-reached",
    by: "kernel",
    hints: ["audit_backlog", "kauditd hold queue"],
    pattern: /audit_backlog=\d+ > audit_backlog_limit=|kauditd hold queue overflow/,
    title: "The audit backlog is full",
    meaning: "Audit records wait in kernel memory because nobody takes them.",
  },
  {
    id: "pids-rejected",
    name: "fork rejected by pids controller",
    severity: "warning",
    mark: "limit-reached",
    by: "kernel",
    hints: ["fork rejected by pids"],
    pattern: /cgroup: fork rejected by pids controller(?: in (?<cgroup>\S{1,300}))?/,
    title: "A cgroup reached its limit of tasks",
    subject: ["cgroup"],
    meaning: "Tasks leak in a pod, or its limit is too low.",
  },
  {
    id: "netdev-reference",
    name: "network device not released",
    severity: "warning",
    mark: "limit-reached",
    by: "kernel",
    hints: ["unregister_netdevice"],
    pattern: /unregister_netdevice: waiting for (?<device>\S{1,64}) to become free/,
    title: "The network device {device} is not let go",
    subject: ["device"],
    meaning:
      "Somebody holds on to a device that was removed: its network namespace stays, with all its memory.",
  },
  {
    id: "kmem-limit-written",
    name: "kmem limit written",
    severity: "info",
    mark: "limit-reached",
    by: "kernel",
    hints: ["kmem.limit_in_bytes"],
    pattern: /kmem\.limit_in_bytes is deprecated/,
    title: "Something still sets kmem limits of memory cgroups",
    meaning:
      "A runtime writes the kmem limit of cgroup v1, which turned on the accounting that leaked on 3.10.",
  },
  {
    id: "hung-task",
    name: "hung task",
    severity: "warning",
    mark: "limit-reached",
    by: "kernel",
    hints: ["blocked for more than"],
    pattern: /INFO: task (?<task>\S{1,80}) blocked for more than (?<seconds>\d+) seconds/,
    title: "The task {task} is stuck for over {seconds} s",
    subject: ["task"],
    meaning: "A task waits in the kernel; what it holds is not given back.",
  },
];

/** Lines of the out-of-memory killer, of failed allocations, and of the kubelet when it makes room. */
export const PRESSURE_PATTERNS: readonly LogPattern[] = [
  {
    id: "page-allocation",
    name: "page allocation failure",
    severity: "warning",
    mark: "allocation-failure",
    by: "kernel",
    hints: ["page allocation failure"],
    pattern: /(?:(?<task>\S{1,64}): )?page allocation failure(?:: |\. )order:(?<order>\d{1,2})/,
    title: "A page allocation of order {order} failed[ ({task})]",
    subject: ["order"],
    meaning: "From order 1 on, with memory free, it is fragmentation; order 0 is real shortage.",
  },
  {
    id: "oom-no-victim",
    name: "out of memory, nothing to kill",
    severity: "critical",
    mark: "oom-kill",
    by: "kernel",
    hints: ["no killable processes"],
    pattern: /Out of memory and no killable processes|Memory cgroup out of memory and no killable processes/,
    title: "Out of memory, and no process is left to kill",
    meaning: "The memory is not held by processes: it is the kernel's.",
  },
  {
    id: "oom-kill",
    name: "OOM kill",
    severity: "critical",
    mark: "oom-kill",
    by: "kernel",
    hints: ["Killed process"],
    pattern: KILLED_PROCESS,
    title: "The OOM killer ended {process}",
    subject: ["pid", "process"],
    meaning: "The kernel ended a process for want of memory.",
  },
  {
    id: "kubelet-eviction",
    name: "kubelet eviction",
    severity: "critical",
    mark: "eviction",
    by: "service",
    hints: ["eviction manager"],
    pattern:
      /eviction manager: attempting to reclaim(?:" resourceName="| )(?<resource>[\w.-]{1,60})|eviction manager: pods? .{1,400}? (?:is |are )?evicted to reclaim (?<reclaimed>[\w.-]{1,60})/i,
    title: "The kubelet makes room: evicts pods for want of [{resource}][{reclaimed}]",
    subject: ["resource", "reclaimed"],
    meaning: "The kubelet sees too little of a resource and evicts pods to get some back.",
  },
];

/** Every pattern, most particular first. */
export const LOG_PATTERNS: readonly LogPattern[] = [...PRESSURE_PATTERNS, ...LIMIT_PATTERNS];
