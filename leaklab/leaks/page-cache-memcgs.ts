import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLanes } from "../container-lanes.ts";
import { hasCode, isDirectory, removeCgroup } from "../lab.ts";
import { lacks, needsRoot, type Leak, type LeakPlace } from "../leak.ts";
import { CannotRun } from "../machine.ts";

/** Parent of the containers, below the root of the memory controller. */
function cgroupOf({ hierarchy, name }: LeakPlace): string {
  if (hierarchy === undefined) throw new CannotRun("this machine has no memory controller");
  return path.join(hierarchy.root, name);
}

async function clean(place: LeakPlace): Promise<string> {
  const found = [];
  if (isDirectory(place.disk)) {
    found.push(`${readdirSync(place.disk).length} files`);
    rmSync(place.disk, { recursive: true });
  }
  if (place.hierarchy !== undefined && isDirectory(cgroupOf(place))) {
    const parent = cgroupOf(place);
    for (const entry of readdirSync(parent, { withFileTypes: true })) {
      if (entry.isDirectory()) await removeCgroup(path.join(parent, entry.name));
    }
    await removeCgroup(parent);
    found.push("a cgroup");
  }
  return found.join(" and ");
}

/**
 * Containers that each write a file to disk. The page that caches it is charged to the container's memory cgroup, which
 * therefore stays dying after its directory is gone, until the cache is dropped.
 */
export const pageCacheMemcgs: Leak = {
  name: "page-cache-memcgs",
  summary: "memory cgroups that the page cache of their files keeps from dying",
  unit: "containers",
  count: 1000,
  most: 5000,
  stays: true,
  missing: () => lacks(needsRoot("making cgroups")),
  predict: (count, cpus) => ({
    sunrecl: Math.round(count * 11.8),
    percpu: Math.round(count * 1.94 * cpus),
    vmalloc: Math.round(count * 4.3),
    file: count * 4,
  }),
  async start(place, count) {
    const cgroup = cgroupOf(place);
    mkdirSync(place.disk);
    mkdirSync(cgroup);
    if (place.hierarchy?.mode === "v2") writeFileSync(path.join(cgroup, "cgroup.subtree_control"), "+memory");
    const lanes = openLanes({ cgroup, exits: place.disk, liveSeconds: 0, most: 2 });
    let made = 0;
    try {
      for (let index = 0; index < count; index += 1) {
        const id = `c${index}`;
        mkdirSync(path.join(cgroup, id));
        if (await lanes.run(id)) made += 1;
        await removeEmptied(path.join(cgroup, id));
      }
    } finally {
      await lanes.close();
    }
    // A page that still has to be written back is kept by that, and not by the cache.
    execFileSync("sync", ["-f", place.disk]);
    return { made, release: async () => void (await clean(place)) };
  },
  clean,
};

/** The process of a container may still be leaving when its work is done. */
async function removeEmptied(directory: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      rmdirSync(directory);
      return;
    } catch (error) {
      if (!hasCode(error, "EBUSY") || attempt >= 100) throw error;
      await sleep(5);
    }
  }
}
