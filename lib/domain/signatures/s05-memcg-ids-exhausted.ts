import { MEMCG_ID_LIMIT } from "../memory/memcg-ids.ts";
import { explainsNothingMeasured } from "./explains.ts";
import { above, allOf, anyOf, grows, holds, kernelBetween, reported, type Sign } from "./sign.ts";
import type { Signature } from "./signature.ts";

const WARN = 50_000;
const DYING_HOLD_IDS = kernelBetween(undefined, "4.8");

/** Of more of them than there are ids the dying ones hold none. */
const nearTheIds: Sign = (evidence) => {
  const outcome = above("cgroup.memory.count", WARN)(evidence);
  return (evidence.levels["cgroup.memory.count"] ?? 0) > MEMCG_ID_LIMIT
    ? { ...outcome, answer: "no" }
    : outcome;
};

/** From 4.8 on only live cgroups hold an id, before that dying ones too. */
export const memcgIdsExhausted: Signature = {
  id: "S05",
  name: "Memory-cgroup ids run out",
  kind: "limit",
  suspect: "cgroup ids exhausted",
  what: "A kernel has 65,535 ids for memory cgroups. When they are used up no container starts, however much memory is free; the error text depends on the kernel.",
  bands: [],
  provenBy: "state",
  affects: kernelBetween(undefined, "7.4"),
  key: anyOf(
    above("cgroup.memory.live", WARN),
    allOf(DYING_HOLD_IDS, above("cgroup.memory.count", WARN)),
    nearTheIds,
    reported("memory cgroup not made: ENOSPC"),
    reported("memory cgroup not made: EBUSY"),
    reported("memory cgroup not made: ENOMEM"),
  ),
  supports: [
    nearTheIds,
    anyOf(allOf(DYING_HOLD_IDS, grows("cgroup.memory.count")), grows("cgroup.memory.live")),
    reported("memory cgroup not made: ENOSPC"),
    reported("memory cgroup not made: EBUSY"),
    reported("memory cgroup not made: ENOMEM"),
  ],
  // Many dying ones alone take no ids of a newer kernel.
  excludes: [
    holds(
      "there are more memory cgroups than ids, so the dying ones hold none",
      ["cgroup.memory.count", "cgroup.memory.live"],
      (count = 0, live = 0) => count > MEMCG_ID_LIMIT && live <= WARN,
    ),
    allOf(
      kernelBetween("4.8", undefined),
      holds("live memory cgroups are few", ["cgroup.memory.live"], (live = 0) => live <= WARN),
    ),
  ],
  explainsKib: explainsNothingMeasured,
  confirm: {
    command: "grep memory /proc/cgroups; find /sys/fs/cgroup/memory -type d | wc -l",
    reading:
      "Near 65,535 in both: left-over directories (S09). Near it only in num_cgroups: dying cgroups, which hold ids before kernel 4.8 (S01, S01b, S02). Far below it: mkdir failed for want of memory for the cgroup itself.",
  },
  mitigate: "Remove empty left-over cgroups, or drain and reboot before the limit is met.",
  fix: "End what leaves cgroups behind: S01, S01b, S02 or S09.",
  affectedVersions: "All kernels: ids have 16 bits up to 7.3. Before 4.8 dying cgroups hold one too.",
  sources: ["vmware/photon#1535", "systemd/systemd#6661", "kubernetes/kubernetes#61937", "moby/moby#29638"],
};
