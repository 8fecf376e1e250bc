import type { Artefact, Recogniser } from "./artefact.ts";
import { hourOfDay } from "./caption-moment.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { splitFields } from "../procfs/scan-lines.ts";

const HEADER = /^\s*(\d{2}:\d{2}:\d{2})(?: [AP]M)?\s+kbmemfree\s/;
const ROW = /^\s*(\d{2}:\d{2}:\d{2}(?: [AP]M)?)((?:\s+\d{1,15}(?:[.,]\d{1,2})?)+)\s*$/;
const AVERAGE = /^\s*Average:(?:\s+\d{1,15}(?:[.,]\d{1,2})?)+\s*$/;

/** Columns that every version means alike. */
const COLUMNS: Readonly<Record<string, string>> = {
  kbmemfree: "free",
  kbavail: "available",
  kbbuffers: "buffers",
  kbcached: "cached",
  kbcommit: "committed",
  kbanonpg: "AnonPages",
  kbslab: "Slab",
  kbkstack: "KernelStack",
  kbpgtbl: "PageTables",
  kbvmused: "VmallocUsed",
};

/**
 * `sar -r` and `sar -r ALL`: a sample for each row. What it calls used is of all memory before 12.0, later without cache and slab;
 * its share of all memory tells how much that is, to the rounding of two decimals.
 */
export const sarDump: Recogniser = {
  kind: "sar -r",
  recognise(lines) {
    const artefacts: Artefact[] = [];
    let head: { readonly line: DumpLine; readonly columns: readonly string[] } | undefined;
    let isFirst = true;
    for (const line of lines) {
      const text = rowOf(line);
      if (HEADER.test(text)) {
        head = { line, columns: splitFields(text.replace(/^\s*\S+(?: [AP]M)?/, "")) };
        isFirst = true;
        continue;
      }
      const [, time, values] = ROW.exec(text) ?? [];
      if (head === undefined || time === undefined || values === undefined) {
        if (head !== undefined && !AVERAGE.test(text) && text.trim() !== "") head = undefined;
        continue;
      }
      const facts = factsOf(head.columns, splitFields(values));
      if (facts.size > 0)
        artefacts.push({
          kind: "sar -r",
          lines: isFirst ? [head.line, line] : [line],
          facts,
          at: clockOf(time),
          warnings: [],
        });
      isFirst = false;
    }
    return artefacts;
  },
};

function factsOf(columns: readonly string[], values: readonly string[]): Map<string, number> {
  const facts = new Map<string, number>();
  const read = (column: string) => {
    const value = values[columns.indexOf(column)];
    return value === undefined ? undefined : Number(value.replace(",", "."));
  };
  if (values.length !== columns.length) return facts;
  for (const [column, name] of Object.entries(COLUMNS)) {
    const value = read(column);
    if (value !== undefined) facts.set(name, value);
  }
  const [used, percent] = [read("kbmemused"), read("%memused")];
  if (used !== undefined && percent !== undefined && percent > 0) {
    facts.set("used", used);
    facts.set("MemTotal_approx", Math.round((100 * used) / percent));
  }
  return facts;
}

/** A clock of twice 12 hours as one of 24. */
function clockOf(time: string): string {
  const [, hours = "", rest = "", half] = /^(\d{2})(:\d{2}:\d{2})(?: ([AP])M)?$/.exec(time) ?? [];
  if (half === undefined) return time;
  return `${String(hourOfDay(Number(hours), half)).padStart(2, "0")}${rest}`;
}
