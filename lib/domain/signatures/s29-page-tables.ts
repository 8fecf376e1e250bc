import { riseOrLevel } from "./explains.ts";
import { grows, growsOrHolds, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** Part of memory from which page tables are a waste that someone should mend, leak or not. */
const LARGE_SHARE = 0.1;

export const pageTables: Signature = {
  id: "S29",
  name: "Page tables of many processes or sparse mappings",
  kind: "not-a-leak",
  suspect: "page tables",
  what: "Every process that maps a large shared area has its own page tables; sparse access costs a page table page for each 2 MiB touched.",
  bands: ["ptables"],
  provenBy: "state",
  key: growsOrHolds("band.ptables", { ofTotal: 0.05, kib: 512 * 1024 }),
  severity: ({ levels }) =>
    (levels["band.ptables"] ?? 0) > LARGE_SHARE * (levels["meminfo.MemTotal"] ?? Infinity)
      ? "warning"
      : "info",
  supports: [
    holds(
      "the largest processes' page tables explain most of it",
      ["process.ptes.kib", "band.ptables"],
      (ptes = 0, all = 0) => ptes > 0.7 * all,
    ),
    grows("tasks.threads"),
  ],
  explainsKib: riseOrLevel("band.ptables"),
  confirm: {
    command: "grep -H VmPTE /proc/[0-9]*/status | sort -t: -k3 -rn | head",
    reading:
      "Processes add up to PageTables: user space. They do not: page tables without a process, a kernel leak.",
  },
  mitigate: "Restart the process; transparent huge pages.",
  fix: "Huge pages for shared memory, connection pooling, fewer processes.",
  affectedVersions: "Any kernel.",
  sources: ["citusdata/citus#2445", "darold/pgcluu#98"],
};
