import { parseNumberLine } from "./number-line.ts";
import type { Parsed } from "./parse-error.ts";

export interface DentryState {
  readonly dentries: number;
  readonly unused: number;
  /** Names that do not exist; undefined where the kernel does not count them. */
  readonly negative: number | undefined;
}

/**
 * /proc/sys/fs/dentry-state. Kernel document: Documentation/admin-guide/sysctl/fs.rst; since 2.2 or earlier. World-readable. The
 * fifth number counts negative dentries since about 5.1 and is a dummy 0 before. A machine that looks up names has always
 * some, so a 0 is taken for the dummy.
 */
export function parseDentryState(
  text: string,
  path = "/proc/sys/fs/dentry-state",
): Parsed<DentryState | undefined> {
  const { value, warnings } = parseNumberLine(text, {
    path,
    least: 2,
    expected: "dentries, unused dentries and four more numbers",
  });
  const [dentries, unused, , , negative] = value;
  return {
    value:
      dentries === undefined || unused === undefined
        ? undefined
        : { dentries, unused, negative: negative === 0 ? undefined : negative },
    warnings,
  };
}
