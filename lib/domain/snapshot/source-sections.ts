import { z } from "zod";

/** Text that PostgreSQL can store: no NUL and no half of a surrogate pair. */
export function text(maxChars: number) {
  return z
    .string()
    .min(1)
    .max(maxChars)
    .refine((value) => !value.includes("\u0000") && value.isWellFormed(), "contains NUL or broken Unicode");
}

export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Memory in KiB, what the kernel prints as kB. */
const kib = count;

/** How many entries each list of a section may have. The largest come first, so that what is cut off is small. */
export const SECTION_LIMITS = {
  keyUsers: 100,
  protocols: 100,
  buddyZones: 256,
  hugepagePools: 16,
  zramDevices: 32,
  vmallocCallers: 100,
  allocationSites: 100,
  fileSystemTypes: 64,
  modules: 1000,
  mergedSlabNames: 1000,
  cgroupTrees: 100,
  cgroupHierarchies: 16,
  cgroupNameClusters: 20,
  creators: 100,
  counts: 200,
} as const;

const stall = z.strictObject({
  avg10: z.number().min(0).max(100).meta({ description: "Percent of the last 10 s" }),
  avg60: z.number().min(0).max(100).meta({ description: "Percent of the last 60 s" }),
  avg300: z.number().min(0).max(100).meta({ description: "Percent of the last 300 s" }),
  totalUs: count.meta({ description: "Microseconds since boot" }),
});

const keyUser = z.strictObject({
  uid: count,
  nkeys: count,
  nikeys: count.meta({ description: "Of them instantiated" }),
  qnkeys: count.meta({ description: "Keys that count against the quota" }),
  maxkeys: count,
  qnbytes: count,
  maxbytes: count,
});

const cgroupTree = z.strictObject({
  path: text(1000).meta({ description: "Below the root of the memory hierarchy; the root itself is /" }),
  usageKib: kib
    .optional()
    .meta({ description: "memory.usage_in_bytes or memory.current; the root of v2 has none" }),
  kernelKib: kib
    .optional()
    .meta({ description: "memory.kmem.usage_in_bytes (v1) or `kernel` of memory.stat (v2, 5.18)" }),
  anonKib: kib.optional(),
  fileKib: kib.optional(),
  shmemKib: kib.optional(),
  slabKib: kib.optional(),
  slabUnreclaimableKib: kib.optional(),
  kernelStackKib: kib.optional(),
  pageTablesKib: kib.optional(),
  percpuKib: kib.optional(),
  vmallocKib: kib.optional(),
  sockKib: kib.optional(),
});

/**
 * Sections of a snapshot that tell what in the kernel holds memory, or counts that which does. All are optional: each comes as
 * often as its source is read, and a source that could not be read leaves its section out. The path of a number in here
 * is the name of its metric (`lib/domain/memory/section-metrics.ts`).
 */
export const sourceSections = {
  pressure: z
    .strictObject({ memory: z.strictObject({ some: stall.optional(), full: stall.optional() }) })
    .optional()
    .meta({ description: "/proc/pressure/memory; time in which tasks waited for memory" }),
  fs: z
    .strictObject({
      fileNr: z.strictObject({ allocated: count, max: count }).optional(),
      inodeNr: z.strictObject({ nr_inodes: count, nr_free_inodes: count }).optional(),
      dentryState: z
        .strictObject({
          nr_dentry: count,
          nr_unused: count,
          nr_negative: count.optional().meta({ description: "Left out where the kernel prints a dummy 0" }),
        })
        .optional(),
    })
    .optional()
    .meta({ description: "/proc/sys/fs/file-nr, inode-nr, dentry-state" }),
  keyUsers: z
    .strictObject({
      nkeys: count.meta({ description: "Keys of all users together" }),
      users: z.array(keyUser).max(SECTION_LIMITS.keyUsers),
    })
    .optional()
    .meta({ description: "/proc/key-users" }),
  sockstat: z
    .record(text(32), z.record(text(32), count))
    .refine(
      (value) =>
        Object.keys(value).length <= 32 &&
        Object.values(value).every((each) => Object.keys(each).length <= 32),
      "too many counters",
    )
    .optional()
    .meta({
      description:
        "sockstat and sockstat6 of the first process's network namespace: protocol to counter. `mem` is in pages, of all namespaces; `memory` (FRAG) in bytes",
    }),
  tcpMem: z
    .strictObject({ lowPages: count, pressurePages: count, highPages: count })
    .optional()
    .meta({ description: "/proc/sys/net/ipv4/tcp_mem: limits of TCP's `mem`" }),
  protocols: z
    .array(
      z.strictObject({
        protocol: text(64),
        objSizeBytes: count,
        sockets: count,
        memoryPages: count.optional().meta({ description: "Left out where the protocol counts none" }),
      }),
    )
    .max(SECTION_LIMITS.protocols)
    .optional()
    .meta({ description: "/proc/1/net/protocols, those with sockets or memory, and UNIX" }),
  conntrack: z.strictObject({ count, max: count.optional() }).optional().meta({
    description:
      "nf_conntrack_count and nf_conntrack_max of the network namespace in which the collector runs",
  }),
  tasks: z
    .strictObject({
      processes: count,
      threads: count.optional().meta({ description: "Kernel scheduling entities, from /proc/loadavg" }),
      zombies: count,
      uninterruptible: count.meta({ description: "Processes in state D" }),
    })
    .optional()
    .meta({ description: "States of the processes that the collector may see" }),
  buddyinfo: z
    .array(z.strictObject({ node: count, zone: text(32), freeBlocks: z.array(count).max(32) }))
    .max(SECTION_LIMITS.buddyZones)
    .optional()
    .meta({ description: "/proc/buddyinfo: free blocks of 2^order pages, by order from 0" }),
  hugepages: z
    .array(z.strictObject({ sizeKib: kib, nr: count, free: count, resv: count, surplus: count }))
    .max(SECTION_LIMITS.hugepagePools)
    .optional()
    .meta({ description: "/sys/kernel/mm/hugepages, in huge pages" }),
  zram: z
    .array(
      z.strictObject({
        device: text(64),
        origDataBytes: count,
        comprDataBytes: count,
        memUsedBytes: count.meta({ description: "Third column of mm_stat: what the device costs" }),
      }),
    )
    .max(SECTION_LIMITS.zramDevices)
    .optional()
    .meta({ description: "/sys/block/zram*/mm_stat" }),
  zfsArc: z
    .strictObject({ sizeBytes: count, minBytes: count.optional(), maxBytes: count.optional() })
    .optional()
    .meta({ description: "size, c_min and c_max of /proc/spl/kstat/zfs/arcstats" }),
  vmalloc: z
    .strictObject({
      areas: count.meta({ description: "Areas in use" }),
      usedKib: kib.optional().meta({ description: "Memory behind all areas: the sum of `pages=`" }),
      pcpuKib: kib.meta({
        description: "Address space of the per-CPU allocator (pcpu_get_vm_areas), an upper bound",
      }),
      callers: z
        .array(
          z.strictObject({
            caller: text(200),
            module: text(100).optional(),
            areas: count,
            usedKib: kib.optional(),
            sizeKib: kib.meta({ description: "Address space, guard pages included" }),
          }),
        )
        .max(SECTION_LIMITS.vmallocCallers),
    })
    .optional()
    .meta({
      description:
        "/proc/vmallocinfo summed by caller, the largest; `unpurged vm_area` are areas freed already",
    }),
  allocinfo: z
    .strictObject({
      bytes: count,
      sites: z
        .array(z.strictObject({ site: text(400), bytes: count, calls: count }))
        .max(SECTION_LIMITS.allocationSites),
    })
    .optional()
    .meta({ description: "/proc/allocinfo (6.10, CONFIG_MEM_ALLOC_PROFILING): all sites, and the largest" }),
  mounts: z
    .strictObject({
      total: count,
      stacked: count.meta({ description: "Mounts whose mount point another mount has too" }),
      byType: z
        .record(text(64), count)
        .refine((value) => Object.keys(value).length <= SECTION_LIMITS.fileSystemTypes, "too many types"),
    })
    .optional()
    .meta({ description: "/proc/1/mountinfo" }),
  netns: z
    .strictObject({
      inUse: count.optional().meta({ description: "Network namespaces that some process is in" }),
      mounted: count.optional().meta({ description: "nsfs mounts in /proc/1/mountinfo" }),
    })
    .optional()
    .meta({ description: "Network namespaces; all of them are the objects of the slab net_namespace" }),
  loop: z
    .strictObject({
      devices: count,
      attached: count,
      deleted: count.meta({ description: "Attached to a file that is deleted" }),
    })
    .optional()
    .meta({ description: "/sys/block/loop*" }),
  modules: z
    .array(
      z.strictObject({
        name: text(100),
        sizeBytes: count,
        taint: text(16).optional().meta({ description: "Letters such as OE: out of tree, unsigned" }),
      }),
    )
    .max(SECTION_LIMITS.modules)
    .optional()
    .meta({ description: "/proc/modules" }),
  slabNames: z
    .strictObject({
      merged: z
        .array(z.array(text(200)).min(2).max(500))
        .max(SECTION_LIMITS.mergedSlabNames)
        .meta({ description: "Names of caches that the kernel merged into one; slabinfo shows one of each" }),
      memcgChildCaches: count.meta({ description: "Caches cloned for one memory cgroup (3.8 to 5.8)" }),
    })
    .optional()
    .meta({ description: "Symbolic links in /sys/kernel/slab" }),
  kmemAccounting: z
    .strictObject({
      containers: count.meta({ description: "Containers that were looked at" }),
      accounted: count.meta({ description: "Of them those whose kernel memory is accounted to them" }),
      usageKib: kib.optional().meta({ description: "Kernel memory accounted to all cgroups together" }),
    })
    .optional()
    .meta({ description: "Whether kernel memory is accounted to containers" }),
  cgroupTrees: z
    .array(cgroupTree)
    .max(SECTION_LIMITS.cgroupTrees)
    .optional()
    .meta({ description: "The largest trees of memory cgroups, parents before their children" }),
  cgroupDirectories: z
    .array(
      z.strictObject({
        hierarchy: text(64).meta({
          description: "memory, unified, or the name of a hierarchy without controllers",
        }),
        directories: count,
        empty: count.meta({ description: "Without processes and without children" }),
        clusters: z
          .array(
            z.strictObject({
              name: text(200).meta({ description: "Names alike but for numbers and ids: run-r*.scope" }),
              empty: count,
            }),
          )
          .max(SECTION_LIMITS.cgroupNameClusters),
      }),
    )
    .max(SECTION_LIMITS.cgroupHierarchies)
    .optional()
    .meta({ description: "Directories of cgroup hierarchies that hold nothing" }),
  creators: z
    .strictObject({
      seen: count.meta({ description: "Cgroups that were seen to be new since counting began in this boot" }),
      made: count.optional().meta({
        description:
          "Cgroups that the kernel made meanwhile, by inode numbers: more than seen where some came and went",
      }),
      creators: z
        .array(z.strictObject({ name: text(200), created: count }))
        .max(SECTION_LIMITS.creators)
        .meta({ description: "New leaf cgroups by who created them, most first; never falls within a boot" }),
    })
    .optional()
    .meta({ description: "Who creates containers: new cgroups by pod, or by their path with ids folded" }),
  counts: z
    .record(text(100), count)
    .refine((value) => Object.keys(value).length <= SECTION_LIMITS.counts, "too many counts")
    .optional()
    .meta({
      description:
        "What the collector counted or was told, since boot: log.PATTERN, kubelet.NAME, runtime.NAME",
    }),
} as const;

/** Sections that tell more than numbers: they are kept whole, beside the metrics made of them. */
export const DETAIL_SECTIONS = [
  "vmalloc",
  "allocinfo",
  "modules",
  "slabNames",
  "cgroupTrees",
  "cgroupDirectories",
] as const satisfies readonly (keyof typeof sourceSections)[];

/** Sections that come with every snapshot; a minute apart is enough to keep. */
export const FREQUENT_SECTIONS = [
  "pressure",
  "fs",
  "keyUsers",
  "sockstat",
  "conntrack",
  "creators",
  "counts",
] as const satisfies readonly (keyof typeof sourceSections)[];

export type DetailSection = (typeof DETAIL_SECTIONS)[number];
