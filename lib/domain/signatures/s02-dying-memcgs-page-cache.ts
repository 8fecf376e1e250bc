import { dyingMemcgKib, firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { kernelGaveBack, kernelGrows, kernelMovesWithContainers, kernelSlopeAfter } from "./kernel-memory.ts";
import { above, allOf, anyOf, gaveBack, grows, holdsStill, kernelBetween, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const dyingMemcgsPageCache: Signature = {
  id: "S02",
  name: "Dying memory cgroups pinned by page cache or locked pages",
  kind: "leak",
  suspect: "dying-memcgs",
  what: "A page of a file stays charged to the cgroup that first touched it. Logs, images and shared libraries keep removed cgroups alive until reclaim, which on large machines never comes.",
  bands: ["percpu", "sunrecl", "vmalloc"],
  provenBy: "growth",
  key: anyOf(
    above("cgroup.memory.dying", 2000),
    grows("cgroup.memory.dying"),
    allOf(kernelGrows, kernelMovesWithContainers),
  ),
  requires: [anyOf(grows("cgroup.memory.dying"), above("cgroup.memory.dying", 2000))],
  supports: [
    movesWith("cgroup.memory.dying", "containers.started", 0.7),
    kernelMovesWithContainers,
    grows("band.percpu"),
    kernelSlopeAfter("job-stopped", "stopped"),
    gaveBack(["drop-caches-1", "drop-caches-3"], "cgroup.memory.dying", { least: 0.3 }),
    holdsStill("watch./run/crio/exits.files"),
    // What deleting files releases was pinned by those files, not by page cache.
    gaveBack(["files-removed"], "cgroup.memory.dying", { most: 0.1 }),
    kernelGaveBack(["files-removed"], { most: 0.1 }),
  ],
  affects: kernelBetween(undefined, "7.0"),
  explainsKib: firstOf(
    objectsTimes("cgroup.memory.dying", dyingMemcgKib),
    riseOrLevel("total.kernelUnreclaimable"),
    riseOrLevel("total.kernelNoncache"),
  ),
  confirm: {
    command:
      "echo 0 > /sys/fs/cgroup/memory/kubepods/memory.force_empty   # v2: memory.reclaim, or drop_caches=1",
    reading:
      "The number of dying cgroups collapses within seconds when page cache pins them. When it does not move, tmpfs files (S01) or kernel objects (S04) pin them.",
  },
  mitigate: "The same command, off-peak, on the cgroup above the pods. Reclaim costs time and cache.",
  fix: "A kernel that hands folios to the parent cgroup (by 7.3); logs and images outside of the jobs' cgroups.",
  affectedVersions:
    "Cgroup v1 and v2, all kernels up to 6.18. About 75 KiB each at 32 CPUs on 5.0, more on larger machines.",
  sources: [
    "linux-mm msg174254",
    "moby/moby#29638",
    "facebookincubator/oomd#117",
    "lpc.events/event/19/contributions/2135",
  ],
};
