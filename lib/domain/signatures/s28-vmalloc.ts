import { riseOrLevel } from "./explains.ts";
import type { Evidence } from "./evidence.ts";
import { grows, growsOrHolds, hasModule, known, type Outcome, type Sign, unknown, valueOf } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** What each caller of vmalloc brought, the largest first. */
function risesOf(evidence: Evidence): readonly { readonly name: string; readonly rise: number }[] {
  return Object.entries(evidence.changes)
    .filter(([name]) => name.startsWith("vmalloc.") && name.endsWith(".usedKib"))
    .map(([name, { first, last }]) => ({ name, rise: last - first }))
    .sort((a, b) => b.rise - a.rise);
}

/** The caller that brought most of the growth names the module, where the callers are known. */
const oneCaller: Sign = (evidence): Outcome => {
  const rises = risesOf(evidence);
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

/** The per-CPU allocator keeps its books in vmalloc: what grows then is what takes per-CPU memory (S03), no module. */
const percpuAllocator: Sign = (evidence): Outcome => {
  const rises = risesOf(evidence);
  const what = "the allocator of per-CPU memory brought most of the growth of vmalloc";
  const [top] = rises;
  if (top === undefined) return unknown("which caller of vmalloc grows", "/proc/vmallocinfo");
  const ofPercpu = rises.filter(({ name }) => name.startsWith("vmalloc.pcpu_"));
  const rise = ofPercpu.reduce((total, each) => total + Math.max(0, each.rise), 0);
  const all = rises.reduce((total, each) => total + Math.max(0, each.rise), 0);
  const yes = all > 0 && rise >= 0.7 * all;
  return known(
    yes,
    yes ? what : `not so: ${what}`,
    "samples",
    ofPercpu.map((each) => valueOf(each.name, each.rise)),
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
  excludes: [percpuAllocator],
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
