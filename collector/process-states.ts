import { parsePidStat } from "#lib/domain/procfs/pid-stat.ts";
import { explainFailure, listNames, readLinkText, readSource } from "./read-sources.ts";

/** Processes by what they do. */
export interface ProcessStates {
  processes: number;
  zombies: number;
  uninterruptible: number;
}

/** Reads the state of every process below `proc`. Throws when the directory cannot be listed. */
export function countProcessStates(proc: string): ProcessStates {
  const states: ProcessStates = { processes: 0, zombies: 0, uninterruptible: 0 };
  for (const pid of listProcesses(proc)) {
    const state = stateOf(proc, pid);
    // Ended meanwhile.
    if (state === undefined) continue;
    states.processes += 1;
    if (state === "Z") states.zombies += 1;
    if (state === "D") states.uninterruptible += 1;
  }
  return states;
}

/** Network namespaces that some process is in, and how many processes could not be asked. */
export interface NamespaceCount {
  inUse: number;
  denied: number;
}

/** Counts the network namespaces of all processes below `proc`. Throws when the directory cannot be listed. */
export function countNetworkNamespaces(proc: string): NamespaceCount {
  const namespaces = new Set<string>();
  let denied = 0;
  for (const pid of listProcesses(proc)) {
    try {
      namespaces.add(readLinkText(`${proc}/${pid}/ns/net`));
    } catch (error) {
      // A zombie has left its namespaces, and is refused as well.
      if (explainFailure(error).status === "denied" && stateOf(proc, pid) !== "Z") denied += 1;
    }
  }
  return { inUse: namespaces.size, denied };
}

function stateOf(proc: string, pid: string): string | undefined {
  const { text } = readSource(`${proc}/${pid}/stat`);
  return text === undefined ? undefined : parsePidStat(text).value?.state;
}

function listProcesses(proc: string): string[] {
  return listNames(proc).filter((name) => /^[1-9]\d{0,9}$/.test(name));
}
