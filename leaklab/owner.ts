import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parsePidStat } from "#lib/domain/procfs/pid-stat.ts";

/** Which process holds a place; the start time tells it from a later process with the same number. */
interface Owner {
  readonly pid: number;
  readonly startTicks: string;
}

/** Notes this process as the owner of a place. */
export function noteOwner(directory: string): void {
  const owner: Owner = { pid: process.pid, startTicks: startTicksOf(process.pid) ?? "" };
  writeFileSync(ownerFile(directory), JSON.stringify(owner));
}

/** The process that holds a place at this moment, if it still lives. */
export function findRunningOwner(directory: string): number | undefined {
  const owner = readOwner(directory);
  return owner !== undefined && startTicksOf(owner.pid) === owner.startTicks ? owner.pid : undefined;
}

/** Who was noted last, alive or not; process 0 for a note that a crash cut off. */
export function readOwner(directory: string): Owner | undefined {
  let text;
  try {
    text = readFileSync(ownerFile(directory), "utf8");
  } catch {
    return undefined;
  }
  try {
    const { pid, startTicks } = JSON.parse(text) as Partial<Owner>;
    if (typeof pid === "number" && typeof startTicks === "string") return { pid, startTicks };
  } catch {
    // A note cut off by a crash names nobody.
  }
  return { pid: 0, startTicks: "" };
}

function startTicksOf(pid: number): string | undefined {
  try {
    return parsePidStat(readFileSync(`/proc/${pid}/stat`, "utf8")).value?.startTicks;
  } catch {
    return undefined;
  }
}

function ownerFile(directory: string): string {
  return path.join(directory, "owner.json");
}
