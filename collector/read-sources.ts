import {
  closeSync,
  fstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statfsSync,
  statSync,
  type Dir,
} from "node:fs";
import type { SourceReport, SourceText } from "#lib/domain/snapshot/take-source.ts";
import { codeOf, messageOf } from "./log.ts";

const MOST_BYTES = 16 * 1024 * 1024;
let buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * Reads a file whole. The size that the kernel reports for its own files is 0 or a page and means nothing, so it is
 * read until it ends; beyond `mostBytes` it is cut and the status says so. Never throws.
 */
export function readSource(file: string, mostBytes = MOST_BYTES): SourceText {
  const startedAt = performance.now();
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    let length = 0;
    for (;;) {
      if (length === buffer.length) {
        if (length >= mostBytes) break;
        const larger = Buffer.allocUnsafe(buffer.length * 2);
        buffer.copy(larger);
        buffer = larger;
      }
      const room = Math.min(buffer.length, mostBytes + 1) - length;
      const read = room > 0 ? readSync(descriptor, buffer, length, room, null) : 0;
      if (read === 0) break;
      length += read;
    }
    const truncated = length > mostBytes;
    const text = buffer.toString("utf8", 0, Math.min(length, mostBytes));
    const readMs = elapsedMs(startedAt);
    return truncated
      ? { status: "truncated", text, readMs, detail: `longer than ${mostBytes} bytes` }
      : { status: "ok", text, readMs };
  } catch (error) {
    return { ...explainFailure(error), readMs: elapsedMs(startedAt) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** What a failed read means: not there, not allowed, or there and not readable as it should be. */
export function explainFailure(error: unknown): SourceReport {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENODEV":
    case "ENXIO":
    case "EOPNOTSUPP":
      return { status: "absent" };
    case "EACCES":
    case "EPERM":
      return { status: "denied" };
    default:
      return { status: "malformed", detail: messageOf(error).slice(0, 200) };
  }
}

/** Sizes of one mounted file system, KiB and inodes. A file system without a bound on either leaves it out. */
export interface FileSystemUse {
  magic: number;
  sizeKib?: number;
  usedKib: number;
  inodes?: number;
  inodesUsed?: number;
}

/** Asks a mounted file system for its size. Throws what the system call throws. */
export function readFileSystemUse(directory: string): FileSystemUse {
  const { type, bsize, blocks, bfree, files, ffree } = statfsSync(directory);
  const inKib = (count: number) => Math.round((count * bsize) / 1024);
  const use: FileSystemUse = { magic: type, usedKib: inKib(blocks - bfree) };
  if (blocks > 0) use.sizeKib = inKib(blocks);
  if (files > 0) {
    use.inodes = files;
    use.inodesUsed = files - ffree;
  }
  return use;
}

/** Entries of a directory, counted as they stream by; `atLeast` when counting stopped at `most`. */
export interface EntryCount {
  files: number;
  atLeast: boolean;
}

/** Counts the entries of a directory without holding their names. Throws what opening it throws. */
export function countEntries(directory: string, most: number): EntryCount {
  const entries: Dir = opendirSync(directory, { bufferSize: 1024 });
  try {
    let files = 0;
    while (entries.readSync() !== null) {
      files += 1;
      if (files >= most) return { files, atLeast: true };
    }
    return { files, atLeast: false };
  } finally {
    entries.closeSync();
  }
}

/** What the walk over cgroup directories needs of one of them. */
export interface DirectoryFacts {
  inode: number;
  /** Two and one for each subdirectory, where the file system counts them. */
  links: number;
}

/** Throws what the system call throws. */
export function readDirectoryFacts(directory: string): DirectoryFacts {
  const { ino, nlink } = statSync(directory);
  return { inode: ino, links: nlink };
}

/** Names in a directory, apart by kind. Throws what the system call throws. */
export function listDirectory(directory: string): { directories: string[]; files: number } {
  const directories: string[] = [];
  let files = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) directories.push(entry.name);
    else files += 1;
  }
  return { directories, files };
}

/** All names in a directory. Throws what the system call throws. */
export function listNames(directory: string): string[] {
  return readdirSync(directory);
}

/** Where a symbolic link points, as it stands in it. Throws what the system call throws. */
export function readLinkText(link: string): string {
  return readlinkSync(link);
}

/** Symbolic links in a directory with what stands in them. Throws when the directory cannot be listed. */
export function listLinks(directory: string): { name: string; target: string }[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isSymbolicLink()) return [];
    try {
      return [{ name: entry.name, target: readlinkSync(`${directory}/${entry.name}`) }];
    } catch {
      // Gone meanwhile.
      return [];
    }
  });
}

/** Milliseconds since a `performance.now()`, to the microsecond: what reading took. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}

/** What standard input is: a file, or something that a program may write into. */
export function readInputKind(): { readonly isFile: boolean; readonly isPipe: boolean } {
  try {
    const stat = fstatSync(0);
    return { isFile: stat.isFile(), isPipe: stat.isFIFO() || stat.isSocket() };
  } catch {
    return { isFile: false, isPipe: false };
  }
}
