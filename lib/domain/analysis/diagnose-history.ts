import { askNext } from "../diagnosis/ask-next.ts";
import { judge } from "../diagnosis/judge.ts";
import { BANDS } from "../memory/bands.ts";
import { formatMemory } from "../memory/quantity.ts";
import { inKib, type Evidence } from "../signatures/evidence.ts";
import { matchSignatures, type Finding, type SignatureReading } from "../signatures/match-signatures.ts";

/** What a node's history says about known leaks. */
export interface HistoryReading extends SignatureReading {
  /** What to look at next; `undefined` when there is no question. */
  readonly askNext: string | undefined;
}

/** The signature of a leak that none of the known ones names. */
export const UNKNOWN_SIGNATURE = "unknown";

const NOT_KERNEL = new Set(["free", "pcp", "file", "buffers", "anon"]);

/**
 * Holds evidence of a node's history against all signatures. That its kernel memory leaks and none of them says why is a finding
 * as well.
 * @param leaking the sentence of the trend that says so, where it leaks.
 */
export function diagnoseHistory(evidence: Evidence, leaking: string | undefined): HistoryReading {
  const reading = matchSignatures(evidence);
  const isNamed = reading.findings.some(({ severity }) => severity === "warning");
  const isOpen = leaking !== undefined && !isNamed;
  const isSettled = reading.findings[0]?.certainty === "firm" || (leaking === undefined && !isNamed);
  const next = isSettled ? undefined : askNext(judge(evidence, []), reading, evidence, false);
  return {
    ...reading,
    findings: isOpen ? [unnamed(evidence, leaking), ...reading.findings] : reading.findings,
    askNext: isOpen ? (next ?? FIRST_LOOK) : next,
  };
}

const FIRST_LOOK = "/proc/slabinfo and /proc/vmallocinfo as root, twice, some hours apart";

function unnamed(evidence: Evidence, leaking: string): Finding {
  const [grown] = BANDS.flatMap(({ key, label }) => {
    const change = evidence.changes[`band.${key}`];
    return change === undefined || NOT_KERNEL.has(key)
      ? []
      : [{ name: `band.${key}`, label, kib: inKib(`band.${key}`, change.last - change.first) }];
  }).sort((a, b) => b.kib - a.kib);
  const where = grown !== undefined && grown.kib > 0 ? grown : undefined;
  return {
    signature: UNKNOWN_SIGNATURE,
    name: "Kernel memory leaks, and no known signature names the cause",
    kind: "leak",
    severity: "warning",
    certainty: "suspected",
    what: "The trend shows a leak. What was read of the node fits none of the known ones, or lacks what would show it.",
    score: 0,
    explainedKib: undefined,
    explainedShare: undefined,
    evidence: [
      { text: leaking, values: [] },
      ...(where === undefined
        ? []
        : [
            {
              text: `Most of it lies in ${where.label}: ${formatMemory(where.kib)} over the time that was read.`,
              values: [{ name: where.name, value: where.kib, unit: "KiB" as const }],
            },
          ]),
    ],
    counterEvidence: [],
    missing: [],
    confirm: {
      command: "cat /proc/meminfo /proc/slabinfo /proc/zoneinfo; cat /proc/cgroups; uname -r; lsmod",
      reading: "Twice, some hours apart: the cache or class that grew names the subsystem.",
    },
    mitigate: "Drain and reboot before memory runs out.",
    fix: "Not known until the cause is.",
    affectedVersions: "Not known.",
    sources: [],
  };
}
