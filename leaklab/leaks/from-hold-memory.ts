import { holdMemory, type Kind } from "../hold-memory.ts";
import { nothingStays, type BandChange, type Leak } from "../leak.ts";

/** A leak that `move` can make too: so many MiB of one kind, held by this program and gone with it. */
function held(kind: Kind, summary: string, mib: number, predict: (mib: number) => BandChange): Leak {
  return {
    name: kind,
    summary,
    unit: "MiB",
    count: mib,
    most: 256,
    stays: false,
    missing: () => undefined,
    predict,
    async start(_place, count) {
      const memory = await holdMemory(kind, count);
      return { made: Math.round(memory.kib / 1024), release: () => memory.release() };
    },
    clean: nothingStays,
  };
}

const STACK_KIB = 16;

/** Idle threads: 16 KiB of stack and 6.8 KiB of slab each. */
export const threads = held("threads", "idle threads", 32, (mib) => ({
  kstack: mib * 1024,
  sunrecl: Math.round(((mib * 1024) / STACK_KIB) * 6.8),
}));

/** One byte read in every 2 MiB of untouched memory: a page of page table each, and no memory behind it. */
export const pageTables = held("page-tables", "page tables of memory that was only looked at", 64, (mib) => ({
  ptables: mib * 1024,
}));

/** Full pipes: no counter knows their pages. A pipe of 64 KiB costs about 1 KiB of slab as well. */
export const pipes = held("pipes", "full pipes, which no counter of meminfo knows", 64, (mib) => ({
  unacc: mib * 1024,
  sunrecl: mib * 16,
}));
