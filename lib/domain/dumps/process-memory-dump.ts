import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const FIELDS =
  /^\s*(?:Size|KernelPageSize|MMUPageSize|Rss|Pss(?:_\w+)?|Shared_\w+|Private_\w+|Referenced|Anonymous|KSM|LazyFree|AnonHugePages|ShmemPmdMapped|FilePmdMapped|Swap|SwapPss|Locked|Vm[A-Z]\w+|Rss(?:Anon|File|Shmem)|HugetlbPages):\s+\d+ kB\s*$/;

/**
 * /proc/PID/smaps, smaps_rollup and status. They share field names with /proc/meminfo (AnonHugePages, ...) and speak of
 * one process, so they are taken out before meminfo is looked for. No facts: a process is not the machine.
 */
export const processMemoryDump: Recogniser = {
  kind: "process memory",
  recognise(lines) {
    return runsOf(lines, (line) => FIELDS.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => /^\s*(?:Rss|Pss|VmRSS|VmSize|Private_Dirty):/.test(text)))
      .map((run): Artefact => ({ kind: "process memory", lines: run, facts: new Map(), warnings: [] }));
  },
};
