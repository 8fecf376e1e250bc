import { explainsNothingMeasured } from "./explains.ts";
import { grows, holds, holdsStill, known, unknown, type Outcome, type Sign, valueOf } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** Free memory falls while what could be had stays. */
const onlyFreeFalls: Sign = ({ changes }): Outcome => {
  const [free, available] = [changes["meminfo.MemFree"], changes["meminfo.MemAvailable"]];
  if (free === undefined || available === undefined)
    return unknown(
      "whether MemFree falls and MemAvailable does not",
      "meminfo.MemFree",
      "meminfo.MemAvailable",
    );
  const lost = free.first - free.last;
  const yes = lost > 0.1 * free.first && Math.abs(available.last - available.first) < 0.3 * lost;
  return known(
    yes,
    yes ? "MemFree fell and MemAvailable did not" : "MemFree and MemAvailable do not part",
    "samples",
    [valueOf("meminfo.MemFree", free.last), valueOf("meminfo.MemAvailable", available.last)],
  );
};

export const freeListsAndCache: Signature = {
  id: "S47",
  name: "Only free memory falls: page cache and per-CPU lists",
  kind: "not-a-leak",
  suspect: "page-cache",
  what: "Memory that is not free is not lost: page cache and per-CPU free lists take it and give it back. Working sets of the kubelet count active cache as used.",
  bands: ["file", "pcp"],
  provenBy: "state",
  key: onlyFreeFalls,
  requires: [holdsStill("total.kernelUnreclaimable")],
  supports: [
    grows("band.file"),
    grows("band.pcp"),
    holds(
      "there is memory available",
      ["meminfo.MemAvailable", "meminfo.MemTotal"],
      (left = 0, all = 0) => left > 0.1 * all,
    ),
  ],
  explainsKib: explainsNothingMeasured,
  confirm: {
    command:
      "grep -E 'MemFree|MemAvailable|^Cached' /proc/meminfo; grep -E '^ +count:' /proc/zoneinfo | awk '{n += $2} END {print n}'",
    reading:
      "MemAvailable steady while MemFree falls: cache. MemAvailable falling as well: look at what grows.",
  },
  mitigate: "None is needed.",
  fix: "None.",
  affectedVersions: "All kernels.",
  sources: ["kubernetes/kubernetes#43916", "Azure/AKS#2067"],
};
