import { askNext } from "../diagnosis/ask-next.ts";
import { judge } from "../diagnosis/judge.ts";
import { unnamedFinding } from "../diagnosis/unnamed-finding.ts";
import { BANDS } from "../memory/bands.ts";
import { formatMemory } from "../memory/quantity.ts";
import { inKib, type Evidence } from "../signatures/evidence.ts";
import {
  CACHE_AND_USER,
  matchSignatures,
  type Finding,
  type SignatureReading,
} from "../signatures/match-signatures.ts";

/** What a node's history says about known leaks. */
export interface HistoryReading extends SignatureReading {
  /** What to look at next; `undefined` when there is no question. */
  readonly askNext: string | undefined;
}

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
    return change === undefined || CACHE_AND_USER.includes(key)
      ? []
      : [{ name: `band.${key}`, label, kib: inKib(`band.${key}`, change.last - change.first) }];
  }).sort((a, b) => b.kib - a.kib);
  const where = grown !== undefined && grown.kib > 0 ? grown : undefined;
  return unnamedFinding({
    name: "Kernel memory leaks, and no known signature names the cause",
    what: "The trend shows a leak. What was read of the node fits none of the known ones, or lacks what would show it.",
    explainedKib: undefined,
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
    missing: [],
  });
}
