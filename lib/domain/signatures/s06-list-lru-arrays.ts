import { riseOrLevel } from "./explains.ts";
import { above, growsOrHolds, holds, kernelBetween } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const listLruArrays: Signature = {
  id: "S06",
  name: "Shrinker lists for every mount and every memory-cgroup id",
  kind: "leak",
  suspect: "slab-unreclaimable:kmalloc-32",
  what: "Up to 5.17 each superblock kept two lists of 32 bytes for every memory-cgroup id that was ever in use, and never shrank them: mounts times the peak number of cgroups.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: growsOrHolds("kmalloc.32.bytes", { ofTotal: 0.02, kib: 512 * 1024 }),
  requires: [
    holds(
      "mounts times cgroups explain half of it",
      ["mounts.total", "cgroup.memory.count", "kmalloc.32.bytes"],
      (mounts = 0, cgroups = 0, bytes = 0) => mounts * cgroups * 64 >= 0.5 * bytes,
    ),
  ],
  supports: [above("mounts.total", 500), above("cgroup.memory.count", 5000)],
  excludes: [kernelBetween("5.18", undefined)],
  affects: kernelBetween(undefined, "5.18"),
  explainsKib: riseOrLevel("kmalloc.32.bytes"),
  confirm: {
    command: "grep -E '^kmalloc-32 ' /proc/slabinfo; wc -l < /proc/1/mountinfo; grep memory /proc/cgroups",
    reading:
      "NUMA nodes x highest cgroup id x 64 bytes x superblocks close to the cache's size, and all its objects in use, means this.",
  },
  mitigate: "Fewer mounts (remove left-over ones); the lists themselves only go with a reboot.",
  fix: "Kernel 5.18 or newer, which makes the lists when they are needed.",
  affectedVersions: "Up to 5.17, on nodes with many mounts and many cgroups at some time since boot.",
  sources: ["linux-mm msg278709", "Oracle UEK7U1 release blog"],
};
