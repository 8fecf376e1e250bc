import { riseOrLevel } from "./explains.ts";
import { allOf, anyOf, gaveBack, grows, growsOrHolds, holds, kernelBetween } from "./sign.ts";
import type { Signature } from "./signature.ts";

const LARGE = { ofTotal: 0.05, kib: 512 * 1024 };

export const inodeCaches: Signature = {
  id: "S13",
  name: "Inode caches of XFS, ext4 or btrfs",
  kind: "not-a-leak",
  suspect: "slab-reclaimable: inode caches",
  what: "Scans, builds and backups fill the inode cache. It is reclaimed under pressure; part of XFS' buffers stands in unaccounted.",
  bands: ["srecl"],
  provenBy: "state",
  key: anyOf(
    growsOrHolds("slab.ext4_inode_cache.bytes", LARGE),
    growsOrHolds("slab.xfs_inode.bytes", LARGE),
    growsOrHolds("slab.btrfs_inode.bytes", LARGE),
    allOf(
      grows("meminfo.SReclaimable"),
      gaveBack(["drop-caches-2", "drop-caches-3"], "meminfo.SReclaimable", { least: 0.7 }),
    ),
  ),
  supports: [
    holds(
      "there is memory available",
      ["meminfo.MemAvailable", "meminfo.MemTotal"],
      (left = 0, all = 0) => left > 0.1 * all,
    ),
    gaveBack(["drop-caches-2", "drop-caches-3"], "meminfo.SReclaimable", { least: 0.7 }),
  ],
  excludes: [gaveBack(["drop-caches-2", "drop-caches-3"], "meminfo.SReclaimable", { most: 0.3 })],
  affects: kernelBetween("4.19", "4.19.65"),
  explainsKib: riseOrLevel("slab.ext4_inode_cache.bytes", "slab.xfs_inode.bytes", "slab.btrfs_inode.bytes"),
  confirm: {
    command:
      "grep -E 'SReclaimable|MemAvailable' /proc/meminfo; echo 2 > /proc/sys/vm/drop_caches; grep SReclaimable /proc/meminfo",
    reading: "70 % or more goes: cache. Most stays: pinned (S12, S24) or a kernel that does not reclaim.",
  },
  mitigate: "None is needed; drop_caches=2 off-peak.",
  fix: "None. Kernel 4.19 before 4.19.65 with cgroup_disable=memory really did not reclaim: update.",
  affectedVersions: "Any; a real fault only in 4.19 before 4.19.65 with cgroup_disable=memory.",
  sources: ["vmware/photon#1535", "raspberrypi/linux#2829"],
};
