import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds (user and system) that a process has used, and its resident memory in KiB. Linux only. */
export function processCost(pid: number): { cpuSeconds: number; rssKib: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, rssKib: Number(rss) };
}
