import type { Recogniser } from "./artefact.ts";
import { placeOf, rowOf } from "./dump-line.ts";
import { splitSamples, type Entry } from "./samples.ts";

const HEADING = /^\s*Unreclaimable slab info:|^\s*Name\s+Used\s+Total\s*$/;
const ROW = /^\s*(\S{1,100}(?: \S{1,40}){0,3})\s+(\d{1,12})KB\s+(\d{1,12})KB\s*$/;

/**
 * `Unreclaimable slab info`, which kernels from 4.15 print in an out-of-memory report when slab exceeds user memory.
 * `slab:NAME` is the Total column, what the slabs of a cache hold.
 */
export const unreclaimableSlabDump: Recogniser = {
  kind: "unreclaimable slab info",
  recognise(lines) {
    const entries = lines.flatMap((line): Entry[] => {
      const match = ROW.exec(rowOf(line));
      const total = Number(match?.[3]);
      return match && Number(match[2]) <= total
        ? [{ key: `slab:${match[1] ?? ""}`, value: total, line }]
        : [];
    });
    return splitSamples(entries).map((sample, place) => {
      const first = sample.lines[0]?.index ?? 0;
      const own = lines
        .slice(placeOf(first - 3, lines), placeOf(first, lines))
        .filter((line) => HEADING.test(rowOf(line)));
      return {
        kind: "unreclaimable slab info",
        lines: [...own, ...sample.lines],
        facts: sample.values,
        truncated: place === 0 && own.length === 0,
        warnings: own.length === 0 ? ["The head of the table is not shown, so caches may be missing."] : [],
      };
    });
  },
};
