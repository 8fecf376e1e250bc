import { isKernelKey } from "./kernel-key.ts";
import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/**
 * /proc/spl/kstat/zfs/arcstats of OpenZFS: `name type data`, after a line of numbers and one of titles. World-readable. Every
 * counter that is no less than 0, by its name; `size`, `c_min`, `c_max` are bytes.
 */
export function parseArcstats(
  text: string,
  path = "/proc/spl/kstat/zfs/arcstats",
): Parsed<ReadonlyMap<string, number>> {
  const warnings = collectWarnings(path);
  const values = new Map<string, number>();
  for (const line of scanLines(text)) {
    const [name, type, data, ...rest] = splitFields(line.text);
    if (name === undefined || (name === "name" && type === "type")) continue;
    // The head: `13 1 0x01 123 33456 ...`.
    if (line.lineNumber === 1 && /^\d+$/.test(name)) continue;
    const isRow = type !== undefined && /^[0-7]$/.test(type) && data !== undefined && /^-?\d+$/.test(data);
    if (!isRow || rest.length > 0 || !isKernelKey(name) || values.has(name) || !line.terminated) {
      warnings.add(line, "a name, a type and a number, each name once");
      continue;
    }
    const value = parseCount(data);
    if (value !== undefined) values.set(name, value);
  }
  return { value: values, warnings: warnings.list };
}
