import { firstOf, riseOrLevel } from "./explains.ts";
import { above, anyOf, grows, holds, kernelBetween, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

/** History 2. The release alone proves nothing: it takes a cgroup with kernel memory accounted, or what follows from that. */
export const kmemAccountingEl7: Signature = {
  id: "S01b",
  name: "Kernel-memory accounting on kernel 3.10 never gives memory cgroups back",
  kind: "leak",
  suspect: "kernel-memory accounting of memory cgroups (3.10 el7 kernel)",
  what: "runc set a kernel-memory limit on every cgroup; on 3.10 each such cgroup copies every slab cache and is not released after its removal. Slab and cgroup ids leak until 65,535, then no pod starts.",
  bands: ["sunrecl", "srecl"],
  provenBy: "growth",
  key: anyOf(
    above("cgroup.memory.kmem.kib", 0),
    reported("memory cgroup not made: ENOMEM"),
    reported("memory cgroup not made: ENOSPC"),
    reported("slab allocation failed"),
  ),
  requires: [
    kernelBetween("3.10", "3.11"),
    anyOf(
      grows("cgroup.memory.count"),
      above("cgroup.memory.count", 5000),
      reported("memory cgroup not made: ENOMEM"),
      reported("slab allocation failed"),
    ),
  ],
  supports: [
    grows("slab.kmem_cache.bytes"),
    grows("slab.kmem_cache_node.bytes"),
    grows("meminfo.SUnreclaim"),
    above("cgroup.memory.count", 50_000),
    reported("slab allocation failed"),
    reported("kubelet: memory pressure"),
    holds(
      "memory is not what ran out",
      ["meminfo.MemAvailable", "meminfo.MemTotal"],
      (left = 0, all = 1) => left > 0.15 * all,
    ),
  ],
  // A paste may show nothing but a count that the script itself drove to the limit.
  excludes: [
    holds("memory cgroups go when they are told to", ["cgroup.memory.selfMade"], (made = 0) => made > 0),
  ],
  affects: kernelBetween("3.10", "3.11"),
  // Each copy of a cache keeps slabs of its own, so that all of unreclaimable slab grows.
  explainsKib: firstOf(
    riseOrLevel("band.sunrecl"),
    riseOrLevel("slab.kmem_cache.bytes", "slab.kmem_cache_node.bytes"),
  ),
  confirm: {
    command: "cat /sys/fs/cgroup/memory/kubepods/*/*/memory.kmem.slabinfo | head",
    reading:
      "Content on this kernel means that accounting is on; 'Input/output error' means off. On kernels from 5.9 the file is there and always empty, and says nothing. Compare num_cgroups of the memory row with the directories: equal means left-over directories, far more means dying ones.",
  },
  mitigate:
    "Reboot the node: the memory does not come back otherwise. Until then spread pods; dropping caches only delays it.",
  fix: "runc built with nokmem or 1.0.0-rc94 and newer, and a kubelet built with the nokmem tag; cgroup.memory=nokmem on the command line, an EL7 kernel with RHSA-2019:3055, or a newer distribution. Existing pods must be created anew.",
  affectedVersions:
    "Kernel 3.10.0-*.el7 with kubelet 1.8 or newer, or Docker 17.06 to 18.x, whose runc sets kernel-memory limits.",
  sources: [
    "kubernetes/kubernetes#61937",
    "opencontainers/runc#1725",
    "opencontainers/runc#1921",
    "opencontainers/runc#2840",
    "moby/moby#29638",
    "moby/moby#37722",
  ],
};
