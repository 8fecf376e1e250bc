import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

/**
 * /proc/sys/kernel/osrelease: what `uname -r` prints. Kernel document: Documentation/admin-guide/sysctl/kernel.rst;
 * since 2.0. World-readable.
 */
export function parseOsrelease(
  text: string,
  path = "/proc/sys/kernel/osrelease",
): Parsed<string | undefined> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    const release = line.text.trim();
    if (/^\d[\x21-\x7e]{0,127}$/.test(release)) return { value: release, warnings: warnings.list };
    warnings.add(line, "a kernel release, `6.1.0-13-amd64`");
  }
  return { value: undefined, warnings: warnings.list };
}
