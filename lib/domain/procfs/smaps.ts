import type { Parsed } from "./parse-error.ts";
import { collectWarnings } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/**
 * The page size of the machine, bytes, from the first `KernelPageSize` in /proc/self/smaps. Kernel document:
 * Documentation/filesystems/proc.rst; the line since 2.6.29. A process may always read its own. Its first mapping is
 * that of its program, which no huge page holds.
 */
export function parsePageSizeBytes(text: string, path = "/proc/self/smaps"): Parsed<number | undefined> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    const [key, token, unit] = splitFields(line.text);
    if (key !== "KernelPageSize:") continue;
    const kib = parseCount(token);
    if (kib !== undefined && kib > 0 && unit === "kB") {
      return { value: kib * 1024, warnings: warnings.list };
    }
    warnings.add(line, "`KernelPageSize: N kB`");
  }
  return { value: undefined, warnings: warnings.list };
}
