import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat), or null. */
function startTicks(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/**
 * The Plumbline that runs on this data folder: `{ pid, note }`, or undefined. A look before anything is built, so that
 * a second start does not replace files under a running one; the lock itself is taken in processes/up.ts.
 */
export function runningServer(environment) {
  const dataDir =
    environment.PLUMBLINE_DATA_DIR ||
    (process.getuid?.() === 0 ? "/var/lib/plumbline" : join(homedir(), ".local/share/plumbline"));
  try {
    const holder = JSON.parse(readFileSync(join(dataDir, "supervisor.lock"), "utf8"));
    process.kill(holder.pid, 0);
    return startTicks(holder.pid) === holder.startTicks ? holder : undefined;
  } catch {
    return undefined;
  }
}
