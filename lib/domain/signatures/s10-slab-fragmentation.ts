import { riseOrLevel } from "./explains.ts";
import { grows, holds, holdsStill } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const slabFragmentation: Signature = {
  id: "S10",
  name: "Half-empty slabs after a burst",
  kind: "not-a-leak",
  suspect: "half-empty slabs (SLUB partial lists)",
  what: "A slab page stays while one object on it lives. After a burst most of the memory is kept by a few objects; it is used again before anything new is taken.",
  bands: ["sunrecl", "srecl"],
  provenBy: "state",
  key: holds(
    "unused objects are more than half of the slab memory",
    ["slab.unused.kib", "meminfo.Slab"],
    (unused = 0, slab = 0) => slab > 256 * 1024 && unused > 0.5 * slab,
  ),
  requires: [holdsStill("meminfo.SUnreclaim")],
  supports: [
    holds(
      "unused objects explain half of what cannot be reclaimed",
      ["slab.unused.kib", "meminfo.SUnreclaim"],
      (unused = 0, sunrecl = 0) => unused > 0.5 * sunrecl,
    ),
    holdsStill("meminfo.SUnreclaim"),
  ],
  excludes: [grows("meminfo.SUnreclaim")],
  explainsKib: riseOrLevel("slab.unused.kib"),
  confirm: {
    command: "slabtop -o -s c | head -20",
    reading:
      "USE far below 60 % in the caches that hold most, and no growth since the burst. Caches nearly full and growing are a leak.",
  },
  mitigate: "None is needed; /sys/kernel/slab/CACHE/shrink frees only slabs that are quite empty.",
  fix: "None. Later real leaks stay unseen until the holes are full, so look at object counts as well as bytes.",
  affectedVersions: "Any kernel.",
  sources: ["scylladb/scylladb#14506"],
};
