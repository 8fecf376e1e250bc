import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const FIELDS =
  /^\s*(?:Size|KernelPageSize|MMUPageSize|Rss|Pss(?:_\w+)?|Shared_\w+|Private_\w+|Referenced|Anonymous|KSM|LazyFree|AnonHugePages|ShmemPmdMapped|FilePmdMapped|Swap|SwapPss|Locked|Vm[A-Z]\w+|Rss(?:Anon|File|Shmem)|HugetlbPages):\s+\d+ kB\s*$/;

/** Fields that grep lists of many processes, one a line. */
const LISTED = [
  { kind: "page tables of processes", pattern: /^\s*VmPTE:\s+(\d{1,15}) kB\s*$/, name: "processes_ptes" },
  { kind: "threads of processes", pattern: /^\s*Threads:\s+(\d{1,9})\s*$/, name: "processes_threads_count" },
] as const;

/** Each run of lines with the field. */
function listsOf(
  { kind, pattern, name }: (typeof LISTED)[number],
  lines: readonly DumpLine[],
  taken: ReadonlySet<DumpLine>,
): readonly Artefact[] {
  return runsOf(lines, (line) => !taken.has(line) && pattern.test(rowOf(line))).map((run): Artefact => {
    const { context = "" } = run[0] ?? {};
    const sum = run.reduce((total, line) => total + Number(pattern.exec(rowOf(line))?.[1]), 0);
    // The first of a sorted list are nearly all page tables, but a small part of the threads.
    const isPart =
      name === "processes_threads_count" && (run.length < 2 || /\bhead\b|\btail\b/.test(context));
    return { kind, lines: run, facts: new Map(isPart ? [] : [[name, sum]]), warnings: [] };
  });
}

/**
 * /proc/PID/smaps, smaps_rollup and status. They share field names with /proc/meminfo (AnonHugePages, ...) and speak of
 * one process, so they are taken out before meminfo is looked for, without facts: a process is not the machine. One field
 * of many processes, as grep lists it, gives their sum: `processes_ptes`, and `processes_threads_count` where none is
 * left out.
 */
export const processMemoryDump: Recogniser = {
  kind: "process memory",
  recognise(lines) {
    const wholes = runsOf(lines, (line) => FIELDS.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => /^\s*(?:Rss|Pss|VmRSS|VmSize|Private_Dirty):/.test(text)))
      .map((run): Artefact => ({ kind: "process memory", lines: run, facts: new Map(), warnings: [] }));
    const taken = new Set(wholes.flatMap((whole) => whole.lines));
    return [...wholes, ...LISTED.flatMap((field) => listsOf(field, lines, taken))];
  },
};
