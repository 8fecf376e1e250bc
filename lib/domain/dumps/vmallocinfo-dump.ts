import { bytesToKib, pagesToKib } from "../memory/kib.ts";
import { parseVmallocinfo, PERCPU_CALLER, sumByCaller } from "../procfs/vmallocinfo.ts";
import { pageSizeWarnings, type Artefact, type DumpContext, type Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const ROW = /^\s*0x[0-9a-f]{1,16}-0x[0-9a-f]{1,16}\s+\d{1,16}\b/i;
const MOST_CALLERS = 20;

/**
 * /proc/vmallocinfo: `vmalloc:CALLER` is what its areas really hold (`pages=`), for the callers that hold most. Areas of
 * the percpu allocator are address space only, summed apart as an upper bound.
 */
export const vmallocinfoDump: Recogniser = {
  kind: "/proc/vmallocinfo",
  recognise: (lines, context) =>
    runsOf(
      lines,
      (line) => ROW.test(rowOf(line)) || /^\s*0x[0-9a-f]{6,16}-0x[0-9a-f]{6,16}\b/i.test(rowOf(line)),
    ).map((run) => artefactOf(run, context)),
};

function artefactOf(run: readonly DumpLine[], context: DumpContext): Artefact {
  const callers = sumByCaller(parseVmallocinfo(run.map((line) => `${rowOf(line)}\n`).join("")).value);
  const facts = new Map<string, number>();
  const backed = callers.flatMap(({ caller, pages }) => (pages === undefined ? [] : [{ caller, pages }]));
  if (backed.length > 0) {
    const pages = backed.reduce((sum, each) => sum + each.pages, 0);
    facts.set("vmallocinfo_pages", pagesToKib(pages, context.pageSizeBytes));
  }
  for (const { caller, pages } of backed.slice(0, MOST_CALLERS)) {
    facts.set(`vmalloc:${caller}`, pagesToKib(pages, context.pageSizeBytes));
  }
  const percpu = callers.find(({ caller }) => caller === PERCPU_CALLER);
  if (percpu !== undefined) {
    facts.set("visible_pcpu_areas_count", percpu.areas);
    facts.set("visible_pcpu_address_space", bytesToKib(percpu.sizeBytes));
  }
  const last = run.at(-1);
  const truncated = last !== undefined && !/(?:\b[a-z_]+|N\d+=\d+|pages=\d+|phys=\S+)\s*$/.test(last.text);
  return {
    kind: "/proc/vmallocinfo",
    lines: run,
    facts,
    truncated,
    warnings: [
      ...(backed.length > 0 ? pageSizeWarnings(context) : []),
      ...(percpu !== undefined
        ? ["Areas of the percpu allocator are address space: only part of it need be backed by memory."]
        : []),
    ],
  };
}
