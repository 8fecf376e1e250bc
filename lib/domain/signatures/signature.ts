import type { BandKey } from "../memory/bands.ts";
import type { Evidence } from "./evidence.ts";
import type { Sign } from "./sign.ts";

/** A command that tells a signature from its rivals, and how its output is read. For a person; Plumbline runs none of them. */
export interface Check {
  readonly command: string;
  readonly reading: string;
}

/** One known way in which a kernel comes to hold memory: a leak, or something that only looks like one. */
export interface Signature {
  /** `S01`, `S22b`. */
  readonly id: string;
  readonly name: string;
  /** `limit`: something other than memory runs out, often because of a leak. */
  readonly kind: "leak" | "limit" | "not-a-leak";
  /** What a reading calls it in its list of suspects. */
  readonly suspect: string;
  /** What happens, in one or two sentences. */
  readonly what: string;
  /** The bands in which it shows, most first: whoever sees one grow has this on the list. */
  readonly bands: readonly BandKey[];
  /** Whether one reading can prove it (a reservation, a limit) or only growth over time can. */
  readonly provenBy: "growth" | "state";
  /** What is particular to it; without a yes here it is no match. */
  readonly key: Sign;
  /** A no to any of these is no match; not known is kept as missing. */
  readonly requires?: readonly Sign[];
  /** Yes is evidence, no is counter-evidence. */
  readonly supports?: readonly Sign[];
  /** A yes to any of these rules it out. */
  readonly excludes?: readonly Sign[];
  /**
   * Whether what the log told still holds, by counters. Asked where a log line alone speaks for it: without a yes here that
   * is no more than a hint, for what was met once may be long over.
   */
  readonly stillSo?: Sign;
  /** Where it depends on how much it is; else what is no leak is `info`, all others `warning`. */
  readonly severity?: (evidence: Evidence) => "info" | "warning";
  /** Versions and components: yes counts 1, not known 0.75, no 0.5. */
  readonly affects?: Sign;
  /** KiB of the growth, or of one reading's excess, that it accounts for; `undefined` where that cannot be told. */
  readonly explainsKib: (evidence: Evidence) => number | undefined;
  /** Tells it from its rivals. */
  readonly confirm: Check;
  /** For now, done by a person who knows the node. */
  readonly mitigate: string;
  readonly fix: string;
  readonly affectedVersions: string;
  readonly sources: readonly string[];
}
