import { formatNumber } from "../memory/quantity.ts";
import type { Artefact } from "./artefact.ts";

/** The counters are read one after the other, and each lags by what the CPUs have not added yet. */
const SLAB_LAG_KIB = 1024;
const SLAB_LAG_SHARE = 0.01;
/** Hotplugged memory, ballooning and tools that round leave a machine's size within this; another size is another machine. */
const SAME_SIZE = 0.05;

/** Pairs of a part and its whole: the kernel never prints more of the part. */
const PARTS: readonly (readonly [part: string, whole: string])[] = [
  ["MemFree", "MemTotal"],
  ["SwapFree", "SwapTotal"],
  ["HugePages_Free", "HugePages_Total"],
  ["VmallocUsed", "VmallocTotal"],
];

/**
 * What in one sample of /proc/meminfo cannot be true together, as sentences: a part larger than its whole, halves of Slab
 * that are not it. Numbers that a kernel is known to get wrong (MemAvailable above MemTotal) are no contradiction.
 */
export function contradictionsOf(values: ReadonlyMap<string, number>): readonly string[] {
  const found: string[] = [];
  for (const [part, whole] of PARTS) {
    const [less, more] = [values.get(part), values.get(whole)];
    if (less !== undefined && more !== undefined && less > more)
      found.push(`${part} (${amount(less)}) and ${whole} (${amount(more)}) contradict each other.`);
  }
  const slab = values.get("Slab");
  const [reclaimable, not] = [values.get("SReclaimable"), values.get("SUnreclaim")];
  if (slab !== undefined && reclaimable !== undefined && not !== undefined) {
    const off = Math.abs(reclaimable + not - slab);
    if (off > SLAB_LAG_KIB + SLAB_LAG_SHARE * slab)
      found.push(
        `SReclaimable and SUnreclaim (${amount(reclaimable + not)} together) and Slab (${amount(slab)}) contradict each other.`,
      );
  }
  return found;
}

/** Whether two amounts of all memory can be of one machine. */
function areOneSize(aKib: number, bKib: number): boolean {
  return Math.abs(aKib - bKib) <= SAME_SIZE * Math.max(aKib, bKib);
}

/** The same of as many as there are; those that are not known do not count. */
export function areOneSizeAll(totalsKib: readonly (number | undefined)[]): boolean {
  let least = Infinity;
  let most = 0;
  for (const total of totalsKib) {
    if (total === undefined || total === 0) continue;
    least = Math.min(least, total);
    most = Math.max(most, total);
  }
  return least > most || areOneSize(least, most);
}

/** All memory of the machine as a sample has it. */
export function totalOf({ facts }: { readonly facts: ReadonlyMap<string, number> }): number | undefined {
  return facts.get("MemTotal") ?? facts.get("MemTotal_approx");
}

const WHOLE_MACHINE: ReadonlySet<string> = new Set(["meminfo", "free", "top"]);

/**
 * Tools that give one machine different sizes, as sentences. Several samples of one tool are several machines, where their
 * sizes differ: that is no contradiction.
 */
export function contradictingSizes(artefacts: readonly Artefact[]): readonly string[] {
  const sizes = new Map<string, number[]>();
  for (const artefact of artefacts) {
    const { kind } = artefact;
    const total = totalOf(artefact);
    if (!WHOLE_MACHINE.has(kind) || total === undefined || total === 0) continue;
    const own = sizes.get(kind);
    if (own) own.push(total);
    else sizes.set(kind, [total]);
  }
  const kinds = [...sizes];
  return kinds.flatMap(([kind, own], place) =>
    kinds.slice(place + 1).flatMap(([other, others]) => {
      const [a = 0] = own;
      const [b = 0] = others;
      return own.some((each) => others.some((size) => areOneSize(each, size)))
        ? []
        : [`The totals of ${kind} (${amount(a)}) and ${other} (${amount(b)}) contradict each other.`];
    }),
  );
}

function amount(kib: number): string {
  return formatNumber(kib, 0);
}
