import { parseNumberLine } from "./number-line.ts";
import type { Parsed } from "./parse-error.ts";

export interface FileNr {
  /** File handles that are allocated. Before 2.6 the second number, unused ones, was part of them; since then it is 0. */
  readonly allocated: number;
  readonly max: number;
}

/** /proc/sys/fs/file-nr. Kernel document: Documentation/admin-guide/sysctl/fs.rst; since 2.2 or earlier. World-readable. */
export function parseFileNr(text: string, path = "/proc/sys/fs/file-nr"): Parsed<FileNr | undefined> {
  const { value, warnings } = parseNumberLine(text, {
    path,
    least: 3,
    expected: "allocated, unused and most file handles",
  });
  const [allocated, , max] = value;
  // Without a limit the kernel prints the largest number there is, which is beyond 2^53.
  const whole = allocated !== undefined && value.length >= 3;
  return {
    value: whole ? { allocated, max: max ?? Number.MAX_SAFE_INTEGER } : undefined,
    warnings,
  };
}
