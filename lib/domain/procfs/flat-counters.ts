import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/**
 * The layout that several kernel files share: `key value`, one counter a line. Every key is kept. Of a key that stands
 * twice the first value counts.
 */
export function parseFlatCounters(text: string, path: string): Parsed<ReadonlyMap<string, number>> {
  const warnings = collectWarnings(path);
  const values = new Map<string, number>();
  for (const line of scanLines(text)) {
    const [key, token, ...rest] = splitFields(line.text);
    if (key === undefined) continue;
    const value = parseCount(token);
    if (value === undefined || rest.length > 0 || !isKernelKey(key)) {
      warnings.add(line, "a key and an integer below 2^53");
    } else if (!line.terminated) {
      warnings.add(line, "a line end: the last number may be cut");
    } else if (values.has(key)) {
      warnings.add(line, "each key once");
    } else {
      values.set(key, value);
    }
  }
  return { value: values, warnings: warnings.list };
}
