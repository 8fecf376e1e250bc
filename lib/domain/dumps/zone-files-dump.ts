import { pagesToKib } from "../memory/kib.ts";
import { pageSizeWarnings, type Artefact, type Recogniser } from "./artefact.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const BUDDY_ROW = /^\s*Node (\d{1,4}), zone\s+(\w{2,12})((?:\s+\d{1,15}){8,20})\s*$/;
/** The first order that allocations do without when memory is merely fragmented. */
const HIGH_ORDER = 3;

/**
 * /proc/buddyinfo: `buddyinfo_free` is all free memory in the buddy lists, `buddyinfo_free_order3` the part of it in
 * blocks of eight pages or more.
 */
export const buddyinfoDump: Recogniser = {
  kind: "/proc/buddyinfo",
  recognise(lines, context) {
    return runsOf(lines, (line) => BUDDY_ROW.test(rowOf(line)))
      .flatMap(splitByZone)
      .map((run): Artefact => {
        let free = 0;
        let high = 0;
        for (const { text } of run) {
          const counts = (BUDDY_ROW.exec(text)?.[3] ?? "").trim().split(/\s+/);
          counts.forEach((count, order) => {
            const pages = Number(count) * 2 ** order;
            free += pages;
            if (order >= HIGH_ORDER) high += pages;
          });
        }
        return {
          kind: "/proc/buddyinfo",
          lines: run,
          facts: new Map([
            ["buddyinfo_free", pagesToKib(free, context.pageSizeBytes)],
            ["buddyinfo_free_order3", pagesToKib(high, context.pageSizeBytes)],
          ]),
          warnings: pageSizeWarnings(context),
        };
      });
  },
};

function splitByZone(run: readonly DumpLine[]): readonly (readonly DumpLine[])[] {
  const samples: DumpLine[][] = [];
  let seen = new Set<string>();
  for (const line of run) {
    const zone = /^\s*Node \d+, zone\s+\w+/.exec(line.text)?.[0] ?? "";
    if (samples.length === 0 || seen.has(zone)) {
      samples.push([]);
      seen = new Set();
    }
    seen.add(zone);
    samples.at(-1)?.push(line);
  }
  return samples;
}

const ZONE = /^Node \d{1,4}, zone\s+\w{2,12}\s*$/;
const ZONE_FIELD =
  /^\s+(?:pages free|per-node stats|min|low|high|promo|boost|scanned|spanned|present|managed|cma|protection:|pagesets|cpu:|count:|batch:|high:|high_min:|high_max:|vm stats threshold:|node_unreclaimable:|all_unreclaimable:|start_pfn:|inactive_ratio:|nr_\w+|numa_\w+|workingset_\w+|pg\w+|hit|thp_\w+)\b/;

/** /proc/zoneinfo: `pcp_free` is what is free in the per-CPU lists and so not in MemFree. */
export const zoneinfoDump: Recogniser = {
  kind: "/proc/zoneinfo",
  recognise(lines, context) {
    return runsOf(lines, (line) => ZONE.test(rowOf(line)) || ZONE_FIELD.test(rowOf(line)))
      .filter((run) => run.some(({ text }) => ZONE.test(text)))
      .map((run): Artefact => {
        let pages = 0;
        let lists = 0;
        for (const line of run) {
          const count = /^\s+count:\s+(\d{1,12})\s*$/.exec(rowOf(line))?.[1];
          if (count === undefined) continue;
          pages += Number(count);
          lists += 1;
        }
        const facts = lists === 0 ? [] : ([["pcp_free", pagesToKib(pages, context.pageSizeBytes)]] as const);
        return {
          kind: "/proc/zoneinfo",
          lines: run,
          facts: new Map(facts),
          warnings: lists === 0 ? [] : pageSizeWarnings(context),
        };
      });
  },
};
