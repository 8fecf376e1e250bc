import { riseOrLevel } from "./explains.ts";
import { grows, growsOrHolds, holds, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** Control files of a v1 memory cgroup plus its directory, 136 bytes each. */
const BYTES_PER_LIVE_CGROUP = 33 * 136;

export const kernfsNodes: Signature = {
  id: "S08",
  name: "sysfs and cgroup nodes are left behind",
  kind: "leak",
  suspect: "slab-unreclaimable:kernfs_node_cache",
  what: "Each container, health check or device makes entries in the cgroup and sysfs trees; some kernels kept the nodes after their removal.",
  bands: ["sunrecl", "srecl"],
  provenBy: "growth",
  key: growsOrHolds("slab.kernfs_node_cache.bytes", { ofTotal: 0.01, kib: 256 * 1024 }),
  requires: [
    holds(
      "live cgroups do not explain the nodes",
      ["slab.kernfs_node_cache.bytes", "cgroup.memory.live"],
      (bytes = 0, live = 0) => bytes - live * BYTES_PER_LIVE_CGROUP > 64 * 1024 * 1024,
    ),
  ],
  supports: [
    grows("slab.inode_cache.bytes"),
    movesWith("slab.kernfs_node_cache.bytes", "containers.started", 0.7),
  ],
  explainsKib: riseOrLevel("slab.kernfs_node_cache.bytes"),
  confirm: {
    command:
      "grep kernfs_node_cache /proc/slabinfo; find /sys -maxdepth 6 | wc -l; find /sys/fs/cgroup -type d | wc -l",
    reading:
      "Many more objects than entries under /sys and /sys/fs/cgroup: nodes that were removed are still held. About as many: left-over cgroups or devices (S09, S49).",
  },
  mitigate: "Remove empty cgroups; slow down the health checks that start containers.",
  fix: "As S09; a newer kernel.",
  affectedVersions: "Seen on 4.9 with rkt health checks; any kernel with left-over cgroups or devices.",
  sources: ["coreos/bugs#1927"],
};
