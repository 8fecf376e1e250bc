import { pagesToKib } from "../memory/kib.ts";
import { pageSizeWarnings, type Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const HEADER = /^\s*flags\s+page-count\s+MB\s+symbolic-flags\b/;
const ROW = /^\s*0x[0-9a-f]{8,16}\s+(\d{1,15})\s+\d{1,12}\s+\S{10,60}\s+([a-z][a-z,_:0-9]{1,200})\s*$/;

/**
 * The summary of page-types of the kernel's tools: `page_types:FLAGS` is what pages with exactly these flags hold, and
 * `page_types_anonymous_unmapped` all anonymous pages that no process maps.
 */
export const pageTypesDump: Recogniser = {
  kind: "page-types",
  recognise: (lines, context) =>
    runsOf(lines, (line) => HEADER.test(rowOf(line)) || ROW.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => ROW.test(text)))
      .map((run) => {
        const facts = new Map<string, number>();
        let unmapped = 0;
        let huge = 0;
        for (const line of run) {
          const [, pages, flags = ""] = ROW.exec(rowOf(line)) ?? [];
          if (pages === undefined) continue;
          const kib = pagesToKib(Number(pages), context.pageSizeBytes);
          const set = new Set(flags.split(","));
          facts.set(`page_types:${flags}`, kib);
          if (set.has("anonymous") && !set.has("mmap")) unmapped += kib;
          if (set.has("anonymous") && !set.has("mmap") && set.has("thp")) huge += kib;
        }
        if (unmapped > 0) facts.set("page_types_anonymous_unmapped", unmapped);
        if (huge > 0) facts.set("page_types_thp_unmapped", huge);
        return { kind: "page-types", lines: run, facts, warnings: pageSizeWarnings(context) };
      }),
};
