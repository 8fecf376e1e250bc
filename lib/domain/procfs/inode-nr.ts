import { parseNumberLine } from "./number-line.ts";
import type { Parsed } from "./parse-error.ts";

export interface InodeNr {
  /** Inodes in memory, of all file systems. */
  readonly inodes: number;
  readonly freeInodes: number;
}

/** /proc/sys/fs/inode-nr. Kernel document: Documentation/admin-guide/sysctl/fs.rst; since 2.2 or earlier. World-readable. */
export function parseInodeNr(text: string, path = "/proc/sys/fs/inode-nr"): Parsed<InodeNr | undefined> {
  const { value, warnings } = parseNumberLine(text, {
    path,
    least: 2,
    expected: "inodes in memory and those of them that are free",
  });
  const [inodes, freeInodes] = value;
  return {
    value: inodes === undefined || freeInodes === undefined ? undefined : { inodes, freeInodes },
    warnings,
  };
}
