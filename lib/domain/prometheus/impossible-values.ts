import type { ScrapeFields } from "./series-fields.ts";

/** 52 bits of physical address, KiB: no machine has more. */
const MOST_MEMORY_KIB = 2 ** 42;
/** Of /proc/meminfo what is no part of MemTotal: address space, promises, swap, and counts of pages. */
const NOT_OF_MEMORY = /^meminfo (?:Swap|Vmalloc|Commit|DirectMap|HugePages_|Hugepagesize|Zswapped)/;
/** How far the clock of a node may run ahead of that of Prometheus. */
const CLOCK_AHEAD_MS = 24 * 3_600_000;

/** The fields of a scrape whose values can be, and the names of the others. */
export function takePossible(
  fields: ScrapeFields,
  atMs: number,
): { readonly fields: ScrapeFields; readonly impossible: readonly string[] } {
  const impossible = impossibleFields(fields, atMs);
  if (impossible.length === 0) return { fields, impossible };
  const possible = Object.entries(fields).filter(([field]) => !impossible.includes(field));
  return { fields: Object.fromEntries(possible), impossible };
}

/**
 * The fields of a scrape of which the value cannot be: a part of memory larger than all of it, more memory than a machine can
 * have, a boot after the scrape. What is wrong by less than that is not seen.
 */
function impossibleFields(fields: ScrapeFields, atMs: number): readonly string[] {
  const total = fields["meminfo MemTotal"];
  const isTotalSound = typeof total === "number" && total <= MOST_MEMORY_KIB;
  const mostKib = isTotalSound && total > 0 ? total : MOST_MEMORY_KIB;
  return Object.entries(fields).flatMap(([field, value]) => {
    if (typeof value !== "number") return [];
    const isImpossible =
      field === "boot time"
        ? value * 1000 > atMs + CLOCK_AHEAD_MS
        : field.startsWith("meminfo ") && !NOT_OF_MEMORY.test(field) && value > mostKib;
    return isImpossible ? [field] : [];
  });
}
