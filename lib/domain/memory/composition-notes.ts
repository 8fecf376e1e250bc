import { BANDS } from "./bands.ts";
import type { CompositionNote, FoldedTerm } from "./composition.ts";

const LABELS: ReadonlyMap<string, string> = new Map(BANDS.map(({ key, label }) => [key, label]));

/**
 * A note in a sentence, without numbers: those are fields of the note, and whoever shows them formats them. Each
 * kind has one wording, so that page, API and terminal say the same.
 */
export function describeNote(note: CompositionNote): string {
  switch (note.kind) {
    case "folded":
      return `This kernel or collector does not report ${list(note.terms.map(termLabel))}: they are part of unaccounted.`;
    case "vmalloc-is-address-space":
      return "VmallocUsed of this kernel is address space, not memory, and is not counted.";
    case "vmap-stack-assumed":
      return "Kernel stacks are assumed to be inside VmallocUsed and taken out of it; /proc/vmallocinfo was not read.";
    case "shmem-in-file":
      return "This kernel does not report Shmem: tmpfs and shared memory are part of the page cache.";
    case "slab-not-split":
      return "This kernel does not split Slab: what is reclaimable stands with what is not.";
    case "swapcache-range":
      return "Many pages are locked, so the swap cache is known only as a range, from nothing to SwapCached.";
    case "balloon-not-placed":
      return "A balloon holds pages; whether they are outside of MemTotal or part of unaccounted is not known.";
    case "unaccounted-drift":
      return "Unaccounted is below zero by no more than per-CPU counters drift: read it as nothing.";
    case "unaccounted-negative":
      return "Unaccounted is more than 1 % of MemTotal below zero: the counters contradict each other.";
  }
}

function termLabel(term: FoldedTerm): string {
  return term === "largeKmalloc" ? "large kmallocs" : (LABELS.get(term) ?? term);
}

function list(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
