import { readdirSync } from "node:fs";
import path from "node:path";
import type { LogEvent } from "#lib/domain/kernel-log/log-reader.ts";
import { parsePidStat } from "#lib/domain/procfs/pid-stat.ts";
import { readSource } from "./read-sources.ts";

/** A program that stays, as it is known by its process: `ticks` is when it began, since boot. */
export interface KnownService {
  readonly pid: number;
  readonly ticks: string;
}

/** The programs whose restart is worth a mark. */
const SERVICES: ReadonlySet<string> = new Set([
  "kubelet",
  "crio",
  "containerd",
  "dockerd",
  "k3s-server",
  "k3s-agent",
  "rke2",
]);
/** USER_HZ: what /proc prints, 100 on every architecture that Linux runs today. */
const TICKS_PER_SECOND = 100;

/** Watches the processes of the kubelet and of container runtimes. */
export interface ServiceWatch {
  /**
   * Restarts since the last call, by another start time under the same name. `uptimeMs` is that of the machine at `nowMs`.
   * Looks through all processes only when one is gone, or `thorough`.
   */
  look: (times: { nowMs: number; uptimeMs: number; bootId: string; thorough: boolean }) => LogEvent[];
  known: () => Readonly<Record<string, KnownService>>;
}

/** `before` is what an earlier run of the same boot knew: a restart meanwhile is told too. */
export function createServiceWatch(
  proc: string,
  before: Readonly<Record<string, KnownService>>,
): ServiceWatch {
  const known = new Map(Object.entries(before));

  return {
    known: () => Object.fromEntries(known),
    look: ({ nowMs, uptimeMs, bootId, thorough }) => {
      const isComplete = [...known.values()].every(
        ({ pid, ticks }) => statOf(proc, pid)?.startTicks === ticks,
      );
      if (isComplete && !thorough) return [];
      const events: LogEvent[] = [];
      for (const [name, found] of findServices(proc)) {
        const earlier = known.get(name);
        known.set(name, found);
        if (earlier === undefined || earlier.ticks === found.ticks) continue;
        const startedMs = nowMs - uptimeMs + (Number(found.ticks) / TICKS_PER_SECOND) * 1000;
        events.push({
          id: `restart:${bootId}:${name}:${found.ticks}`,
          atMs: Math.min(Math.round(startedMs), nowMs),
          patternId: "service-restart",
          kind: "restart",
          severity: "info",
          by: "service",
          title: `${name} was restarted`,
          text: `Process ${earlier.pid} is gone; process ${found.pid} runs since ${(Number(found.ticks) / TICKS_PER_SECOND).toFixed(0)} s after boot.`,
          subject: name,
        });
      }
      return events;
    },
  };
}

/** The longest running process of each name; daemons that init started come before others of their name. */
function findServices(proc: string): Map<string, KnownService> {
  const found = new Map<string, KnownService & { byInit: boolean }>();
  for (const entry of readdirSync(proc)) {
    if (!/^\d{1,10}$/.test(entry)) continue;
    const name = readSource(path.join(proc, entry, "comm"), 64).text?.trim() ?? "";
    if (!SERVICES.has(name)) continue;
    const stat = statOf(proc, Number(entry));
    if (stat === undefined) continue;
    const candidate = { pid: Number(entry), ticks: stat.startTicks, byInit: stat.parentPid === 1 };
    const other = found.get(name);
    const isBetter =
      other === undefined ||
      (candidate.byInit !== other.byInit ? candidate.byInit : Number(candidate.ticks) < Number(other.ticks));
    if (isBetter) found.set(name, candidate);
  }
  return new Map([...found].map(([name, { pid, ticks }]) => [name, { pid, ticks }]));
}

function statOf(proc: string, pid: number) {
  const { text } = readSource(path.join(proc, String(pid), "stat"), 4096);
  return text === undefined ? undefined : parsePidStat(text).value;
}
