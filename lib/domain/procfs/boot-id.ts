import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

/**
 * /proc/sys/kernel/random/boot_id: a random UUID drawn once for each boot. Kernel document: random(4); since 2.4.
 * World-readable. Returned in lower case.
 */
export function parseBootId(
  text: string,
  path = "/proc/sys/kernel/random/boot_id",
): Parsed<string | undefined> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    const id = line.text.trim().toLowerCase();
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
      return { value: id, warnings: warnings.list };
    }
    if (id !== "") warnings.add(line, "a UUID");
  }
  return { value: undefined, warnings: warnings.list };
}
