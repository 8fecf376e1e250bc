import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

export interface Stat {
  /** CPUs online, by their lines; absent when there is none. */
  readonly cpus: number | undefined;
  /** Forks and clones since boot. */
  readonly processes: number | undefined;
  /** When the kernel booted, seconds since the epoch, as the node's clock now sees it: it moves when the clock is set. */
  readonly btimeSeconds: number | undefined;
  /** Every line that holds one number: ctxt, btime, processes, procs_running, procs_blocked, ... */
  readonly values: ReadonlyMap<string, number>;
  /** The columns of the line `cpu`, in ticks: user, nice, system, idle, iowait, irq, softirq, steal, ... */
  readonly cpuTicks: readonly number[];
}

/**
 * /proc/stat. Kernel document: Documentation/filesystems/proc.rst; `processes` and `btime` since 2.2 or earlier.
 * World-readable. The long lines `intr` and `softirq` are passed over.
 */
export function parseStat(text: string, path = "/proc/stat"): Parsed<Stat> {
  const warnings = collectWarnings(path);
  const values = new Map<string, number>();
  let cpuTicks: readonly number[] = [];
  let cpus = 0;
  for (const line of scanLines(text)) {
    if (line.text.startsWith("intr ") || line.text.startsWith("softirq ")) continue;
    const [key, ...tokens] = splitFields(line.text);
    if (key === undefined) continue;
    const numbers = tokens.map(parseCount);
    const whole = numbers.filter((each) => each !== undefined);
    if (whole.length === 0 || whole.length < tokens.length || !isKernelKey(key)) {
      warnings.add(line, "a key and integers below 2^53");
    } else if (!line.terminated) {
      warnings.add(line, "a line end: the last number may be cut");
    } else if (key === "cpu") {
      cpuTicks = whole;
    } else if (/^cpu\d{1,6}$/.test(key)) {
      cpus += 1;
    } else if (whole.length === 1 && whole[0] !== undefined && !values.has(key)) {
      values.set(key, whole[0]);
    } else {
      warnings.add(line, "each key once, with one number");
    }
  }
  return {
    value: {
      cpus: cpus === 0 ? undefined : cpus,
      processes: values.get("processes"),
      btimeSeconds: values.get("btime"),
      values,
      cpuTicks,
    },
    warnings: warnings.list,
  };
}
