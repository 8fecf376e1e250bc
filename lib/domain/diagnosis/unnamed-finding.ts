import type { Finding } from "../signatures/match-signatures.ts";

/** A leak that no signature names is a finding all the same: that we do not know which is said, not hidden. */
export function unnamedFinding(
  told: Pick<Finding, "name" | "what" | "explainedKib" | "evidence" | "missing">,
): Finding {
  return {
    signature: "unknown",
    kind: "leak",
    severity: "warning",
    certainty: "suspected",
    score: 0,
    explainedShare: undefined,
    counterEvidence: [],
    confirm: {
      command: "cat /proc/meminfo /proc/slabinfo /proc/zoneinfo; cat /proc/cgroups; uname -r; lsmod",
      reading: "Twice, some hours apart: the cache or class that grew names the subsystem.",
    },
    mitigate: "Drain and reboot before memory runs out.",
    fix: "Not known until the cause is.",
    affectedVersions: "Not known.",
    sources: [],
    ...told,
  };
}
