import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/** /proc/loadavg. Kernel document: proc_loadavg(5). World-readable. Only what counts tasks: `threads` of all processes. */
export function parseLoadavg(
  text: string,
  path = "/proc/loadavg",
): Parsed<{ readonly threads: number } | undefined> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    if (line.text.trim() === "") continue;
    const tasks = /^(\d+)\/(\d+)$/.exec(splitFields(line.text)[3] ?? "");
    // The number of a process follows, so that the fourth field is whole even where the line is cut.
    const isWhole = line.terminated || splitFields(line.text).length > 4;
    const threads = parseCount(tasks?.[2]);
    if (threads !== undefined && isWhole) return { value: { threads }, warnings: warnings.list };
    warnings.add(line, "three averages, `running/all` tasks and a number");
    break;
  }
  return { value: undefined, warnings: warnings.list };
}
