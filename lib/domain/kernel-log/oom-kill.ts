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
  /** Whom the one line of 4.19 and later names. */
  victim: number | undefined;
  /** Older kernels announce a victim, and may then end a child of it. */
  announced: boolean;
  limitedCgroup: string | undefined;
  taskCgroup: string | undefined;
  lines: string[];
}

const MOST_LINES = 6;

/**
 * Kernels 2.6.32 to 7.3: one line since 4.19, several before. A report ends with the kill. The kernel holds back the head of
 * a report when many come, never the kill itself: a kill without a head has the scope that it names, and no cgroup. That goes
 * for the further victims of a group (oom.group) too, whose lines cannot be told from those of the next report.
 */
export function createOomReader(): OomReader {
  let report = newReport();

  return {
    feed: (message) => {
      const killed = KILLED_PROCESS.exec(message)?.groups;
      if (killed !== undefined) {
        const pid = Number(killed.pid);
        const said = scopeOf(killed.whose);
        const head = belongs(report, said, pid) ? report : newReport();
        const scope = said ?? head.scope;
        report = newReport();
        return {
          scope,
          process: killed.process ?? "",
          pid,
          limitedCgroup: scope === "node" ? undefined : head.limitedCgroup,
          taskCgroup: head.taskCgroup,
          lines: [...head.lines, message],
        };
      }
      if (!isPart(message)) return undefined;
      const announced = scopeOf(ANNOUNCED.exec(message)?.[1]);
      if (INVOKED.test(message) || contradicts(report, announced)) report = newReport();
      if (report.lines.length < MOST_LINES) report.lines.push(message);
      const constraint = CONSTRAINT.exec(message)?.[1];
      if (constraint !== undefined) {
        report.scope = constraint === "CONSTRAINT_MEMCG" ? "memory cgroup" : "node";
        // Cgroup names may hold commas: the next key ends them.
        report.limitedCgroup = /,oom_memcg=(.{1,400}?),task_memcg=/.exec(message)?.[1];
        report.taskCgroup = /,task_memcg=(.{1,400}?),task=/.exec(message)?.[1];
        const victim = /,pid=(\d{1,10})(?:,|$)/.exec(message)?.[1];
        report.victim = victim === undefined ? undefined : Number(victim);
      }
      if (announced !== undefined) {
        report.scope = announced;
        report.announced = true;
      }
      const within = TASK_IN.exec(message);
      if (within !== null) {
        report.scope = "memory cgroup";
        [, report.taskCgroup, report.limitedCgroup] = within;
      }
      return undefined;
    },
  };
}

/** Whether a kill can be the end of a report whose own kill may have been lost. */
function belongs(report: Report, said: OomScope | undefined, pid: number): boolean {
  if (contradicts(report, said)) return false;
  return report.announced || report.victim === undefined || report.victim === pid;
}

function contradicts({ scope }: Report, said: OomScope | undefined): boolean {
  return said !== undefined && scope !== "unknown" && scope !== said;
}

function newReport(): Report {
  return {
    scope: "unknown",
    victim: undefined,
    announced: false,
    limitedCgroup: undefined,
    taskCgroup: undefined,
    lines: [],
  };
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
