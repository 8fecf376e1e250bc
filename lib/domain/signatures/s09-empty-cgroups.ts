import { firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { above, anyOf, grows, holds, holdsStill } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const emptyCgroups: Signature = {
  id: "S09",
  name: "Empty cgroups and systemd scopes are never removed",
  kind: "leak",
  suspect: "memory cgroups never removed (live directories)",
  what: "Directories without a process are left behind: scopes of mounts, sessions, conmon, a second cgroup driver, a tree that a runtime makes and forgets.",
  bands: ["sunrecl", "percpu"],
  provenBy: "growth",
  key: anyOf(
    holds(
      "more than half of the memory cgroups are empty",
      ["cgroup.memory.empty", "cgroup.memory.live"],
      (empty = 0, live = 0) => live > 500 && empty > 0.5 * live,
    ),
    above("cgroup.memory.live", 20_000),
  ),
  requires: [holdsStill("containers.live")],
  supports: [
    grows("cgroup.memory.live"),
    above("cgroup.memory.live", 20_000),
    grows("slab.kernfs_node_cache.bytes"),
    grows("band.percpu"),
  ],
  explainsKib: firstOf(
    objectsTimes("cgroup.memory.empty", ({ levels }) => 16.7 + 2 * (levels.cpus ?? 2)),
    riseOrLevel("slab.kernfs_node_cache.bytes"),
  ),
  confirm: {
    command:
      "find /sys/fs/cgroup -name cgroup.procs -size 0 -o -name '*.scope' | sed 's/[0-9a-f]\\{8,\\}/N/g' | sort | uniq -c | sort -rn | head",
    reading:
      "One cluster of names (run-r*.scope, session-*.scope, crio-conmon-*, pods that the API does not know) names who makes them. Directories as many as num_cgroups: not dying ones.",
  },
  mitigate:
    "rmdir the empty ones, deepest first, or systemctl stop the empty scopes. Both fail harmlessly on those in use.",
  fix: "Upgrade the component that the names point to.",
  affectedVersions:
    "kubelet with systemd scopes, CRI-O 1.22 to 1.24 on v2, kata, systemd versions named in the sources.",
  sources: [
    "kubernetes/kubernetes#64137",
    "kubernetes/kops#5916",
    "cri-o/cri-o#2601",
    "cri-o/cri-o#6349",
    "kubernetes/kubernetes#108908",
    "systemd/systemd#37880",
    "huzhengchuan/dailywork#58",
  ],
};
