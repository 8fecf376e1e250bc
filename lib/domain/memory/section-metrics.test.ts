import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { snapshotSchema, type SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { parseMetric } from "./metrics.ts";
import { findSectionMetric, readSectionCounters, SECTION_METRICS } from "./section-metrics.ts";

const stall = { avg10: 1.5, avg60: 0.25, avg300: 0, totalUs: 123_456 };

/** A snapshot in which every section says everything. */
const full: SnapshotInput = {
  schemaVersion: 1,
  node: "n",
  at: "2026-03-01T00:00:00Z",
  bootId: "b",
  uptimeSeconds: 1,
  kernelRelease: "6.12.1",
  cpus: 2,
  meminfo: { MemTotal: 1 },
  pressure: { memory: { some: stall, full: stall } },
  fs: {
    fileNr: { allocated: 1632, max: 9_000_000 },
    inodeNr: { nr_inodes: 40_000, nr_free_inodes: 12 },
    dentryState: { nr_dentry: 50_000, nr_unused: 40_000, nr_negative: 3000 },
  },
  keyUsers: {
    nkeys: 109,
    users: [
      {
        uid: 0,
        nkeys: 104,
        nikeys: 103,
        qnkeys: 98,
        maxkeys: 1_000_000,
        qnbytes: 1976,
        maxbytes: 25_000_000,
      },
    ],
  },
  sockstat: { TCP: { inuse: 5, mem: 61_402 }, FRAG: { inuse: 0, memory: 4096 } },
  tcpMem: { lowPages: 1, pressurePages: 2, highPages: 3 },
  protocols: [{ protocol: "UNIX-STREAM", objSizeBytes: 1024, sockets: 12, memoryPages: 7 }],
  conntrack: { count: 12, max: 262_144 },
  tasks: { processes: 100, threads: 400, zombies: 3, uninterruptible: 1 },
  buddyinfo: [
    { node: 0, zone: "DMA", freeBlocks: [1, 0, 2] },
    { node: 0, zone: "Normal", freeBlocks: [10, 20, 30, 40] },
  ],
  hugepages: [{ sizeKib: 2048, nr: 8, free: 4, resv: 1, surplus: 0 }],
  zram: [{ device: "zram0", origDataBytes: 4096, comprDataBytes: 100, memUsedBytes: 8192 }],
  zfsArc: { sizeBytes: 3, minBytes: 1, maxBytes: 9 },
  vmalloc: {
    areas: 3,
    usedKib: 40,
    pcpuKib: 1024,
    callers: [{ caller: "bpf_prog_alloc", module: "x", areas: 2, usedKib: 32, sizeKib: 40 }],
  },
  allocinfo: { bytes: 9000, sites: [{ site: "kernel/fork.c:179 func:x", bytes: 800, calls: 2 }] },
  mounts: { total: 40, stacked: 2, byType: { tmpfs: 9, "fuse.lxcfs": 1 } },
  netns: { inUse: 4, mounted: 3 },
  loop: { devices: 8, attached: 2, deleted: 1 },
  modules: [
    { name: "nvidia", sizeBytes: 1000, taint: "POE" },
    { name: "ext4", sizeBytes: 24 },
  ],
  slabNames: { merged: [["a", "b"]], memcgChildCaches: 0 },
  kmemAccounting: { containers: 9, accounted: 9, usageKib: 100 },
  cgroupTrees: [
    {
      path: "/",
      usageKib: 10,
      kernelKib: 1,
      anonKib: 2,
      fileKib: 3,
      shmemKib: 4,
      slabKib: 5,
      slabUnreclaimableKib: 6,
      kernelStackKib: 7,
      pageTablesKib: 8,
      percpuKib: 9,
      vmallocKib: 10,
      sockKib: 11,
    },
    { path: "/kubepods.slice/kubepods-burstable.slice", usageKib: 8 },
    { path: "/kubepods.slice/kubepods-burstable.slice/kubepods-pod1.slice", usageKib: 7 },
  ],
  creators: { seen: 9, made: 12, creators: [{ name: "jobs/pull-monitor-*", created: 7 }] },
  counts: { "log.oom-kill": 3 },
  cgroupDirectories: [
    { hierarchy: "systemd", directories: 50, empty: 20, clusters: [{ name: "run-r*.scope", empty: 19 }] },
  ],
};

describe("readSectionCounters", () => {
  const counters = readSectionCounters(snapshotSchema.parse(full));

  it("gives a value of every metric there is", () => {
    const read = new Set([...counters.keys()].map((name) => findSectionMetric(name)?.metric.key));
    expect(SECTION_METRICS.map(({ key }) => key).filter((key) => !read.has(key))).toEqual([]);
  });

  it("names each number by its path", () => {
    expect(Object.fromEntries(counters)).toMatchObject({
      "pressure.memory.some.avg10": 1.5,
      "fs.dentryState.nr_negative": 3000,
      "keyUsers.0.qnkeys": 98,
      "sockstat.TCP.mem": 61_402,
      "sockstat.TCP.inuse": 5,
      "sockstat.FRAG.memory": 4096,
      "buddyinfo.0.freeBlocks": 11,
      "buddyinfo.3.freeBlocks": 40,
      "hugepages.2048.free": 4,
      "vmalloc.usedKib": 40,
      "vmalloc.bpf_prog_alloc.usedKib": 32,
      "allocinfo.kernel/fork.c:179 func:x.bytes": 800,
      "mounts.fuse.lxcfs.count": 1,
      "modules.count": 2,
      "modules.tainted": 1,
      "modules.sizeBytes": 1024,
      "cgroupTrees./.usageKib": 10,
      "cgroupTrees./kubepods.slice/kubepods-burstable.slice.usageKib": 8,
      "cgroupDirectories.systemd.empty": 20,
      "containers.created.jobs/pull-monitor-*": 7,
      "creators.made": 12,
      "counts.log.oom-kill": 3,
    });
    expect([...counters.keys()].some((name) => name.includes("pod1"))).toBe(false);
  });

  it("says nothing of what is not there, and keeps a zero", () => {
    const { vmalloc, ...rest } = full;
    const without = readSectionCounters(snapshotSchema.parse(rest));
    expect(vmalloc).toBeDefined();
    expect([...without.keys()].some((name) => name.startsWith("vmalloc"))).toBe(false);
    expect(without.get("slabNames.memcgChildCaches")).toBe(0);
    expect(readSectionCounters(snapshotSchema.parse({ ...full, fs: {} })).has("fs.fileNr.max")).toBe(false);
  });

  it("has a unit that its name says too", () => {
    for (const { key, unit } of SECTION_METRICS) {
      const said = /(Kib|Bytes|Pages|Us)$/.exec(key)?.[1];
      if (said !== undefined) {
        expect([key, unit]).toEqual([key, { Kib: "KiB", Bytes: "bytes", Pages: "pages", Us: "µs" }[said]]);
      }
    }
  });

  it("is read back by its name, whatever the node reports", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
        fc.nat(),
        (caller, usedKib) => {
          const snapshot = snapshotSchema.parse(full);
          snapshot.vmalloc = { areas: 1, pcpuKib: 0, callers: [{ caller, areas: 1, usedKib, sizeKib: 1 }] };
          for (const [name] of readSectionCounters(snapshot)) {
            expect(parseMetric(name)?.key).toBe(name);
          }
        },
      ),
      { numRuns: 100, seed: 4 },
    );
  });
});
