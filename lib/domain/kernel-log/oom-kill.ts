/** Whose memory ran out: the node's, or that of one memory cgroup, which is the limit of a container or a pod. */
export type OomScope = "node" | "memory cgroup" | "unknown";

/** One process that the OOM killer ended, with what the lines before said about it. */
export interface OomKill {
  readonly scope: OomScope;
  readonly process: string;
  readonly pid: number;
  /** The memory cgroup whose limit was met, for `memory cgroup`. */
  readonly limitedCgroup: string | undefined;
  /** The memory cgroup of the process. */
  readonly taskCgroup: string | undefined;
  /** The lines that say so, as they were printed, in order. */
  readonly lines: readonly string[];
}

/** Reads the lines of one log in order and knows what the last report of the OOM killer has said so far. */
export interface OomReader {
  /** Takes one message; gives the kill that it ends, or `undefined`. */
  feed: (message: string) => OomKill | undefined;
}

/** Lines that belong to a report and are worth keeping; also what lets them through a filter over all lines. */
export const OOM_HINTS: readonly string[] = [
  "invoked oom-killer",
  "oom-kill:constraint",
  "out of memory: Kill process",
  "as a result of limit of",
  "slab_unreclaimable:",
];

/** The line that ends each report, in all wordings: what was killed. */
export const KILLED_PROCESS =
  /(?:(?<whose>Memory cgroup out of memory|Out of memory)(?: \([\w. ]{1,40}\))?: )?Killed process (?<pid>\d{1,10})(?:, UID \d{1,10},)? \((?<process>.{1,64}?)\),? (?:UID |total-vm:|vsz:)/;
/** 4.19 and later put the facts into one line. */
const CONSTRAINT = /oom-kill:constraint=(CONSTRAINT_\w{1,40})/;
/** Before, the victim is announced with its score, and a memory cgroup in a line of its own. */
const ANNOUNCED = /(Memory cgroup out of memory|Out of memory): Kill process \d/;
const TASK_IN = /Task in (\S{1,400}) killed as a result of limit of (\S{1,400})/;
const INVOKED = /invoked oom-killer/;

interface Report {
  scope: OomScope;
  limitedCgroup: string | undefined;
  taskCgroup: string | undefined;
  lines: string[];
}

const MOST_LINES = 6;

/** Kernels 2.6.32 to 7.3: one line since 4.19, several before. A report may end several processes (oom.group). */
export function createOomReader(): OomReader {
  let report = newReport();

  return {
    feed: (message) => {
      const killed = KILLED_PROCESS.exec(message);
      if (killed?.groups !== undefined) {
        const { whose, pid, process } = killed.groups;
        const kill: OomKill = {
          scope: scopeOf(whose) ?? report.scope,
          process: process ?? "",
          pid: Number(pid),
          limitedCgroup: report.limitedCgroup,
          taskCgroup: report.taskCgroup,
          lines: [...report.lines, message],
        };
        // What was said once holds for the other victims of the report, and is not said again for them.
        report.lines = [];
        return kill;
      }
      if (INVOKED.test(message)) report = newReport();
      if (!isPart(message)) return undefined;
      if (report.lines.length < MOST_LINES) report.lines.push(message);
      const constraint = CONSTRAINT.exec(message)?.[1];
      if (constraint !== undefined) {
        report.scope = constraint === "CONSTRAINT_MEMCG" ? "memory cgroup" : "node";
        // Cgroup names may hold commas: the next key ends them.
        report.limitedCgroup = /,oom_memcg=(.{1,400}?),task_memcg=/.exec(message)?.[1];
        report.taskCgroup = /,task_memcg=(.{1,400}?),task=/.exec(message)?.[1];
      }
      report.scope = scopeOf(ANNOUNCED.exec(message)?.[1]) ?? report.scope;
      const within = TASK_IN.exec(message);
      if (within !== null) {
        report.scope = "memory cgroup";
        [, report.taskCgroup, report.limitedCgroup] = within;
      }
      return undefined;
    },
  };
}

function newReport(): Report {
  return { scope: "unknown", limitedCgroup: undefined, taskCgroup: undefined, lines: [] };
}

function isPart(message: string): boolean {
  return (
    INVOKED.test(message) ||
    CONSTRAINT.test(message) ||
    ANNOUNCED.test(message) ||
    TASK_IN.test(message) ||
    /\bslab_unreclaimable:\d/.test(message)
  );
}

function scopeOf(whose: string | undefined): OomScope | undefined {
  if (whose === undefined) return undefined;
  return whose.startsWith("Memory cgroup") ? "memory cgroup" : "node";
}
