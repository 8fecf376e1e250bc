import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { parsePidStat } from "#lib/domain/procfs/pid-stat.ts";

/** Who holds a folder. `startTicks` (field 22 of /proc/PID/stat) tells a process from a later one with the same pid. */
export interface LockHolder {
  pid: number;
  startTicks: string | null;
  /** What the holder wants a second starter to know, for instance its address. */
  note?: string;
}

export interface FolderLock {
  /** Replaces the note that a second starter is shown. */
  setNote(note: string): void;
  release(): void;
}

/** Start time of a process in clock ticks since boot; null where /proc is missing or the process is gone. */
export function processStartTicks(pid: number): string | null {
  try {
    return parsePidStat(readFileSync(`/proc/${pid}/stat`, "latin1")).value?.startTicks ?? null;
  } catch {
    return null;
  }
}

/** Whether that very process still runs. A zombie counts as gone. */
export function isRunning(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (holder.startTicks === null) return true;
  try {
    const stat = parsePidStat(readFileSync(`/proc/${holder.pid}/stat`, "latin1")).value;
    return stat?.state !== "Z" && stat?.startTicks === holder.startTicks;
  } catch {
    return false;
  }
}

function readHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockHolder>;
    if (typeof value.pid !== "number" || !Number.isSafeInteger(value.pid) || value.pid < 1) return undefined;
    return {
      pid: value.pid,
      startTicks: typeof value.startTicks === "string" ? value.startTicks : null,
      ...(typeof value.note === "string" ? { note: value.note } : {}),
    };
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Takes the lock file `path` for this process, or says who has it. Atomic: the file appears complete by link(2), and a
 * lock left by a dead process is moved aside by rename(2), so of two starters that find it only one gets on.
 */
export function acquireFolderLock(path: string): { lock: FolderLock } | { heldBy: LockHolder } {
  const mine: LockHolder = { pid: process.pid, startTicks: processStartTicks(process.pid) };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      try {
        linkSync(draft, path);
        return { lock: heldLock(path, mine) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const text = readText(path);
      if (text === undefined) continue;
      const holder = readHolder(text);
      if (holder !== undefined && isRunning(holder)) return { heldBy: holder };
      moveAside(path, `${draft}.stale`, text);
    }
    throw new Error(`the lock ${path} keeps changing hands`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the stale lock that was read as `text`; a fresh one that took its place meanwhile is put back. */
function moveAside(path: string, aside: string, text: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readText(aside) !== text) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  rmSync(aside, { force: true });
}

function heldLock(path: string, mine: LockHolder): FolderLock {
  let released = false;
  const isMine = (): boolean => {
    const holder = readHolder(readText(path) ?? "");
    return holder?.pid === mine.pid && holder.startTicks === mine.startTicks;
  };
  return {
    setNote(note) {
      if (released || !isMine()) return;
      const draft = `${path}.${process.pid}.note`;
      writeFileSync(draft, JSON.stringify({ ...mine, note }), { mode: 0o600 });
      renameSync(draft, path);
    },
    release() {
      if (released) return;
      released = true;
      if (isMine()) rmSync(path, { force: true });
    },
  };
}
