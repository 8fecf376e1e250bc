import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/**
 * The counters of /proc/meminfo under the kernel's names, known or not: kB (KiB) each, save the four `HugePages_*`,
 * which count huge pages. This is also the form that travels: `Object.fromEntries(meminfo.values)`.
 */
export interface Meminfo {
  readonly values: ReadonlyMap<string, number>;
}

/** Whether a key of /proc/meminfo counts huge pages and not kB. */
export function isHugePageCount(key: string): boolean {
  return key.startsWith("HugePages_");
}

/**
 * /proc/meminfo. Kernel document: Documentation/filesystems/proc.rst; this layout since 2.6 (2.4 put a table before
 * it, whose lines come back as warnings). World-readable. A key that the kernel does not print is absent from the map.
 * A missing unit is accepted (`awk '{print $1,$2}'`), another unit than kB is not.
 */
export function parseMeminfo(text: string, path = "/proc/meminfo"): Parsed<Meminfo> {
  const warnings = collectWarnings(path);
  const values = new Map<string, number>();
  for (const line of scanLines(text)) {
    if (line.text.trim() === "") continue;
    const colon = line.text.indexOf(":");
    const key = line.text.slice(0, Math.max(colon, 0)).trim();
    const [token, unit, ...rest] = splitFields(line.text.slice(colon + 1));
    const value = parseCount(token);
    if (!isKernelKey(key) || value === undefined || rest.length > 0) {
      warnings.add(line, "`Key: N kB` with N below 2^53");
    } else if (unit === undefined && !line.terminated) {
      warnings.add(line, "a unit or a line end: the number may be cut");
    } else if (unit !== undefined && (unit !== "kB" || isHugePageCount(key))) {
      warnings.add(line, isHugePageCount(key) ? "a count of pages without unit" : "the unit kB");
    } else if (values.has(key)) {
      warnings.add(line, "each key once");
    } else {
      values.set(key, value);
    }
  }
  return { value: { values }, warnings: warnings.list };
}
