import { parseMemoryStat } from "#lib/domain/procfs/memory-stat.ts";
import { parseSingleNumber } from "#lib/domain/procfs/number-line.ts";
import { withoutUndefined, type SourceSections } from "#lib/domain/snapshot/build-sections.ts";
import { listDirectory, readSource } from "./read-sources.ts";

type CgroupTree = NonNullable<SourceSections["cgroupTrees"]>[number];

/** What was found, and how far the search went. */
export interface TreeSearch {
  trees: CgroupTree[];
  /** The search ended before all that is large was looked at. */
  isCut: boolean;
}

const MOST_TREES = 40;
/** Counters of children that are read to find the largest; each costs some 20 µs. */
const MOST_CANDIDATES = 2000;

/**
 * The largest trees of memory cgroups below `hierarchy`, the largest first but never before their parent: a child holds no more
 * than its parent, so only children of what is large are looked at. Throws when the root cannot be read.
 */
export function findLargestTrees(hierarchy: string, v1: boolean): TreeSearch {
  const trees: CgroupTree[] = [];
  let candidates: { path: string; usageBytes: number }[] = [{ path: "", usageBytes: Infinity }];
  let looked = 0;
  while (trees.length < MOST_TREES && candidates.length > 0) {
    const largest = candidates.reduce((best, each) => (each.usageBytes > best.usageBytes ? each : best));
    candidates = candidates.filter((each) => each !== largest);
    const directory = `${hierarchy}${largest.path}`;
    let children: string[];
    try {
      children = listDirectory(directory).directories;
    } catch (error) {
      // Gone meanwhile; without the root there is nothing to tell.
      if (largest.path === "") throw error;
      continue;
    }
    trees.push(describeTree(hierarchy, largest.path, v1));
    for (const child of children.slice(0, MOST_CANDIDATES - looked)) {
      looked += 1;
      const path = `${largest.path}/${child}`;
      const usageBytes = readNumber(`${hierarchy}${path}/${v1 ? "memory.usage_in_bytes" : "memory.current"}`);
      if (usageBytes !== undefined && usageBytes > 0 && isSayable(path)) {
        candidates.push({ path, usageBytes });
      }
    }
  }
  return { trees, isCut: looked >= MOST_CANDIDATES };
}

function describeTree(hierarchy: string, path: string, v1: boolean): CgroupTree {
  const directory = `${hierarchy}${path}`;
  const stat = parseMemoryStat(readSource(`${directory}/memory.stat`).text ?? "").value;
  const inKib = (bytes: number | undefined) => (bytes === undefined ? undefined : Math.round(bytes / 1024));
  const kernelBytes = v1 ? readNumber(`${directory}/memory.kmem.usage_in_bytes`) : stat.kernelBytes;
  return withoutUndefined({
    path: path === "" ? "/" : path,
    usageKib: inKib(readNumber(`${directory}/${v1 ? "memory.usage_in_bytes" : "memory.current"}`)),
    kernelKib: inKib(kernelBytes),
    anonKib: inKib(stat.anonBytes),
    fileKib: inKib(stat.fileBytes),
    shmemKib: inKib(stat.shmemBytes),
    slabKib: inKib(stat.slabBytes),
    slabUnreclaimableKib: inKib(stat.slabUnreclaimableBytes),
    kernelStackKib: inKib(stat.kernelStackBytes),
    pageTablesKib: inKib(stat.pageTablesBytes),
    percpuKib: inKib(stat.percpuBytes),
    vmallocKib: inKib(stat.vmallocBytes),
    sockKib: inKib(stat.sockBytes),
  });
}

function readNumber(file: string): number | undefined {
  const { text } = readSource(file);
  return text === undefined ? undefined : parseSingleNumber(text, file).value;
}

function isSayable(path: string): boolean {
  return path.length <= 1000 && path.isWellFormed() && !/\p{Cc}/u.test(path);
}
