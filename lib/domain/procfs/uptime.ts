import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

export interface Uptime {
  /** Since boot, with time spent suspended. */
  readonly uptimeSeconds: number;
  /** Idle time of all CPUs together. */
  readonly idleSeconds: number | undefined;
}

/** /proc/uptime. Kernel document: Documentation/filesystems/proc.rst; since the beginning. World-readable. */
export function parseUptime(text: string, path = "/proc/uptime"): Parsed<Uptime | undefined> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    const fields = splitFields(line.text);
    if (fields.length === 0) continue;
    if (!line.terminated) fields.pop();
    const [uptimeSeconds, idleSeconds] = fields.map(parseSeconds);
    if (uptimeSeconds !== undefined) {
      return { value: { uptimeSeconds, idleSeconds }, warnings: warnings.list };
    }
    warnings.add(line, "two numbers of seconds, `12.34 56.78`");
  }
  return { value: undefined, warnings: warnings.list };
}

function parseSeconds(token: string): number | undefined {
  return /^\d{1,12}(\.\d{1,9})?$/.test(token) ? Number(token) : undefined;
}
