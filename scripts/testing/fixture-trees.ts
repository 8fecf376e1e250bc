import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

import { pagesToKib } from "#lib/domain/memory/kib.ts";
import { SECTION_FILES } from "#lib/domain/snapshot/build-sections.ts";
import { composeMemory, type MemoryCounters } from "#lib/domain/memory/composition.ts";
import { readVmapStack } from "#lib/domain/snapshot/vmap-stack.ts";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";
import { parsePageSizeBytes } from "#lib/domain/procfs/smaps.ts";
import { parseVmallocinfo } from "#lib/domain/procfs/vmallocinfo.ts";
import { parseVmstat } from "#lib/domain/procfs/vmstat.ts";
import { parseZoneinfo } from "#lib/domain/procfs/zoneinfo.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures");

/** Where a tree lies on disk; its `proc` and `sys` are below. */
export function treePath(tree: string): string {
  return path.join(FIXTURES, "trees", tree);
}

/** The names of all trees under fixtures/trees, sorted. */
export function fixtureTrees(): string[] {
  return readdirSync(path.join(FIXTURES, "trees")).sort();
}

/** A file of a tree as the kernel printed it, or `undefined` where the tree has none. */
export function readTreeFile(tree: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(treePath(tree), file), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const RAW_FILES = [
  ...["meminfo", "zoneinfo", "vmstat", "stat", "uptime", "cgroups", "slabinfo", "vmallocinfo", "version"],
  ...["sys/kernel/random/boot_id", "sys/kernel/osrelease", "self/smaps"],
].map((file) => `proc/${file}`);

/** The files of a tree as `tail -n +1` prints them, those that it has. */
export function rawBodyOfTree(tree: string): string {
  return [
    ...RAW_FILES,
    "sys/fs/cgroup/unified/cgroup.stat",
    "sys/fs/cgroup/cgroup.stat",
    "sys/devices/system/cpu/possible",
    ...Object.values(SECTION_FILES).map((file) => file.slice(1)),
    "sys/block/zram0/mm_stat",
  ]
    .flatMap((file) => {
      const text = readTreeFile(tree, file);
      return text === undefined ? [] : [`==> /${file} <==\n${text}`];
    })
    .join("\n");
}

/** What of a snapshot the files of `rawBodyOfTree` tell. */
export const RAW_SECTIONS: readonly string[] = [
  ...["bootId", "uptimeSeconds", "kernelRelease", "cpus", "pageSizeBytes", "meminfo", "vmstat"],
  ...["pcpFreePages", "cgroups", "forks", "slab", "vmapStack"],
  ...["pressure", "fs", "keyUsers", "sockstat", "conntrack", "tcpMem", "protocols", "buddyinfo", "mounts"],
  ...["zram", "zfsArc", "modules", "allocinfo", "vmalloc"],
];

/** The snapshot that the collector makes of a tree, as its golden file holds it. */
export function goldenSnapshot(tree: string): Record<string, unknown> {
  const text = readFileSync(path.join(FIXTURES, "golden/snapshots", `${tree}.json`), "utf8");
  return JSON.parse(text) as Record<string, unknown>;
}

/** Page size of the machine a tree was taken from. Every tree has the file; one without it is a mistake. */
export function treePageSizeBytes(tree: string): number {
  const pageSizeBytes = parsePageSizeBytes(readTreeFile(tree, "proc/self/smaps") ?? "").value;
  if (pageSizeBytes === undefined) throw new Error(`${tree}: no KernelPageSize in proc/self/smaps`);
  return pageSizeBytes;
}

/** What a collector would hand to `composeMemory` on the machine of a tree. */
export function treeCounters(tree: string): MemoryCounters {
  const pageSizeBytes = treePageSizeBytes(tree);
  const inKib = (pages: number | undefined) =>
    pages === undefined ? undefined : pagesToKib(pages, pageSizeBytes);
  const meminfo = parseMeminfo(readTreeFile(tree, "proc/meminfo") ?? "").value.values;
  const vmstat = parseVmstat(readTreeFile(tree, "proc/vmstat") ?? "").value.values;
  const zoneinfo = parseZoneinfo(readTreeFile(tree, "proc/zoneinfo") ?? "").value;
  const vmallocinfo = parseVmallocinfo(readTreeFile(tree, "proc/vmallocinfo") ?? "").value;
  return {
    meminfo: (key) => meminfo.get(key),
    vmapStack: readVmapStack(vmallocinfo),
    pcpFreeKib: inKib(zoneinfo.pcpFreePages),
    zspagesKib: inKib(vmstat.get("nr_zspages")),
    kernelRelease: readTreeFile(tree, "proc/sys/kernel/osrelease")?.trim(),
  };
}

/** A file under fixtures/malformed. */
export function readMalformed(file: string): string {
  return readFileSync(path.join(FIXTURES, "malformed", file), "utf8");
}

/** The names of all files under fixtures/malformed, sorted. */
export function malformedFiles(): string[] {
  return readdirSync(path.join(FIXTURES, "malformed")).sort();
}

/** Where the golden composition of a tree lies. */
export function goldenPath(tree: string): string {
  return path.join(FIXTURES, "golden", `${tree}.json`);
}

/** The composition of a tree as its golden file holds it; what the kernel does not report is null. */
export function goldenText(tree: string): string {
  const absentAsNull = (_key: string, value: unknown) => (value === undefined ? null : value);
  return `${JSON.stringify(composeMemory(treeCounters(tree)), absentAsNull, 2)}\n`;
}
