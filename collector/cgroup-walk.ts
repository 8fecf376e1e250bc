import { isContainerCgroup } from "./container-runtimes.ts";
import { listDirectory, readDirectoryFacts } from "./read-sources.ts";

/** What one walk over a cgroup hierarchy saw. */
export interface CgroupWalk {
  /** Directories, the root included: cgroups that are alive. */
  live: number;
  /** Those of them that hold a container. */
  containers: number;
  /** Directories of containers, the first few hundred. */
  containerDirectories: string[];
  /** Inode numbers of all directories. */
  inodes: number[];
  /** Inode number of the root; 1 on a hierarchy that is seen from its top. */
  rootInode: number;
  /** Files in the root. */
  rootFiles: number;
  /** Control files of the fullest cgroup looked into; absent when there is only the root. */
  filesPerCgroup: number | undefined;
  /** Directories whose inode was not known before. */
  newDirectories: number;
  /** Those of them without subdirectories, below the root; the first ten thousand. */
  newLeaves: string[];
  /** Directories that could not be looked into; the counts are too low then. */
  denied: number;
  costMs: number;
}

const MOST_DIRECTORIES = 200_000;
const MOST_NEW_LEAVES = 10_000;
const MOST_CONTAINERS_NAMED = 500;
/** So many leaves are read for their number of files; the others are known to have no subdirectories by their links. */
const LEAVES_TO_READ = 3;

/**
 * Walks a cgroup hierarchy. A directory with two links has no subdirectories and is not read: one system call for
 * each leaf. `known` are the inodes of the walk before. Directories that go away meanwhile are not counted. Throws when the root cannot be read.
 */
export function walkCgroups(root: string, known: ReadonlySet<number> = new Set()): CgroupWalk {
  const startedAt = performance.now();
  const { inode: rootInode } = readDirectoryFacts(root);
  const top = listDirectory(root);
  const walk: CgroupWalk = {
    live: 1,
    containers: 0,
    containerDirectories: [],
    inodes: [rootInode],
    rootInode,
    rootFiles: top.files,
    filesPerCgroup: undefined,
    newDirectories: 0,
    newLeaves: [],
    denied: 0,
    costMs: 0,
  };
  const pending = top.directories.map((name) => ({ directory: `${root}/${name}`, name }));
  let leavesRead = 0;
  for (let next = pending.pop(); next !== undefined && walk.live < MOST_DIRECTORIES; next = pending.pop()) {
    const { directory, name } = next;
    try {
      const { inode, links } = readDirectoryFacts(directory);
      walk.live += 1;
      walk.inodes.push(inode);
      if (isContainerCgroup(name)) {
        walk.containers += 1;
        if (walk.containers <= MOST_CONTAINERS_NAMED) walk.containerDirectories.push(directory);
      }
      if (!known.has(inode)) {
        walk.newDirectories += 1;
        if (links === 2 && walk.newLeaves.length < MOST_NEW_LEAVES) {
          walk.newLeaves.push(directory.slice(root.length + 1));
        }
      }
      if (links === 2) {
        if (leavesRead >= LEAVES_TO_READ) continue;
        leavesRead += 1;
      }
      const listed = listDirectory(directory);
      walk.filesPerCgroup = Math.max(walk.filesPerCgroup ?? 0, listed.files);
      for (const child of listed.directories) {
        pending.push({ directory: `${directory}/${child}`, name: child });
      }
    } catch (error) {
      if (isGone(error)) continue;
      walk.denied += 1;
    }
  }
  walk.costMs = performance.now() - startedAt;
  return walk;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENODEV");
}
