import { readFileSync } from "node:fs";
import { parsePidStat } from "#lib/domain/procfs/pid-stat.ts";

const TICKS_PER_SECOND = 100;

/** CPU seconds (user and system) that a process has used, and its resident memory in KiB. Linux only. */
export function processCost(pid: number): { cpuSeconds: number; rssKib: number } {
  const stat = parsePidStat(readFileSync(`/proc/${pid}/stat`, "utf8")).value;
  if (!stat) throw new Error(`process ${pid} cannot be read`);
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { cpuSeconds: (stat.userTicks + stat.systemTicks) / TICKS_PER_SECOND, rssKib: Number(rss) };
}
