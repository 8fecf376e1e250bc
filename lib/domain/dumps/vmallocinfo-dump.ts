import { bytesToKib, pagesToKib } from "../memory/kib.ts";
import { parseVmallocinfo } from "../procfs/vmallocinfo.ts";
import { pageSizeWarnings, type Artefact, type DumpContext, type Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const ROW = /^\s*0x[0-9a-f]{1,16}-0x[0-9a-f]{1,16}\s+\d{1,16}\b/i;
const PERCPU = "pcpu_get_vm_areas";
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
  const { areas } = parseVmallocinfo(run.map((line) => `${rowOf(line)}\n`).join("")).value;
  const facts = new Map<string, number>();
  const byCaller = new Map<string, number>();
  let pages = 0;
  let percpuBytes = 0;
  let percpuAreas = 0;
  for (const area of areas) {
    const caller = area.caller ?? "unknown";
    if (area.pages !== undefined) {
      pages += area.pages;
      byCaller.set(caller, (byCaller.get(caller) ?? 0) + area.pages);
    }
    if (caller === PERCPU) {
      percpuAreas += 1;
      percpuBytes += area.sizeBytes;
    }
  }
  if (byCaller.size > 0) facts.set("vmallocinfo_pages", pagesToKib(pages, context.pageSizeBytes));
  const largest = [...byCaller].sort((a, b) => b[1] - a[1]).slice(0, MOST_CALLERS);
  for (const [caller, held] of largest)
    facts.set(`vmalloc:${caller}`, pagesToKib(held, context.pageSizeBytes));
  if (percpuAreas > 0) {
    facts.set("visible_pcpu_areas_count", percpuAreas);
    facts.set("visible_pcpu_address_space", bytesToKib(percpuBytes));
  }
  const last = run.at(-1);
  const truncated = last !== undefined && !/(?:\b[a-z_]+|N\d+=\d+|pages=\d+|phys=\S+)\s*$/.test(last.text);
  return {
    kind: "/proc/vmallocinfo",
    lines: run,
    facts,
    truncated,
    warnings: [
      ...(byCaller.size > 0 ? pageSizeWarnings(context) : []),
      ...(percpuAreas > 0
        ? ["Areas of the percpu allocator are address space: only part of it need be backed by memory."]
        : []),
    ],
  };
}
