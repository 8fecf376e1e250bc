import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, processStartTicks, type LockHolder } from "./folder-lock.ts";

/** The supervisor's children, kept in a file so that the next supervisor finds what a killed one left behind. */
export interface ChildRecord {
  /** Notes the pid of a child that started, or undefined for one that ended. */
  note(name: string, pid: number | undefined): void;
}

interface Entry extends LockHolder {
  name: string;
}

function readEntries(path: string): Entry[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!Array.isArray(value)) return [];
    return (value as Partial<Entry>[]).flatMap(({ name, pid, startTicks }) =>
      // Without a start time a reused number could not be told from the child itself: then nothing is ended.
      typeof name === "string" && Number.isSafeInteger(pid) && typeof startTicks === "string"
        ? [{ name, pid: Number(pid), startTicks }]
        : [],
    );
  } catch {
    return [];
  }
}

export function openChildRecord(path: string): ChildRecord {
  const entries = new Map<string, Entry>();
  return {
    note(name, pid) {
      if (pid === undefined) entries.delete(name);
      else entries.set(name, { name, pid, startTicks: processStartTicks(pid) });
      writeFileSync(`${path}.draft`, JSON.stringify([...entries.values()]), { mode: 0o600 });
      renameSync(`${path}.draft`, path);
    },
  };
}

/** Ends children of an earlier supervisor that still run: SIGTERM, after `graceMs` SIGKILL. */
export async function stopLeftovers(
  path: string,
  log: (line: string) => void,
  graceMs = 10_000,
): Promise<void> {
  const left = readEntries(path).filter(isRunning);
  for (const each of left) {
    log(`stopping ${each.name}, left behind by an earlier start (process ${each.pid})`);
    signal(each.pid, "SIGTERM");
  }
  for (const end = Date.now() + graceMs; Date.now() < end && left.some(isRunning);) await delay(50);
  for (const each of left.filter(isRunning)) signal(each.pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
