import { dyingMemcgKib, objectsTimes } from "./explains.ts";
import { above, anyOf, gaveBack, grows, kernelBetween, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const dyingMemcgsKernelObjects: Signature = {
  id: "S04",
  name: "Dying memory cgroups pinned by slab objects",
  kind: "leak",
  suspect: "dying-memcgs",
  what: "Before 5.9 every accounted slab object (dentry, inode, mapping) held its memory cgroup; a cached dentry kept a removed cgroup alive.",
  bands: ["sunrecl", "srecl", "percpu"],
  provenBy: "growth",
  key: anyOf(grows("cgroup.memory.dying"), above("cgroup.memory.dying", 2000)),
  requires: [
    kernelBetween(undefined, "5.13"),
    gaveBack(["drop-caches-2", "drop-caches-3"], "cgroup.memory.dying", { least: 0.3 }),
    gaveBack(["drop-caches-1"], "cgroup.memory.dying", { most: 0.1 }),
  ],
  supports: [
    grows("meminfo.SReclaimable"),
    movesWith("cgroup.memory.dying", "containers.started", 0.7),
    gaveBack(["drop-caches-2", "drop-caches-3"], "cgroup.memory.dying", { least: 0.3 }),
  ],
  excludes: [gaveBack(["drop-caches-1"], "cgroup.memory.dying", { least: 0.3 })],
  affects: kernelBetween(undefined, "5.9"),
  explainsKib: objectsTimes("cgroup.memory.dying", dyingMemcgKib),
  confirm: {
    command:
      "grep memory /proc/cgroups; echo 1 > /proc/sys/vm/drop_caches; grep memory /proc/cgroups; echo 2 > /proc/sys/vm/drop_caches; grep memory /proc/cgroups   # v2: grep nr_dying_descendants /sys/fs/cgroup/cgroup.stat",
    reading:
      "On v1 the third column counts dying cgroups with the live ones, so it falls when they go. Dying cgroups fall only at the second step: slab objects pin them. They fall at the first: page cache (S02). At neither: tmpfs (S01).",
  },
  mitigate: "drop_caches=2 off-peak, or reboot.",
  fix: "Kernel 5.9 or newer; 5.13 or newer for kernel stacks.",
  affectedVersions: "Up to 5.2 strongly, 5.3 to 5.8 partly, charges of whole pages up to 5.12.",
  sources: ["linux-mm msg182455", "linux-fsdevel msg190052"],
};
