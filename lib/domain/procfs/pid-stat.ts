import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

/** What is used of /proc/PID/stat. Times in clock ticks (USER_HZ, 100 a second everywhere Linux runs today). */
export interface PidStat {
  /** One letter: R running, S sleeping, D in uninterruptible sleep, Z zombie, … */
  readonly state: string;
  readonly parentPid: number;
  readonly userTicks: number;
  readonly systemTicks: number;
  /** Since boot, as printed: tells a process from a later one with the same number. */
  readonly startTicks: string;
}

/**
 * /proc/PID/stat: one line of 52 fields. Kernel document: proc_pid_stat(5). World-readable (unless hidepid).
 * The command name in parentheses may hold spaces and parentheses itself: fields are counted from the last one.
 */
export function parsePidStat(text: string, path = "/proc/PID/stat"): Parsed<PidStat | undefined> {
  const warnings = collectWarnings(path);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = ""] = fields;
  const startTicks = fields[19] ?? "";
  const parentPid = Number(fields[1]);
  const userTicks = Number(fields[11]);
  const systemTicks = Number(fields[12]);
  if (
    !/^[A-Za-z]$/.test(state) ||
    !/^\d+$/.test(startTicks) ||
    !Number.isFinite(parentPid + userTicks + systemTicks)
  ) {
    for (const line of scanLines(text)) {
      warnings.add(line, "pid (command) state and at least 19 more fields");
      break;
    }
    return { value: undefined, warnings: warnings.list };
  }
  return { value: { state, parentPid, userTicks, systemTicks, startTicks }, warnings: warnings.list };
}
