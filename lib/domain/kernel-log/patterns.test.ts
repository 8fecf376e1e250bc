import { describe, expect, it } from "vitest";
import { isOfProgram, stripPrefixes } from "./line-prefix.ts";
import { isWorthReading } from "./log-reader.ts";
import { LOG_PATTERNS } from "./patterns.ts";
import { recogniseMessage } from "./recognise-message.ts";

/** Formats of the kernel's sources 3.10 to 7.3, of kubelet 1.6 to 1.31 and of runc, with values as they occur. */
const LINES: readonly (readonly [line: string, id: string, title: string])[] = [
  // 3.10 (EL7), 4.9, 6.12 wording of the same failure.
  [
    "SLUB: Unable to allocate memory on node -1 (gfp=0xd0)",
    "slab-allocation",
    "The kernel could not allocate slab memory on node -1",
  ],
  [
    "SLUB: Unable to allocate memory on node -1, gfp=0x14000c0(GFP_KERNEL)",
    "slab-allocation",
    "The kernel could not allocate slab memory on node -1",
  ],
  [
    "SLUB: Unable to allocate memory on CPU 1 (of node 0) on node -1, gfp=0xcc0(GFP_KERNEL)",
    "slab-allocation",
    "The kernel could not allocate slab memory on CPU 1",
  ],
  [
    "kworker/1:2: page allocation failure: order:4, mode:0x40dc0(GFP_KERNEL|__GFP_COMP|__GFP_ZERO), nodemask=(null)",
    "page-allocation",
    "A page allocation of order 4 failed (kworker/1:2)",
  ],
  [
    "swapper: page allocation failure. order:0, mode:0x20",
    "page-allocation",
    "A page allocation of order 0 failed (swapper)",
  ],
  [
    "Out of memory and no killable processes...",
    "oom-no-victim",
    "Out of memory, and no process is left to kill",
  ],
  [
    "Out of memory: Killed process 4021 (java) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:13500kB oom_score_adj:0",
    "oom-kill",
    "The OOM killer ended java",
  ],
  [
    "Killed process 1234 (python (main)) total-vm:2623712kB, anon-rss:506500kB, file-rss:1268kB, shmem-rss:0kB",
    "oom-kill",
    "The OOM killer ended python (main)",
  ],
  [
    "Killed process 1234 (java), UID 1000, total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB, shmem-rss:0kB",
    "oom-kill",
    "The OOM killer ended java",
  ],
  [
    "vmap allocation for size 2400256 failed: use vmalloc=<size> to increase size",
    "vmalloc",
    "vmalloc failed for 2400256 bytes",
  ],
  [
    "modprobe: vmalloc error: size 1189956, vm_struct allocation failed, mode:0xcc0(GFP_KERNEL), nodemask=(null)",
    "vmalloc",
    "vmalloc failed for 1189956 bytes",
  ],
  [
    "percpu: allocation failed, size=8 align=8 atomic=0, alloc from reserved chunk failed",
    "percpu",
    "The per-CPU allocator failed for 8 bytes",
  ],
  [
    "PERCPU: allocation failed, size=256 align=256, failed to allocate new chunk",
    "percpu",
    "The per-CPU allocator failed for 256 bytes",
  ],
  [
    "nf_conntrack: table full, dropping packet",
    "conntrack-full",
    "The conntrack table is full, packets are dropped",
  ],
  [
    "nf_conntrack: nf_conntrack: table full, dropping packet",
    "conntrack-full",
    "The conntrack table is full, packets are dropped",
  ],
  [
    "nf_conntrack: table full in netns 4026532513, dropping packet",
    "conntrack-full",
    "The conntrack table is full, packets are dropped (netns 4026532513)",
  ],
  ["TCP: out of memory -- consider tuning tcp_mem", "tcp-memory", "TCP is out of memory (tcp_mem)"],
  [
    "neighbour: arp_cache: neighbor table overflow!",
    "neighbour-table",
    "The neighbour table arp_cache overflows",
  ],
  ["Neighbour table overflow.", "neighbour-table", "The neighbour table overflows"],
  ["VFS: file-max limit 65536 reached", "file-max", "All 65536 open files of the node are in use"],
  ["audit: audit_backlog=65 > audit_backlog_limit=64", "audit-backlog", "The audit backlog is full"],
  ["audit: kauditd hold queue overflow", "audit-backlog", "The audit backlog is full"],
  [
    "cgroup: fork rejected by pids controller in /kubepods.slice/kubepods-pod1.slice",
    "pids-rejected",
    "A cgroup reached its limit of tasks",
  ],
  [
    "unregister_netdevice: waiting for veth9a1b2c3 to become free. Usage count = 1",
    "netdev-reference",
    "The network device veth9a1b2c3 is not let go",
  ],
  [
    "kmem.limit_in_bytes is deprecated and will be removed. Please report your usecase to linux-mm@kvack.org if you depend on this functionality.",
    "kmem-limit-written",
    "Something still sets kmem limits of memory cgroups",
  ],
  [
    "INFO: task kworker/u8:2:1234 blocked for more than 120 seconds.",
    "hung-task",
    "The task kworker/u8:2:1234 is stuck for over 120 s",
  ],
  [
    "mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod1f/5e: cannot allocate memory",
    "memcg-mkdir-enomem",
    "A cgroup could not be made: cannot allocate memory",
  ],
  [
    "mkdir /sys/fs/cgroup/memory/docker/8d5: no space left on device",
    "memcg-mkdir-enospc",
    "A cgroup could not be made: no space left on device",
  ],
  [
    "mkdir /sys/fs/cgroup/kubepods.slice/x: device or resource busy",
    "memcg-mkdir-ebusy",
    "A cgroup could not be made: device or resource busy",
  ],
  [
    "mkdir /sys/fs/cgroup/kubepods.slice/x: resource temporarily unavailable",
    "memcg-mkdir-eagain",
    "A cgroup could not be made: resource temporarily unavailable",
  ],
  [
    "runc create failed: unable to start container process: error loading seccomp filter into kernel: error loading seccomp filter: errno 524",
    "seccomp-524",
    "A container could not load its seccomp filter: errno 524",
  ],
  [
    "unable to join session keyring: unable to create session key: disk quota exceeded",
    "session-key-quota",
    "A container got no session key: quota exceeded",
  ],
  [
    'inotify_add_watch "/sys/fs/cgroup/memory/x": no space left on device',
    "inotify-watches",
    "inotify watches are used up",
  ],
  ["inotify_init: too many open files", "inotify-instances", "inotify instances are used up"],
  [
    "eviction manager: attempting to reclaim memory",
    "kubelet-eviction",
    "The kubelet makes room: evicts pods for want of memory",
  ],
  [
    '"Eviction manager: attempting to reclaim" resourceName="memory"',
    "kubelet-eviction",
    "The kubelet makes room: evicts pods for want of memory",
  ],
];

describe("recogniseMessage", () => {
  it.each(LINES)("reads %j", (line, id, title) => {
    expect(recogniseMessage(line)).toMatchObject({ pattern: { id }, title });
    expect(isWorthReading(line)).toBe(true);
  });

  it("has an example for every pattern of the table, and one id for each", () => {
    const shown = new Set(LINES.map(([, id]) => id));
    expect(LOG_PATTERNS.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
    expect(new Set(LOG_PATTERNS.map(({ id }) => id)).size).toBe(LOG_PATTERNS.length);
  });

  const PREFIXES = [
    "Nov 30 11:15:48 node-1 kernel: ",
    "Nov 30 11:15:48 node-1 kernel: [ 5140.900123] ",
    "Nov  3 01:15:48 node-1 kubelet[2211]: E1103 01:15:48.123456    2211 kuberuntime_manager.go:815] ",
    "2026-11-30T11:15:48.123456+01:00 node-1 kernel: ",
    "[Mon Nov 30 11:15:48 2026] ",
    "[    5.140900] ",
    "<4>[ 5140.900123] ",
    "4,1234,5140900123,-;",
    "4,1234,5140900123,-,caller=T2211;",
  ] as const;
  it.each(PREFIXES)("finds every one of them behind %j", (prefix) => {
    for (const [line, id, title] of LINES) {
      expect(recogniseMessage(stripPrefixes(`${prefix}${line}`).text)).toMatchObject({
        pattern: { id },
        title,
      });
    }
  });

  it.each([
    "vm myapp[77]: ",
    "Nov 30 11:15:48 vm myapp[77]: ",
    "Nov 30 11:15:48 vm myapp: ",
    "<12>Nov 30 11:15:48 vm (sd-pam)[12]: kernel: ",
    "2026-11-30T11:15:48.123456+01:00 vm postfix/smtpd[33]: ",
    "2026-11-30 11:15:48 vm user.notice myapp: ",
    "<12>1 2026-11-30T11:15:48Z vm myapp 77 - - ",
  ])("knows that %j is of a program", (prefix) => {
    expect(isOfProgram(`${prefix}Out of memory: Killed process 1118 (q) total-vm:1kB`)).toBe(true);
  });

  it.each([
    "",
    "<4>1 2026-11-30T11:15:48Z vm kernel - - - ",
    "Nov 30 11:15:48 vm kern.warn kernel: ",
    "2026-11-30T11:15:48,123456+01:00 ",
    ...PREFIXES.filter((prefix) => !prefix.includes("kubelet")),
  ])("takes no line behind %j for one of a program", (prefix) => {
    for (const [line] of LINES) {
      if (recogniseMessage(line)?.pattern.by === "kernel")
        expect(isOfProgram(`${prefix}${line}`)).toBe(false);
    }
  });

  it.each([
    "",
    "device eth0 entered promiscuous mode",
    "mkdir /var/lib/data: no space left on device",
    "EXT4-fs (sda1): mounted filesystem with ordered data mode",
    "conntrack: generic helper won't handle protocol 47",
    "x".repeat(100_000),
  ])("takes %.40j for none of them", (line) => {
    expect(recogniseMessage(line)).toBeUndefined();
  });
});
