import type { Change, Evidence } from "../../lib/domain/signatures/evidence.ts";

/** A straight rise over three days with a tight interval. */
export function rising(first: number, last: number, hours = 72): Change {
  const slopePerHour = (last - first) / hours;
  return { first, last, max: last, samples: 288, hours, slopePerHour, lowerPerHour: 0.9 * slopePerHour };
}

/** Three days without a trend. */
export function level(value: number): Change {
  return {
    first: value,
    last: value,
    max: value * 1.02,
    samples: 288,
    hours: 72,
    slopePerHour: 0,
    lowerPerHour: -1,
  };
}

interface Parts extends Omit<Partial<Evidence>, "levels" | "changes"> {
  readonly levels?: Evidence["levels"];
  readonly changes?: Evidence["changes"];
}

/** Evidence of a machine with 64 GiB; the last value of each change is its level. */
export function evidenceOf({ levels = {}, changes = {}, ...rest }: Parts): Evidence {
  const last = Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change.last]));
  return { levels: { "meminfo.MemTotal": 64 * GIB, cpus: 16, ...last, ...levels }, changes, ...rest };
}

const MIB = 1024;
const GIB = 1024 * MIB;
const BYTES = 1024;

interface Example {
  readonly matches: Evidence;
  /** Something close that must not match, and why. */
  readonly nearMiss: Evidence;
  readonly why: string;
}

const grownSlab = (cache: string, fromKib: number, toKib: number): Record<string, Change> => ({
  [`slab.${cache}.bytes`]: rising(fromKib * BYTES, toKib * BYTES),
});
const steadySlab = (cache: string, kib: number): Record<string, Change> => ({
  [`slab.${cache}.bytes`]: level(kib * BYTES),
});
const cacheOf = (cache: string) => ({
  matches: evidenceOf({ changes: grownSlab(cache, 100 * MIB, 2 * GIB) }),
  nearMiss: evidenceOf({ changes: steadySlab(cache, 2 * GIB) }),
  why: "large for days and not growing",
});

/** For each signature an input that must match, and a near miss. */
export const SIGNATURE_EXAMPLES: Readonly<Record<string, Example>> = {
  S01: {
    matches: evidenceOf({
      changes: {
        "watch./run/crio/exits.files": rising(10_000, 90_000),
        "cgroup.memory.dying": rising(9000, 88_000),
        "band.percpu": rising(500 * MIB, 3 * GIB),
      },
    }),
    nearMiss: evidenceOf({
      changes: { "watch./run/crio/exits.files": rising(10_000, 90_000), "cgroup.memory.dying": level(40) },
    }),
    why: "files rise and no cgroup stays behind",
  },
  S01b: {
    matches: evidenceOf({
      kernelRelease: "3.10.0-957.el7.x86_64",
      levels: { "cgroup.memory.kmem.kib": 40_000 },
      changes: { "cgroup.memory.count": rising(8000, 60_000) },
    }),
    nearMiss: evidenceOf({
      kernelRelease: "5.15.0-91-generic",
      levels: { "cgroup.memory.kmem.kib": 40_000 },
      changes: { "cgroup.memory.count": rising(8000, 60_000) },
    }),
    why: "on a newer kernel kernel memory is always accounted",
  },
  S02: {
    matches: evidenceOf({
      changes: { "cgroup.memory.dying": rising(3000, 30_000), "band.percpu": rising(1 * GIB, 4 * GIB) },
      interventions: [{ kind: "drop-caches-1", freedShare: { "cgroup.memory.dying": 0.95 } }],
    }),
    nearMiss: evidenceOf({ levels: { "cgroup.memory.dying": 300 } }),
    why: "a few hundred are usual",
  },
  S03: {
    matches: evidenceOf({ changes: { "band.percpu": rising(1 * GIB, 5 * GIB) } }),
    nearMiss: evidenceOf({ changes: { "band.percpu": level(5 * GIB) } }),
    why: "large for days and not growing",
  },
  S04: {
    matches: evidenceOf({
      kernelRelease: "4.19.0-6-amd64",
      changes: { "cgroup.memory.dying": rising(3000, 30_000) },
      interventions: [
        { kind: "drop-caches-1", freedShare: { "cgroup.memory.dying": 0 } },
        { kind: "drop-caches-2", freedShare: { "cgroup.memory.dying": 0.9 } },
      ],
    }),
    nearMiss: evidenceOf({
      kernelRelease: "4.19.0-6-amd64",
      changes: { "cgroup.memory.dying": rising(3000, 30_000) },
      interventions: [{ kind: "drop-caches-1", freedShare: { "cgroup.memory.dying": 0.9 } }],
    }),
    why: "page cache pinned them",
  },
  S05: {
    matches: evidenceOf({ levels: { "cgroup.memory.live": 61_000, "cgroup.memory.count": 61_050 } }),
    nearMiss: evidenceOf({ levels: { "cgroup.memory.live": 4000, "cgroup.memory.count": 9000 } }),
    why: "far below the limit",
  },
  S06: {
    matches: evidenceOf({
      kernelRelease: "5.4.0-150-generic",
      levels: { "mounts.total": 1500, "cgroup.memory.count": 24_000 },
      changes: { "kmalloc.32.bytes": rising(500 * MIB * BYTES, 3 * GIB * BYTES) },
    }),
    nearMiss: evidenceOf({
      kernelRelease: "5.4.0-150-generic",
      levels: { "mounts.total": 60, "cgroup.memory.count": 300 },
      changes: { "kmalloc.32.bytes": rising(500 * MIB * BYTES, 3 * GIB * BYTES) },
    }),
    why: "so few mounts and cgroups cannot hold that much",
  },
  S07: {
    matches: evidenceOf({
      levels: { "cgroup.memory.dying": 900 },
      changes: { "tasks.zombies": rising(50, 800) },
    }),
    nearMiss: evidenceOf({ changes: { "tasks.zombies": level(60) } }),
    why: "a steady number of zombies is untidy and no leak",
  },
  S08: {
    matches: evidenceOf({
      levels: { "cgroup.memory.live": 300 },
      changes: grownSlab("kernfs_node_cache", 200 * MIB, 4 * GIB),
    }),
    nearMiss: evidenceOf({
      levels: { "cgroup.memory.live": 64_000 },
      changes: grownSlab("kernfs_node_cache", 100 * MIB, 300 * MIB),
    }),
    why: "live cgroups explain the nodes",
  },
  S09: {
    matches: evidenceOf({
      levels: { "cgroup.memory.empty": 9000 },
      changes: { "cgroup.memory.live": rising(1000, 9800), "containers.live": level(80) },
    }),
    nearMiss: evidenceOf({
      levels: { "cgroup.memory.empty": 20 },
      changes: { "cgroup.memory.live": rising(100, 900), "containers.live": rising(10, 800) },
    }),
    why: "the containers are really there",
  },
  S10: {
    matches: evidenceOf({
      levels: { "slab.unused.kib": 2.4 * GIB, "meminfo.Slab": 3.4 * GIB },
      changes: { "meminfo.SUnreclaim": level(3 * GIB) },
    }),
    nearMiss: evidenceOf({
      levels: { "slab.unused.kib": 2.4 * GIB, "meminfo.Slab": 3.4 * GIB },
      changes: { "meminfo.SUnreclaim": rising(1 * GIB, 3 * GIB) },
    }),
    why: "half empty and growing all the same",
  },
  S11: {
    matches: evidenceOf({
      levels: { "fs.dentryState.nr_dentry": 9_000_000, "fs.dentryState.nr_negative": 8_500_000 },
    }),
    nearMiss: evidenceOf({
      levels: { "fs.dentryState.nr_dentry": 9_000_000, "fs.dentryState.nr_negative": 500_000 },
    }),
    why: "most names exist",
  },
  S12: {
    matches: evidenceOf({
      levels: { "fs.inodeNr.nr_inodes": 4_000_000, "fs.dentryState.nr_dentry": 300_000 },
      changes: {
        "meminfo.SReclaimable": rising(1 * GIB, 5 * GIB),
        "inotify.watches": rising(20_000, 900_000),
      },
    }),
    nearMiss: evidenceOf({
      levels: { "fs.inodeNr.nr_inodes": 400_000, "fs.dentryState.nr_dentry": 900_000 },
      changes: {
        "meminfo.SReclaimable": rising(1 * GIB, 5 * GIB),
        "inotify.watches": rising(20_000, 900_000),
      },
    }),
    why: "dentries hold the inodes, as in any cache",
  },
  S13: {
    matches: evidenceOf({
      levels: { "meminfo.MemAvailable": 50 * GIB },
      changes: grownSlab("xfs_inode", 1 * GIB, 8 * GIB),
      interventions: [{ kind: "drop-caches-2", freedShare: { "meminfo.SReclaimable": 0.8 } }],
    }),
    nearMiss: evidenceOf({
      changes: grownSlab("xfs_inode", 1 * GIB, 8 * GIB),
      interventions: [{ kind: "drop-caches-2", freedShare: { "meminfo.SReclaimable": 0.1 } }],
    }),
    why: "it is pinned, so it is no cache",
  },
  S14: cacheOf("ovl_inode"),
  S15: {
    matches: evidenceOf({
      levels: { "mounts.nfs.count": 2 },
      changes: grownSlab("nfs_inode_cache", 100 * MIB, 4 * GIB),
    }),
    nearMiss: evidenceOf({
      levels: { "mounts.nfs.count": 0 },
      changes: grownSlab("nfs_inode_cache", 100 * MIB, 4 * GIB),
    }),
    why: "nothing is mounted by NFS",
  },
  S16: {
    matches: evidenceOf({
      levels: { "mounts.expected": 400 },
      changes: { "mounts.total": rising(500, 4000) },
    }),
    nearMiss: evidenceOf({
      levels: { "mounts.expected": 3950 },
      changes: { "mounts.total": rising(500, 4000) },
    }),
    why: "the pods explain them",
  },
  S17: {
    matches: evidenceOf({
      levels: { "sandboxes.count": 40 },
      changes: { "mounts.tmpfs.count": rising(150, 2000) },
    }),
    nearMiss: evidenceOf({
      levels: { "sandboxes.count": 700 },
      changes: { "mounts.tmpfs.count": rising(150, 2000) },
    }),
    why: "three mounts for each sandbox are usual",
  },
  S18: {
    matches: evidenceOf({
      levels: { "sandboxes.count": 60 },
      changes: {
        "slab.net_namespace.objects": rising(200, 9000),
        "meminfo.SUnreclaim": rising(1 * GIB, 3 * GIB),
      },
    }),
    nearMiss: evidenceOf({ levels: { "sandboxes.count": 60, "slab.net_namespace.objects": 75 } }),
    why: "one for each pod and a few more",
  },
  S19: {
    matches: evidenceOf({ levels: { "neighbours.count": 1010, "neighbours.max": 1024 } }),
    nearMiss: evidenceOf({ levels: { "neighbours.count": 300, "neighbours.max": 1024 } }),
    why: "the table has room",
  },
  S20: {
    matches: evidenceOf({ levels: { "conntrack.count": 250_000, "conntrack.max": 262_144 } }),
    nearMiss: evidenceOf({ levels: { "conntrack.count": 25_000, "conntrack.max": 262_144 } }),
    why: "the table has room",
  },
  S21: {
    matches: evidenceOf({
      versions: { "kube-proxy-mode": "ipvs" },
      levels: { "slab.ip_vs_conn.objects": 3_000_000 },
    }),
    nearMiss: evidenceOf({
      versions: { "kube-proxy-mode": "ipvs" },
      levels: { "slab.ip_vs_conn.objects": 40_000 },
    }),
    why: "an ordinary number of connections",
  },
  S22: {
    matches: evidenceOf({
      changes: { "sockstat.tcp.kib": rising(100 * MIB, 4 * GIB), "band.unacc": rising(500 * MIB, 4.4 * GIB) },
    }),
    nearMiss: evidenceOf({
      changes: { "sockstat.tcp.kib": rising(100 * MIB, 4 * GIB), "band.unacc": level(500 * MIB) },
    }),
    why: "no memory goes with the counter",
  },
  S22b: {
    matches: evidenceOf({
      kernelRelease: "6.1.90-99.173.amzn2023.aarch64",
      architecture: "aarch64",
      changes: { "sockstat.tcp.kib": rising(100 * MIB, 4 * GIB), "band.unacc": level(500 * MIB) },
    }),
    nearMiss: evidenceOf({
      kernelRelease: "6.1.90-99.173.amzn2023.aarch64",
      architecture: "aarch64",
      changes: { "sockstat.tcp.kib": rising(100 * MIB, 4 * GIB), "band.unacc": rising(500 * MIB, 4.4 * GIB) },
    }),
    why: "the memory is really used",
  },
  S23: {
    matches: evidenceOf({
      changes: {
        "band.unacc": rising(500 * MIB, 3 * GIB),
        "sockstat.tcp.kib": level(20 * MIB),
        "cgroup.kernel.residual.kib": rising(100 * MIB, 2.5 * GIB),
      },
    }),
    nearMiss: evidenceOf({
      changes: {
        "band.unacc": rising(500 * MIB, 3 * GIB),
        "sockstat.tcp.kib": rising(20 * MIB, 2.4 * GIB),
        "cgroup.kernel.residual.kib": rising(100 * MIB, 2.5 * GIB),
      },
    }),
    why: "TCP explains it",
  },
  S24: cacheOf("fuse_inode"),
  S25: {
    matches: evidenceOf({
      changes: { "band.unacc": rising(500 * MIB, 9 * GIB) },
      correlations: { "band.unacc ~ net.rx.bytes": 0.93 },
    }),
    nearMiss: evidenceOf({
      changes: {
        "band.unacc": rising(500 * MIB, 9 * GIB),
        ...steadySlab("skbuff_head_cache", 8 * MIB),
        ...steadySlab("skbuff_small_head", 8 * MIB),
      },
      correlations: { "band.unacc ~ net.rx.bytes": 0.1, "meminfo.SUnreclaim ~ net.rx.bytes": 0 },
    }),
    why: "it grows without traffic",
  },
  S26: {
    matches: evidenceOf({
      kernelRelease: "5.10.160-161.634.amzn2.x86_64",
      messages: { "seccomp filter not loaded: errno 524": 3 },
    }),
    nearMiss: evidenceOf({
      kernelRelease: "5.10.160-161.634.amzn2.x86_64",
      levels: { "bpf.jit.kib": 20 * MIB, "bpf.jit.limit.kib": 258 * MIB },
    }),
    why: "no message, and most of the limit is free",
  },
  S27: {
    matches: evidenceOf({
      changes: { "bpf.memlock.kib": rising(1 * GIB, 8 * GIB), "band.vmalloc": rising(1 * GIB, 8 * GIB) },
    }),
    nearMiss: evidenceOf({ changes: { "bpf.memlock.kib": level(200 * MIB) } }),
    why: "an agent of ordinary size",
  },
  S28: {
    matches: evidenceOf({
      changes: {
        "band.vmalloc": rising(200 * MIB, 3 * GIB),
        "vmalloc.nuc_led_work.usedKib": rising(10 * MIB, 2.7 * GIB),
        "vmalloc.load_module.usedKib": level(40 * MIB),
      },
    }),
    nearMiss: evidenceOf({ changes: { "band.vmalloc": level(300 * MIB) } }),
    why: "an ordinary amount that does not grow",
  },
  S29: {
    matches: evidenceOf({ levels: { "band.ptables": 9 * GIB, "process.ptes.kib": 8.8 * GIB } }),
    nearMiss: evidenceOf({ levels: { "band.ptables": 200 * MIB } }),
    why: "an ordinary amount",
  },
  S30: {
    matches: evidenceOf({
      levels: { "audit.backlog": 61_000, "audit.backlog.limit": 65_536 },
      changes: { "kmalloc.2048.bytes": rising(100 * MIB * BYTES, 1 * GIB * BYTES) },
    }),
    nearMiss: evidenceOf({ levels: { "audit.backlog": 12, "audit.backlog.limit": 8192 } }),
    why: "the listener keeps up",
  },
  S31: {
    matches: evidenceOf({ levels: { "keys.quota.used": 195, "keys.quota.max": 200 } }),
    nearMiss: evidenceOf({ levels: { "keys.quota.used": 20, "keys.quota.max": 200 } }),
    why: "the quota has room",
  },
  S32: {
    matches: evidenceOf({ levels: { "inotify.watches": 8100, "inotify.watches.max": 8192 } }),
    nearMiss: evidenceOf({ levels: { "inotify.watches": 900, "inotify.watches.max": 8192 } }),
    why: "the limit has room",
  },
  S33: {
    matches: evidenceOf({
      changes: { "tmpfs.used.kib": rising(1 * GIB, 9 * GIB), "band.shmem": rising(1.2 * GIB, 9.3 * GIB) },
    }),
    nearMiss: evidenceOf({
      changes: { "tmpfs.used.kib": level(200 * MIB), "band.shmem": rising(1.2 * GIB, 9.3 * GIB) },
    }),
    why: "the files do not grow, Shmem does: something without a file",
  },
  S34: {
    matches: evidenceOf({ levels: { "shmem.outside.kib": 8 * GIB, "band.shmem": 9 * GIB } }),
    nearMiss: evidenceOf({ levels: { "shmem.outside.kib": 140 * MIB, "band.shmem": 150 * MIB } }),
    why: "a desktop has that much",
  },
  S35: {
    matches: evidenceOf({
      changes: { "sysvshm.orphan.kib": rising(136 * MIB, 2 * GIB), "band.shmem": rising(1 * GIB, 3 * GIB) },
    }),
    nearMiss: evidenceOf({ levels: { "sysvshm.orphan.kib": 8 * MIB } }),
    why: "a few MiB",
  },
  S36: {
    matches: evidenceOf({
      changes: { "band.kstack": rising(50 * MIB, 2 * GIB), "tasks.threads": rising(3000, 130_000) },
    }),
    nearMiss: evidenceOf({ changes: { "band.kstack": level(90 * MIB), "tasks.threads": level(6000) } }),
    why: "an ordinary number of threads",
  },
  S37: {
    matches: evidenceOf({ levels: { "zpool.kib": 6 * GIB, "meminfo.SwapTotal": 16 * GIB } }),
    nearMiss: evidenceOf({ levels: { "zpool.kib": 0, "meminfo.SwapTotal": 16 * GIB } }),
    why: "swap is not compressed",
  },
  S38: {
    matches: evidenceOf({
      levels: { "sandboxes.count": 40 },
      changes: { "processes.shims": rising(42, 300), "band.anon": rising(9 * GIB, 12 * GIB) },
    }),
    nearMiss: evidenceOf({ levels: { "sandboxes.count": 40 }, changes: { "processes.shims": level(41) } }),
    why: "one for each sandbox",
  },
  S39: {
    matches: evidenceOf({
      levels: { "band.hugetlb": 8 * GIB, "meminfo.HugePages_Free": 4096, "meminfo.HugePages_Total": 4096 },
    }),
    nearMiss: evidenceOf({
      levels: { "band.hugetlb": 0, "meminfo.HugePages_Free": 0, "meminfo.HugePages_Total": 0 },
    }),
    why: "no pool",
  },
  S40: {
    matches: evidenceOf({ levels: { "sockets.count": 300_000, "fs.fileNr.allocated": 9000 } }),
    nearMiss: evidenceOf({ levels: { "sockets.count": 30_000, "fs.fileNr.allocated": 40_000 } }),
    why: "each socket has its descriptor",
  },
  S41: {
    matches: evidenceOf({
      changes: { "pins.pages": rising(1000, 900_000), "band.unacc": rising(1 * GIB, 4.4 * GIB) },
    }),
    nearMiss: evidenceOf({
      levels: { "lru.orphan.kib": 30 * MIB },
      changes: { "pins.pages": level(1200), "lru.orphan.kib": level(30 * MIB) },
    }),
    why: "the lists lag by a few batches",
  },
  S42: {
    matches: evidenceOf({ foreignModules: ["nvidia"], changes: { "band.unacc": rising(1 * GIB, 12 * GIB) } }),
    nearMiss: evidenceOf({
      foreignModules: [],
      levels: { "meminfo.GPUActive": 300 * MIB },
      changes: { "band.unacc": rising(1 * GIB, 12 * GIB) },
    }),
    why: "no GPU driver",
  },
  S43: {
    matches: evidenceOf({ levels: { "balloon.kib": 16 * GIB, "band.unacc": 16.2 * GIB } }),
    nearMiss: evidenceOf({
      levels: { "balloon.kib": 0, "band.unacc": 16.2 * GIB },
      changes: { "meminfo.MemTotal": level(64 * GIB) },
    }),
    why: "the balloon is empty",
  },
  S44: {
    matches: evidenceOf({
      levels: { "zfs.arc.kib": 30 * GIB, "band.unacc": 31 * GIB, "zfs.arc.max.kib": 32 * GIB },
    }),
    nearMiss: evidenceOf({
      levels: {
        "zfs.arc.kib": 1 * GIB,
        "band.unacc": 31 * GIB,
        "zfs.slab.kib": 90 * MIB,
        "zfs.spl.kib": 100 * MIB,
      },
    }),
    why: "the ARC is small",
  },
  S45: {
    matches: evidenceOf({
      kernelRelease: "4.19.86-coreos",
      changes: grownSlab("ebitmap_node", 500 * MIB, 9 * GIB),
    }),
    nearMiss: evidenceOf({ changes: steadySlab("ebitmap_node", 20 * MIB) }),
    why: "a policy of ordinary size",
  },
  S46: {
    matches: evidenceOf({
      foreignModules: ["p_lkrg"],
      changes: { "meminfo.SUnreclaim": rising(1 * GIB, 8 * GIB) },
    }),
    nearMiss: evidenceOf({ foreignModules: [], changes: { "meminfo.SUnreclaim": rising(1 * GIB, 8 * GIB) } }),
    why: "no module from outside",
  },
  S47: {
    matches: evidenceOf({
      changes: {
        "meminfo.MemFree": { first: 40 * GIB, last: 2 * GIB, max: 40 * GIB, samples: 288, hours: 72 },
        "meminfo.MemAvailable": level(44 * GIB),
        "total.kernelUnreclaimable": level(2 * GIB),
      },
    }),
    nearMiss: evidenceOf({
      changes: {
        "meminfo.MemFree": { first: 40 * GIB, last: 2 * GIB, max: 40 * GIB, samples: 288, hours: 72 },
        "meminfo.MemAvailable": { first: 44 * GIB, last: 5 * GIB, max: 44 * GIB, samples: 288, hours: 72 },
        "total.kernelUnreclaimable": rising(2 * GIB, 40 * GIB),
      },
    }),
    why: "available memory falls as well",
  },
  S48: {
    matches: evidenceOf({
      kernelRelease: "5.3.0-59-generic",
      versions: { "cgroup-driver": "systemd" },
      changes: {
        "meminfo.SUnreclaim": rising(1 * GIB, 5 * GIB),
        "cgroup.memory.dying": rising(2000, 60_000),
      },
    }),
    nearMiss: evidenceOf({
      kernelRelease: "5.3.0-59-generic",
      versions: { "cgroup-driver": "cgroupfs" },
      changes: {
        "meminfo.SUnreclaim": rising(1 * GIB, 5 * GIB),
        "cgroup.memory.dying": rising(2000, 60_000),
      },
    }),
    why: "the other driver",
  },
  S49: {
    matches: evidenceOf({ levels: { "loop.expected": 12 }, changes: { "loop.devices": rising(20, 300) } }),
    nearMiss: evidenceOf({ levels: { "loop.expected": 290 }, changes: { "loop.devices": rising(20, 296) } }),
    why: "volumes explain them",
  },
  S50: {
    matches: evidenceOf({
      changes: grownSlab("iommu_iova", 50 * MIB, 2 * GIB),
      correlations: { "slab.iommu_iova.bytes ~ net.rx.bytes": 0.9 },
    }),
    nearMiss: evidenceOf({
      levels: { "swiotlb.used": 200, "swiotlb.total": 32_768 },
      changes: steadySlab("iommu_iova", 50 * MIB),
    }),
    why: "mappings come and go",
  },
};
