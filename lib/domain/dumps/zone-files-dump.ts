import { pagesToKib } from "../memory/kib.ts";
import { pageSizeWarnings, type Artefact, type DumpContext, type Recogniser } from "./artefact.ts";
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
/** Everything below a zone's name is indented: `pages free 12`, `count: 3`, `nr_zspages 0`, `protection: (0, 1)`. */
const ZONE_FIELD = /^\s+[a-z][\w -]*(?::|\s|$)/;

/** /proc/zoneinfo: `pcp_free` is what is free in the per-CPU lists and so not in MemFree. */
export const zoneinfoDump: Recogniser = {
  kind: "/proc/zoneinfo",
  recognise(lines, context) {
    const artefacts: Artefact[] = [];
    let own: DumpLine[] = [];
    let zones = new Set<string>();
    const finish = () => {
      if (own.length > 1) artefacts.push(zoneArtefact(own, context));
      own = [];
      zones = new Set();
    };
    for (const line of lines) {
      const text = rowOf(line);
      if (ZONE.test(text)) {
        if (zones.has(text.trim())) finish();
        zones.add(text.trim());
        own.push(line);
      } else if (own.length > 0) {
        if (ZONE_FIELD.test(text)) own.push(line);
        else if (text.trim() !== "" || line.isCommand) finish();
      }
    }
    finish();
    return artefacts;
  },
};

function zoneArtefact(own: readonly DumpLine[], context: DumpContext): Artefact {
  let pages = 0;
  let lists = 0;
  for (const line of own) {
    const count = /^\s+count:\s+(\d{1,12})\s*$/.exec(rowOf(line))?.[1];
    if (count === undefined) continue;
    pages += Number(count);
    lists += 1;
  }
  const facts = new Map<string, number>();
  if (lists > 0) facts.set("pcp_free", pagesToKib(pages, context.pageSizeBytes));
  return {
    kind: "/proc/zoneinfo",
    lines: own,
    facts,
    warnings: lists === 0 ? [] : pageSizeWarnings(context),
  };
}
