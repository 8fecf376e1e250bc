import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

export interface Mount {
  readonly mountId: number;
  /** What of the file system is mounted; `net:[4026531840]` for a namespace that is kept by a mount. */
  readonly root: string;
  /** Where it is mounted, without the kernel's octal escapes. */
  readonly mountPoint: string;
  readonly type: string;
  /** Comma-separated options of the file system: `rw,name=systemd`. */
  readonly superOptions: string;
}

/**
 * /proc/PID/mountinfo. Kernel document: Documentation/filesystems/proc.rst; since 2.6.26. Readable for whoever may look at the
 * process. Blanks, tabs, line ends and backslashes of a path are octal escapes there.
 */
export function parseMountinfo(text: string, path = "/proc/PID/mountinfo"): Parsed<readonly Mount[]> {
  const warnings = collectWarnings(path);
  const mounts: Mount[] = [];
  for (const line of scanLines(text)) {
    if (line.text.trim() === "") continue;
    const fields = line.text.split(" ");
    // Optional fields stand between the sixth and a hyphen.
    const hyphen = fields.indexOf("-", 6);
    const mountId = parseCount(fields[0]);
    const [mountPoint, type] = [fields[4], fields[hyphen + 1]];
    if (
      hyphen === -1 ||
      mountId === undefined ||
      mountPoint === undefined ||
      !mountPoint.startsWith("/") ||
      type === undefined ||
      !/^[\x21-\x7e]{1,64}$/.test(type) ||
      !line.terminated
    ) {
      warnings.add(line, "`id parent major:minor root mount-point options - type source options`");
    } else {
      mounts.push({
        mountId,
        root: fields[3] ?? "",
        mountPoint: unescapePath(mountPoint),
        type,
        superOptions: fields[hyphen + 3] ?? "",
      });
    }
  }
  return { value: mounts, warnings: warnings.list };
}

function unescapePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}
