import { dyingMemcgKib, firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { kernelGaveBack, kernelGrows, kernelMovesWithContainers, kernelSlopeAfter } from "./kernel-memory.ts";
import {
  above,
  allOf,
  anyOf,
  gaveBack,
  grows,
  kernelBetween,
  movesWith,
  reported,
  risesInStep,
  unknown,
  type Sign,
} from "./sign.ts";
import type { Signature } from "./signature.ts";

const EXITS = ["watch./run/crio/exits.files", "watch./run/libpod/exits.files"] as const;

/** A watched directory or a tmpfs, wherever it is mounted, gets about a file for each cgroup that does not die. */
const aPlaceFillsInStep: Sign = (evidence) => {
  const answers = Object.keys(evidence.changes).flatMap((name) => {
    const place = /^(?:watch\.(.+)\.files|tmpfs\.(.+)\.inodes)$/.exec(name);
    const where = place?.[1] ?? place?.[2];
    return where === undefined
      ? []
      : [
          risesInStep(
            name,
            "cgroup.memory.dying",
            [0.3, 3],
            `each dying cgroup comes with a file on ${where}`,
          )(evidence),
        ];
  });
  return (
    answers.find(({ answer }) => answer === "yes") ??
    answers[0] ??
    unknown("whether a file on a tmpfs comes with each dying cgroup", "tmpfs./run.inodes")
  );
};

/** History 1: conmon writes a two-byte file from inside the container's memory cgroup. */
export const exitFilesOnTmpfs: Signature = {
  id: "S01",
  name: "Exit files of CRI-O or podman on tmpfs pin dead memory cgroups",
  kind: "leak",
  suspect: "dying-memcgs",
  what: "conmon runs inside the container's memory cgroup and leaves a small file on tmpfs. tmpfs pages are never dropped, so the removed cgroup stays behind with its slab and percpu structures; restarting the runtime changes nothing.",
  bands: ["sunrecl", "percpu", "vmalloc"],
  provenBy: "growth",
  key: anyOf(
    grows(EXITS[0]),
    grows(EXITS[1]),
    above(EXITS[0], 1000),
    above(EXITS[1], 1000),
    allOf(grows("cgroup.memory.dying"), aPlaceFillsInStep),
  ),
  // Where the growth was stopped the files still hold what they held.
  requires: [
    above("cgroup.memory.dying", 1000),
    anyOf(grows("cgroup.memory.dying"), above(EXITS[0], 1000), above(EXITS[1], 1000)),
  ],
  supports: [
    movesWith("cgroup.memory.dying", "containers.started", 0.8),
    kernelMovesWithContainers,
    kernelGrows,
    grows("band.percpu"),
    kernelSlopeAfter("job-stopped", "stopped"),
    kernelSlopeAfter("runtime-restarted", "unchanged"),
    gaveBack(["files-removed"], "cgroup.memory.dying", { least: 0.3 }),
    kernelGaveBack(["files-removed"], { least: 0.1 }),
    reported("memory cgroup not made: ENOSPC"),
  ],
  excludes: [
    gaveBack(["drop-caches-1", "drop-caches-2", "drop-caches-3"], "cgroup.memory.dying", { least: 0.3 }),
  ],
  affects: kernelBetween(undefined, "7.0"),
  explainsKib: firstOf(
    objectsTimes("cgroup.memory.dying", dyingMemcgKib),
    riseOrLevel("total.kernelUnreclaimable"),
    riseOrLevel("total.kernelNoncache"),
    objectsTimes(EXITS[0], dyingMemcgKib),
  ),
  confirm: {
    command: "ls /run/crio/exits | wc -l; crictl ps -a -q | wc -l",
    reading:
      "Far more exit files than containers means this. Then drop_caches=3 must not lower the number of dying cgroups, while deleting the files of containers that are gone lowers it within a second; if drop_caches=1 lowers it, page cache pins them (S02).",
  },
  mitigate:
    "Delete files in /run/crio/exits older than an hour whose container no longer exists, or drain and reboot the node. Stop the job that starts containers without end.",
  fix: "Upgrade CRI-O or podman. cri-o#2854 covers only the containers of the pod infrastructure and removes no old files; #2855, #2860 and #5508 are needed as well. Kernels that hand folios to the parent cgroup (after 6.18, by 7.3) no longer pin.",
  affectedVersions:
    "CRI-O before 1.13.x, 1.14.x and 1.16 with cri-o#2855, #2854 and #2860, and again until cri-o#5508 (2022); podman until 5.4.1. Any kernel without reparenting of folios.",
  sources: [
    "sipb/homeworld#458",
    "cri-o/cri-o#2854",
    "cri-o/cri-o#2855",
    "cri-o/cri-o#2860",
    "cri-o/cri-o#5508",
    "containers/podman#3595",
    "containers/podman#25291",
  ],
};
