import { firstOf, objectsTimes } from "./explains.ts";
import { above, anyOf, grows, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

const MANY_ZOMBIES = 50;
/** So many tasks no machine runs: most of them have ended, unless they are threads (S36). */
const MANY_TASKS = 200_000;

export const zombiesPinCgroups: Signature = {
  id: "S07",
  name: "Zombies pin their cgroups",
  kind: "leak",
  suspect: "zombies",
  what: "A process that ended and that its parent never waited for keeps its task and its cgroup. Exec probes in containers without an init are the usual source.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: anyOf(above("tasks.zombies", MANY_ZOMBIES), above("slab.task_struct.objects", MANY_TASKS)),
  excludes: [holds("zombies are few", ["tasks.zombies"], (zombies = 0) => zombies <= MANY_ZOMBIES)],
  requires: [grows("tasks.zombies")],
  supports: [
    holds(
      "zombies are at least half of the dying cgroups",
      ["tasks.zombies", "cgroup.memory.dying"],
      (zombies = 0, dying = 0) => dying > 0 && zombies >= 0.5 * dying,
    ),
    grows("slab.task_struct.bytes"),
    grows("cgroup.memory.dying"),
  ],
  explainsKib: firstOf(
    objectsTimes("tasks.zombies", () => 10.5),
    objectsTimes("slab.task_struct.objects", () => 10.5),
  ),
  confirm: {
    command:
      "ps -eo stat,ppid,comm | awk '$1 ~ /^Z/ {n[$2]++} END {for (p in n) print n[p], p}' | sort -rn | head",
    reading:
      "One parent with nearly all of them is the one that does not wait. Zombies hold no stack: 10.5 KiB of slab each.",
  },
  mitigate: "Restart the parent: its children are then reaped by init and the cgroups go at once.",
  fix: "An init as PID 1 of the container (tini, shareProcessNamespace), or an upgrade of the runtime.",
  affectedVersions: "Any kernel.",
  sources: [
    "kubernetes/kubernetes#81042",
    "containerd/containerd#4255",
    "containerd/containerd#9979",
    "Mirantis/cri-dockerd#124",
  ],
};
