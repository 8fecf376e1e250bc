import type { DumpLine } from "./dump-line.ts";

/** One thing that was recognised in a paste: a file, a table of a tool, a block of the kernel's log. One sample each. */
export interface Artefact {
  /** The recogniser's name for it. */
  readonly kind: string;
  /** The lines it was read from, in order, at least one; no line belongs to two kinds. */
  readonly lines: readonly DumpLine[];
  /** KiB, unless the name ends in `_count`, `_percent` or `_bytes`. Only what is printed or follows by arithmetic. */
  readonly facts: ReadonlyMap<string, number>;
  /** Counters of /proc/meminfo as the kernel printed them, where the artefact is one. */
  readonly meminfo?: ReadonlyMap<string, number>;
  /** How many objects each slab cache has in use, where the artefact is a table of them. */
  readonly objects?: ReadonlyMap<string, number>;
  /** Names of slab caches that the kernel merged, one list for each cache, where the artefact tells them. */
  readonly mergedCaches?: readonly (readonly string[])[] | undefined;
  /** What tells this sample from others of its kind: a caption, a column, a node. */
  readonly label?: string | undefined;
  /** What a person wrote over it, where that is its label. */
  readonly caption?: string | undefined;
  /** The machine, or the state of one, that the captions above say it is of, where they tell several apart. */
  readonly section?: string | undefined;
  /** When it was taken, where only the artefact itself says so; else its lines know. */
  readonly at?: string | undefined;
  /** The text ends, or breaks off, inside it. */
  readonly truncated?: boolean | undefined;
  /** What a reader must know to use the numbers rightly, as sentences. */
  readonly warnings: readonly string[];
  /** What in it cannot be true together, as sentences that are not among the warnings. */
  readonly contradictions?: readonly string[];
}

/** What all recognisers of one paste know. */
export interface DumpContext {
  /** Of the machine the paste is from, as far as the paste shows it; else 4096, and `pageSizeAssumed`. */
  readonly pageSizeBytes: number;
  readonly pageSizeAssumed: boolean;
}

/** Finds all artefacts of one kind. */
export interface Recogniser {
  readonly kind: string;
  /** Gets the lines that no earlier recogniser took, commands and blank lines among them. Never throws. */
  readonly recognise: (lines: readonly DumpLine[], context: DumpContext) => readonly Artefact[];
}

/** The sentence that goes with every number that was made of pages of an assumed size. */
export function pageSizeWarnings({ pageSizeAssumed }: DumpContext): readonly string[] {
  return pageSizeAssumed ? ["Pages are taken to be 4 KiB: the text does not show their size."] : [];
}
