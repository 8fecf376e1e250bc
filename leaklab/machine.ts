import { readFileSync, readdirSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";

/** Where the memory controller is mounted, and in which of its two forms. */
export interface MemoryHierarchy {
  readonly mode: "v1" | "v2";
  readonly root: string;
}

/** The machine cannot do what was asked; the message says what is missing and what would help. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

const TMPFS_MAGIC = 0x01021994;

/**
 * Finds the memory controller in the text of /proc/mounts: a v1 mount that carries it, else the unified hierarchy when
 * its `cgroup.controllers` names it. `undefined` when neither does.
 */
export function findMemoryHierarchy(
  mounts: string,
  controllersOf: (root: string) => string = readControllers,
): MemoryHierarchy | undefined {
  const rows = mounts.split("\n").map((line) => line.split(" "));
  for (const [, mount, type, options] of rows) {
    if (type === "cgroup" && mount !== undefined && options?.split(",").includes("memory")) {
      return { mode: "v1", root: mount };
    }
  }
  for (const [, mount, type] of rows) {
    if (type === "cgroup2" && mount !== undefined && controllersOf(mount).split(/\s+/).includes("memory")) {
      return { mode: "v2", root: mount };
    }
  }
  return undefined;
}

function readControllers(root: string): string {
  try {
    return readFileSync(path.join(root, "cgroup.controllers"), "utf8");
  } catch {
    return "";
  }
}

/** Fields of /proc/meminfo in KiB, under the kernel's names. */
export function readMeminfo(): ReadonlyMap<string, number> {
  return parseMeminfo(readFileSync("/proc/meminfo", "utf8")).value.values;
}

/** Memory cgroups known to the kernel, live and dying together; `undefined` where the kernel does not say. */
export function countMemoryCgroups(hierarchy: MemoryHierarchy): number | undefined {
  if (hierarchy.mode === "v1") {
    const row = /^memory\t\d+\t(\d+)\t/m.exec(readFileSync("/proc/cgroups", "utf8"));
    return row ? Number(row[1]) : undefined;
  }
  const counts = readCgroupStat(hierarchy.root);
  const live = counts.get("nr_subsys_memory") ?? counts.get("nr_descendants");
  const dying = counts.get("nr_dying_subsys_memory") ?? counts.get("nr_dying_descendants");
  return live === undefined || dying === undefined ? undefined : live + dying;
}

/**
 * Removed memory cgroups that the kernel still holds. On v1 the live ones are counted by walking the directories, so
 * cgroups that come and go meanwhile shift the number by a few.
 */
export function countDyingCgroups(hierarchy: MemoryHierarchy): number | undefined {
  if (hierarchy.mode === "v2") {
    const counts = readCgroupStat(hierarchy.root);
    return counts.get("nr_dying_subsys_memory") ?? counts.get("nr_dying_descendants");
  }
  const known = countMemoryCgroups(hierarchy);
  return known === undefined ? undefined : known - countDirectories(hierarchy.root);
}

function readCgroupStat(root: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of readFileSync(path.join(root, "cgroup.stat"), "utf8").split("\n")) {
    const [key, value] = line.split(" ");
    if (key !== undefined && value !== undefined) counts.set(key, Number(value));
  }
  return counts;
}

function countDirectories(root: string): number {
  let entries;
  try {
    entries = readdirSync(root, { withFileTypes: true });
  } catch {
    return 0;
  }
  let count = 1;
  for (const entry of entries)
    if (entry.isDirectory()) count += countDirectories(path.join(root, entry.name));
  return count;
}

/** Whether a directory lies in memory, where files are never written back. */
export function isTmpfs(directory: string): boolean {
  return statfsSync(directory).type === TMPFS_MAGIC;
}

/**
 * What one removed container that left a file behind costs, in KiB: about 16 KiB of slab and vmalloc, two KiB per CPU
 * of per-CPU counters, and a page for the file. Measured on 6.18 and rounded up.
 */
export function estimateKibPerContainer(): number {
  return 24 + 2 * os.cpus().length;
}
