import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

import { pagesToKib } from "#lib/domain/memory/kib.ts";
import type { MemoryCounters } from "#lib/domain/memory/composition.ts";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";
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

/** Page size of the machine a tree was taken from. Every tree has the file; one without it is a mistake. */
export function treePageSizeBytes(tree: string): number {
  const match = /^KernelPageSize: +(\d+) kB$/m.exec(readTreeFile(tree, "proc/self/smaps") ?? "");
  if (!match) throw new Error(`${tree}: no KernelPageSize in proc/self/smaps`);
  return Number(match[1]) * 1024;
}

/** What a collector would hand to `composeMemory` on the machine of a tree. */
export function treeCounters(tree: string): MemoryCounters {
  const pageSizeBytes = treePageSizeBytes(tree);
  const inKib = (pages: number | undefined) =>
    pages === undefined ? undefined : pagesToKib(pages, pageSizeBytes);
  const meminfo = parseMeminfo(readTreeFile(tree, "proc/meminfo") ?? "").value.values;
  const vmstat = parseVmstat(readTreeFile(tree, "proc/vmstat") ?? "").value.values;
  const zoneinfo = parseZoneinfo(readTreeFile(tree, "proc/zoneinfo") ?? "").value;
  return {
    meminfo: (key) => meminfo.get(key),
    pcpFreeKib: inKib(zoneinfo.pcpFreePages),
    zspagesKib: inKib(vmstat.get("nr_zspages")),
    kernelRelease: readTreeFile(tree, "proc/sys/kernel/osrelease")?.trim(),
  };
}
