import { riseOrLevel } from "./explains.ts";
import { grows, growsOrHolds, hasModule, known, type Outcome, type Sign, unknown, valueOf } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** The caller that brought most of the growth names the module, where the callers are known. */
const oneCaller: Sign = (evidence): Outcome => {
  const rises = Object.entries(evidence.changes)
    .filter(([name]) => name.startsWith("vmalloc.") && name.endsWith(".usedKib"))
    .map(([name, { first, last }]) => ({ name, rise: last - first }))
    .sort((a, b) => b.rise - a.rise);
  const [top] = rises;
  const all = rises.reduce((total, { rise }) => total + Math.max(0, rise), 0);
  if (top === undefined || all <= 0) return unknown("which caller of vmalloc grows", "/proc/vmallocinfo");
  const yes = top.rise >= 0.7 * all;
  return known(
    yes,
    yes
      ? `${top.name.slice(8, -8)} brought most of the growth of vmalloc`
      : "no single caller brought the growth of vmalloc",
    "samples",
    [valueOf(top.name, top.rise)],
  );
};

export const vmalloc: Signature = {
  id: "S28",
  name: "A module leaks vmalloc memory",
  kind: "leak",
  suspect: "vmalloc",
  what: "Memory from vmalloc that one caller keeps taking. /proc/vmallocinfo names the caller and, in brackets, its module.",
  bands: ["vmalloc"],
  provenBy: "growth",
  key: growsOrHolds("band.vmalloc", { ofTotal: 0.1, kib: 1024 * 1024 }),
  supports: [oneCaller, grows("band.vmalloc"), hasModule(/./, "an out-of-tree module")],
  explainsKib: riseOrLevel("band.vmalloc"),
  confirm: {
    command:
      "awk '$4 ~ /pages=/ || $5 ~ /pages=/ {n[$3] += $2} END {for (c in n) print n[c], c}' /proc/vmallocinfo | sort -rn | head",
    reading:
      "One caller with 70 % of the growth names the module. bpf callers: S26 and S27. ZFS of the 0.8 era keeps caches there, which is no leak.",
  },
  mitigate: "Unload the module, or reboot.",
  fix: "Fix or replacement of the module.",
  affectedVersions: "Any out-of-tree or faulty module.",
  sources: ["milesp20/intel_nuc_led#11", "openzfs/zfs#923"],
};
