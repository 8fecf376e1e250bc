import { createOomReader, OOM_HINTS, type OomKill } from "./oom-kill.ts";
import type { LogMarkKind, LogPattern, LogSeverity } from "./patterns.ts";
import { mayMatter, recogniseMessage } from "./recognise-message.ts";

/** One message of a log, without the prefix that its logger put before it. */
export interface LogMessage {
  readonly text: string;
  readonly atMs: number;
  /** Tells this message from every other one, in this and in later runs: `kmsg:BOOT:SEQUENCE`. */
  readonly id: string;
  /** Whether the log says that a program printed it: then it can only quote the kernel. */
  readonly isOfProgram?: boolean;
}

/** Something that happened, as one line of a log, or several, told it. */
export interface LogEvent {
  readonly id: string;
  readonly atMs: number;
  readonly patternId: string;
  readonly kind: LogMarkKind;
  readonly severity: LogSeverity;
  /** Whose words these are: the kernel's, or those of a program. */
  readonly by: LogPattern["by"];
  readonly title: string;
  /** The lines as they were printed, then what they mean. */
  readonly text: string;
  /** The same pattern and subject again is the same event again. */
  readonly subject: string;
}

/** Reads the messages of one log in order. */
export interface LogReader {
  read: (message: LogMessage) => LogEvent | undefined;
}

const OOM_PART = new RegExp(OOM_HINTS.join("|"), "i");

/** Whether a raw line may be part of an event: what a reader need not be given otherwise. */
export function isWorthReading(rawLine: string): boolean {
  return mayMatter(rawLine) || OOM_PART.test(rawLine);
}

/** Lines of different logs must not be mixed: an OOM report takes several of one log. */
export function createLogReader(): LogReader {
  const oom = createOomReader();
  return {
    read: ({ text, atMs, id, isOfProgram = false }) => {
      const kill = isOfProgram ? undefined : oom.feed(text);
      const recognised = recogniseMessage(text, isOfProgram);
      if (recognised === undefined) return undefined;
      const { pattern } = recognised;
      const { id: patternId, mark: kind, severity, by } = pattern;
      const shared = { id, atMs, patternId, kind, severity, by };
      if (kill !== undefined) {
        return { ...shared, ...describeKill(kill, pattern) };
      }
      return {
        ...shared,
        title: recognised.title,
        text: `${excerpt(text, recognised.index)}\n\n${pattern.meaning}`,
        subject: recognised.subject,
      };
    },
  };
}

const LONGEST_QUOTE = 3000;

/** A long message from its begin, and from shortly before what counts. */
function excerpt(text: string, index: number): string {
  if (text.length <= LONGEST_QUOTE) return text;
  const from = Math.max(1000, index - 500);
  const to = from + LONGEST_QUOTE - 1000;
  return `${text.slice(0, 1000)}${from > 1000 ? " … " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}

const OOM_WORDS: Readonly<Record<OomKill["scope"], { title: string; meaning: string }>> = {
  node: {
    title: "Out of memory on the node: the kernel ended",
    meaning: "The node itself had no memory left. Nothing says that the process that was ended took it.",
  },
  "memory cgroup": {
    title: "Out of memory at the limit of a container: the kernel ended",
    meaning: "The limit of one memory cgroup was met. That is no shortage of the node.",
  },
  unknown: {
    title: "The OOM killer ended",
    meaning: "The log does not say whether the node or a memory cgroup had no memory left.",
  },
};

function describeKill(kill: OomKill, pattern: LogPattern): Pick<LogEvent, "title" | "text" | "subject"> {
  const { scope, process, limitedCgroup, taskCgroup, lines } = kill;
  const { title, meaning } = OOM_WORDS[scope];
  const cgroup = limitedCgroup === undefined ? "" : `\nLimit of: ${limitedCgroup}`;
  return {
    title: `${title} ${process}`,
    text: `${lines.join("\n")}\n\n${meaning || pattern.meaning}${cgroup}`,
    subject: `${scope} ${process} ${taskCgroup ?? ""}`,
  };
}
