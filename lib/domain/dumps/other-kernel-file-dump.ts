import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const LONGEST_PATH = 300;

/** Files that a whole snapshot holds and that say nothing about memory, and how their lines look. */
const FILES: readonly (readonly [path: RegExp, line: RegExp])[] = [
  [/(?:^|[\s/])uptime$/, /^\s*\d{1,12}\.\d{2} \d{1,14}\.\d{2}\s*$/],
  [
    /\/proc\/stat$/,
    /^\s*(?:cpu\d{0,5}(?: +\d{1,20}){4,10}|(?:intr|softirq)(?: \d{1,20})+|(?:ctxt|btime|processes|procs_running|procs_blocked) \d{1,20})\s*$/,
  ],
  [/\/random\/boot_id$/, /^\s*[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\s*$/i],
  [/\/sys\/kernel\/osrelease$/, /^\s*\d{1,3}\.\d{1,3}\S{0,80}\s*$/],
  [/\/proc\/loadavg$/, /^\s*(?:\d{1,6}\.\d{2} ){3}\d{1,9}\/\d{1,9} \d{1,12}\s*$/],
  [
    /\/pressure\/\w{2,10}$/,
    /^\s*(?:some|full) avg10=\S{1,10} avg60=\S{1,10} avg300=\S{1,10} total=\d{1,20}\s*$/,
  ],
];

/** Files of the kernel that a whole snapshot holds beside those about memory: known by the path above them, no facts. */
export const otherKernelFileDump: Recogniser = {
  kind: "other kernel file",
  recognise(lines) {
    const pathOf = (line: DumpLine) => {
      const path = line.context.length > LONGEST_PATH ? "" : line.context.trim();
      return FILES.some(([file, form]) => file.test(path) && form.test(rowOf(line))) ? path : undefined;
    };
    return runsOf(lines, (line) => pathOf(line) !== undefined).map((run): Artefact => ({
      kind: "other kernel file",
      lines: run,
      facts: new Map(),
      label: run[0] && pathOf(run[0]),
      warnings: [],
    }));
  },
};
