import { riseOrLevel } from "./explains.ts";
import { above, anyOf, hasModule, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const zfsArc: Signature = {
  id: "S44",
  name: "The ARC of ZFS, and SPL caches",
  kind: "not-a-leak",
  suspect: "zfs-arc/spl",
  what: "The cache of ZFS stands in unreclaimable slab, vmalloc or unaccounted, by version. It shrinks under pressure, and MemAvailable leaves it out.",
  bands: ["unacc", "sunrecl", "vmalloc"],
  provenBy: "state",
  key: anyOf(
    holds(
      "the ARC holds more than 5 % of memory",
      ["zfs.arc.kib", "meminfo.MemTotal"],
      (kib = 0, total = 0) => kib > 0.05 * total,
    ),
    above("zfs.slab.kib", 1024 * 1024),
    above("zfs.spl.kib", 1024 * 1024),
    above("zfs.arc.kib", 2 * 1024 * 1024),
  ),
  supports: [
    holds(
      "the ARC equals what is unaccounted",
      ["zfs.arc.kib", "band.unacc"],
      (kib = 0, unacc = 0) => Math.abs(kib - unacc) < 0.15 * kib,
    ),
    holds(
      "the ARC is within its limit",
      ["zfs.arc.kib", "zfs.arc.max.kib"],
      (kib = 0, most = 0) => kib <= 1.05 * most,
    ),
    holds(
      "SPL caches are not far above the ARC",
      ["zfs.spl.kib", "zfs.arc.kib"],
      (spl = 0, arc = 0) => spl < 2 * arc,
    ),
    hasModule(/^(?:zfs|spl)$/, "zfs"),
  ],
  explainsKib: riseOrLevel("zfs.arc.kib", "zfs.slab.kib"),
  confirm: {
    command:
      "grep -E '^(size|c|c_max) ' /proc/spl/kstat/zfs/arcstats; sort -k3 -rn /proc/spl/kmem/slab | head",
    reading:
      "size within c_max: the cache does what it is told. Caches of SPL far above the ARC's size: fragmentation of SPL, which is not given back.",
  },
  mitigate: "Lower zfs_arc_max.",
  fix: "The same, set at boot.",
  affectedVersions: "Hosts with ZFS.",
  sources: ["openzfs/zfs#10255", "openzfs/zfs#17052", "openzfs/zfs#3029"],
};
