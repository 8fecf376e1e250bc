import { formatMemory } from "../memory/quantity.ts";
import type { Evidence } from "../signatures/evidence.ts";
import { nameSuspects, type Suspect } from "./name-suspects.ts";

/** What a reading amounts to. `leak` only where what was read itself shows growth, or a state that practically only a leak makes. */
export type DumpVerdict = "leak" | "not-a-leak" | "unclear";

export interface Judgement {
  readonly verdict: DumpVerdict;
  /** What holds the memory, or what ran out; `none` where nothing is out of the ordinary, `unknown` where too little is known. */
  readonly dominant: string;
  readonly suspects: readonly Suspect[];
}

/** Free memory that is left, as part of all, from which a summary without details gives no reason to look further. */
const ROOM = 0.2;
/** What cannot be had at once and is nobody's by name may be the kernel's. So little of it is ordinary, whosever it is. */
const UNNAMED = { ofTotal: 0.1, kib: 2 * 1024 * 1024 } as const;

/** The verdict on one machine, from whatever is known of it. Summaries of tools alone can clear it, never convict it. */
export function judge(evidence: Evidence, recognisedKinds: readonly string[]): Judgement {
  const named = nameSuspects(evidence);
  // Working sets count active page cache and tmpfs: that is what such a table is pasted for.
  const suspects =
    recognisedKinds.includes("kubectl top") && !named.some(({ weight }) => weight !== "benign")
      ? [WORKING_SET, ...named.filter(({ name }) => name !== WORKING_SET.name)]
      : named;
  const verdict = verdictOf(evidence, suspects, recognisedKinds);
  const said = suspects.length === 0 && verdict === "unclear" ? summaryOf(evidence) : suspects;
  return {
    verdict,
    dominant: said[0]?.name ?? (verdict === "not-a-leak" ? "none" : "unknown"),
    suspects: said,
  };
}

/** What a summary leaves open: whose the memory is that is neither available nor anyone's by name. */
function summaryOf({ levels }: Evidence): readonly Suspect[] {
  const total = levels["meminfo.MemTotal"];
  const free = levels["free.free.kib"];
  if (total === undefined || free === undefined || levels["meminfo.AnonPages"] !== undefined) return [];
  // Old versions have no column of what is available: with all of the cache it is at most this.
  const available = levels["free.available.kib"] ?? free + (levels["free.cache.kib"] ?? 0);
  const kib = total - available - (levels["free.shared.kib"] ?? 0);
  return [
    {
      name: "used memory (of processes or of the kernel)",
      kib,
      reason: `${formatMemory(kib)} is neither available nor shared; a summary does not say how much of it is the kernel's`,
      weight: "doubt",
    },
  ];
}

const WORKING_SET: Suspect = {
  name: "page-cache",
  kib: undefined,
  reason: "working sets count active page cache and tmpfs as used",
  weight: "benign",
};

function verdictOf(evidence: Evidence, suspects: readonly Suspect[], kinds: readonly string[]): DumpVerdict {
  if (suspects.some(({ weight }) => weight === "proof")) return "leak";
  if (suspects.some(({ weight }) => weight === "doubt")) return "unclear";
  if (suspects.length > 0) return "not-a-leak";
  return isHealthy(evidence, kinds) ? "not-a-leak" : "unclear";
}

/**
 * Enough was read to say that nothing is out of the ordinary. A summary by \`free\` bounds what the kernel holds from above
 * only: MemAvailable leaves out every page that nothing can reclaim, so those are within what is not available.
 */
function isHealthy({ levels }: Evidence, kinds: readonly string[]): boolean {
  if (levels["band.unacc"] !== undefined) return true;
  const total = levels["meminfo.MemTotal"];
  const available = levels["free.available.kib"] ?? levels["meminfo.MemAvailable"];
  if (total !== undefined && available !== undefined) {
    const shared = levels["meminfo.Shmem"] ?? levels["free.shared.kib"] ?? 0;
    const judged = (levels["meminfo.AnonPages"] ?? 0) + (levels["meminfo.SUnreclaim"] ?? 0);
    const unnamed = total - available - judged - shared;
    return available >= ROOM * total && unnamed <= Math.max(UNNAMED.ofTotal * total, UNNAMED.kib);
  }
  if (total !== undefined && levels["total.kernelNoncache"] !== undefined) return true;
  // A whole table of cgroups without anything to see.
  return kinds.includes("/proc/cgroups") && (levels["cgroup.memory.count"] ?? 0) < 1000;
}
