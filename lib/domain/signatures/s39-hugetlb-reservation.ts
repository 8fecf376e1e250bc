import { riseOrLevel } from "./explains.ts";
import { holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const hugetlbReservation: Signature = {
  id: "S39",
  name: "Huge pages are reserved",
  kind: "not-a-leak",
  suspect: "hugetlb reservation",
  what: "Memory set aside for huge pages, at boot or by sysctl, used or not. It is in no other counter, so tools show it as used by nobody.",
  bands: ["hugetlb"],
  provenBy: "state",
  key: holds(
    "huge pages hold more than 3 % of memory",
    ["band.hugetlb", "meminfo.MemTotal"],
    (kib = 0, total = 0) => kib > 0.03 * total,
  ),
  supports: [
    holds(
      "most huge pages are free",
      ["meminfo.HugePages_Free", "meminfo.HugePages_Total"],
      (free = 0, all = 0) => free > 0.5 * all,
    ),
    holds("huge pages are more than 1 GiB", ["band.hugetlb"], (kib = 0) => kib > 1024 * 1024),
    // A reservation is one step, at one moment.
    (evidence) => {
      const change = evidence.changes["band.hugetlb"];
      const still = change === undefined || change.first === change.last;
      return {
        answer: change === undefined ? "unknown" : still ? "yes" : "no",
        text: still ? "the reservation does not change" : "the reservation changed in the window",
        values: [],
        missing: change === undefined ? ["huge pages over time"] : [],
        basis: "samples",
      };
    },
  ],
  explainsKib: riseOrLevel("band.hugetlb"),
  confirm: {
    command:
      "grep -i huge /proc/meminfo; grep -r . /sys/kernel/mm/hugepages/*/nr_hugepages; cat /proc/cmdline",
    reading:
      "A number in the command line or in sysctl settings equal to it: wanted. Reserved pages are inside the free ones; the whole pool is out of reach for anything else.",
  },
  mitigate: "Lower vm.nr_hugepages.",
  fix: "Size it by the workload and declare it to the kubelet as a resource.",
  affectedVersions: "Any kernel.",
  sources: ["kubernetes/kubernetes#137984", "kubernetes/kubernetes#119172", "ryran/xsos#288"],
};
