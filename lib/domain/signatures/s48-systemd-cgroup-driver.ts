import { dyingMemcgKib, firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { allOf, anyOf, grows, kernelBetween, movesWith, runs } from "./sign.ts";
import type { Signature } from "./signature.ts";

const SYSTEMD_DRIVER = runs("cgroup-driver", (driver) => driver === "systemd", "driver");

export const systemdCgroupDriver: Signature = {
  id: "S48",
  name: "Restarted pods leak with the systemd cgroup driver",
  kind: "leak",
  suspect: "dying-memcgs",
  what: "Slab grows with every restart of a pod, only on nodes whose kubelet uses systemd for cgroups on v1.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: allOf(
    SYSTEMD_DRIVER,
    grows("meminfo.SUnreclaim"),
    anyOf(grows("cgroup.memory.dying"), movesWith("meminfo.SUnreclaim", "containers.started", 0.7)),
  ),
  requires: [kernelBetween("5.0", "5.6")],
  supports: [grows("cgroup.memory.dying"), movesWith("meminfo.SUnreclaim", "containers.started", 0.7)],
  affects: kernelBetween("5.3", "5.4"),
  explainsKib: firstOf(objectsTimes("cgroup.memory.dying", dyingMemcgKib), riseOrLevel("meminfo.SUnreclaim")),
  confirm: {
    command: "grep -i cgroupDriver /var/lib/kubelet/config.yaml; stat -fc %T /sys/fs/cgroup; uname -r",
    reading: "Nodes with cgroupfs as driver do not grow: this. They grow as well: S02.",
  },
  mitigate: "cgroupfs as driver, or reboot.",
  fix: "Kernel and systemd update.",
  affectedVersions: "Kernels about 5.3 with cgroup v1 and the systemd driver.",
  sources: ["deckhouse/deckhouse#2152", "deckhouse/deckhouse#1386"],
};
