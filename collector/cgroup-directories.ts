import type { SourceSections } from "#lib/domain/snapshot/build-sections.ts";
import { SECTION_LIMITS } from "#lib/domain/snapshot/source-sections.ts";
import { foldIds, mergeNumbered } from "./cgroup-creator.ts";
import { listDirectory, readDirectoryFacts, readSource } from "./read-sources.ts";

type Hierarchy = NonNullable<SourceSections["cgroupDirectories"]>[number];

/** Counts of one hierarchy; `isCut` when it has more directories than are looked at. */
export type DirectoryCount = Hierarchy & { isCut: boolean };

const MOST_DIRECTORIES = 20_000;

/**
 * Counts the directories of a cgroup hierarchy and those of them that hold nothing: no process and no directory. Throws when the
 * root cannot be read.
 */
export function countEmptyDirectories(root: string, hierarchy: string): DirectoryCount {
  const clusters = new Map<string, number>();
  let directories = 1;
  let empty = 0;
  const pending = listDirectory(root).directories.map((name) => ({ path: `${root}/${name}`, name }));
  for (let next = pending.pop(); next !== undefined && directories < MOST_DIRECTORIES; next = pending.pop()) {
    const { path, name } = next;
    let children: string[];
    try {
      children = readDirectoryFacts(path).links === 2 ? [] : listDirectory(path).directories;
    } catch {
      // Gone meanwhile, or closed to us: it is not known to be empty.
      continue;
    }
    directories += 1;
    for (const child of children) pending.push({ path: `${path}/${child}`, name: child });
    if (children.length > 0 || !isUnpopulated(path)) continue;
    empty += 1;
    const cluster = clusterName(name);
    clusters.set(cluster, (clusters.get(cluster) ?? 0) + 1);
  }
  mergeNumbered(clusters);
  return {
    hierarchy,
    directories,
    empty,
    clusters: [...clusters]
      .sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
      .slice(0, SECTION_LIMITS.cgroupNameClusters)
      .map(([name, count]) => ({ name, empty: count })),
    isCut: pending.length > 0,
  };
}

/** v1 has no cgroup.events; threads without a process of their own stand in its `tasks` alone. */
function isUnpopulated(directory: string): boolean {
  const events = readSource(`${directory}/cgroup.events`);
  if (events.text !== undefined) return /^populated 0$/m.test(events.text);
  const tasks = readSource(`${directory}/tasks`, 64);
  return tasks.text?.trim() === "";
}

/** What names of one kind have in common: ids become `*`. */
export function clusterName(name: string): string {
  return foldIds(name).slice(0, 200);
}
