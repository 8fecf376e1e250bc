import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

export interface Version {
  /** What `uname -r` prints. */
  readonly release: string;
  /** The whole line, with compiler and build. */
  readonly banner: string;
}

/**
 * /proc/version. Kernel document: Documentation/filesystems/proc.rst; since the beginning. World-readable. Absent when
 * no line starts with `Linux version`.
 */
export function parseVersion(text: string, path = "/proc/version"): Parsed<Version | undefined> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    const banner = line.text.trim();
    if (banner === "") continue;
    const release = /^Linux version (\S+)(?: |$)/.exec(banner)?.[1];
    if (release !== undefined && (line.terminated || banner.length > `Linux version ${release}`.length)) {
      return { value: { release, banner }, warnings: warnings.list };
    }
    warnings.add(line, "`Linux version RELEASE ...`");
  }
  return { value: undefined, warnings: warnings.list };
}
