import { firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { above, anyOf, gaveBack, grows, holds, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const watchedInodes: Signature = {
  id: "S12",
  name: "Inodes pinned by inotify or fanotify",
  kind: "leak",
  suspect: "slab-reclaimable: inodes pinned by watches",
  what: "A watch holds the inode of what it watches. The inode stands in reclaimable slab and cannot be reclaimed.",
  bands: ["srecl"],
  provenBy: "growth",
  key: anyOf(
    gaveBack(["drop-caches-2", "drop-caches-3"], "meminfo.SReclaimable", { most: 0.3 }),
    grows("inotify.watches"),
  ),
  requires: [
    grows("meminfo.SReclaimable"),
    holds(
      "there are far more inodes than dentries",
      ["fs.inodeNr.nr_inodes", "fs.dentryState.nr_dentry"],
      (inodes = 0, dentries = 0) => inodes > 1.5 * dentries,
    ),
  ],
  supports: [
    grows("inotify.watches"),
    grows("fs.inodeNr.nr_inodes"),
    movesWith("fs.inodeNr.nr_inodes", "inotify.watches", 0.7),
    above("inotify.watches", 100_000),
  ],
  explainsKib: firstOf(
    objectsTimes("inotify.watches", () => 1.3),
    riseOrLevel("meminfo.SReclaimable"),
  ),
  confirm: {
    command: "grep -c '^inotify wd' /proc/*/fdinfo/* 2>/dev/null | grep -v ':0$' | sort -t: -k2 -rn | head",
    reading:
      "One process with most of the watches, and slab that stays after drop_caches=2, mean this. Slab that goes is ordinary cache (S11, S13).",
  },
  mitigate: "Restart the process that holds the watches.",
  fix: "A watcher that releases what it no longer needs; see S32.",
  affectedVersions: "Any kernel.",
  sources: ["google/cadvisor#1581", "kubernetes/kubernetes#10421"],
};
