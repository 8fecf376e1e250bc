import { objectsTimes } from "./explains.ts";
import { grows, holds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const tmpfsMountLeak: Signature = {
  id: "S17",
  name: "tmpfs mounts of dead sandboxes",
  kind: "leak",
  suspect: "mount leak",
  what: "shm and secret mounts of removed pods stay mounted. Shmem may be small; superblocks and inodes grow.",
  bands: ["sunrecl", "shmem"],
  provenBy: "growth",
  key: grows("mounts.tmpfs.count"),
  requires: [
    holds(
      "there are more tmpfs mounts than sandboxes explain",
      ["mounts.tmpfs.count", "sandboxes.count"],
      (mounts = 0, sandboxes = 0) => mounts > 3 * sandboxes + 50,
    ),
  ],
  supports: [grows("slab.shmem_inode_cache.bytes"), grows("mounts.total")],
  explainsKib: objectsTimes("mounts.tmpfs.count", () => 8),
  confirm: {
    command:
      "grep ' - tmpfs ' /proc/1/mountinfo | awk '{print $5}' | sed 's/[0-9a-f]\\{8,\\}/N/g' | sort | uniq -c | sort -rn | head",
    reading: "Many mounts of one form for ids that crictl pods does not list.",
  },
  mitigate: "Unmount them.",
  fix: "Runtime upgrade.",
  affectedVersions: "CRI-O versions of the source.",
  sources: ["cri-o/cri-o#3581"],
};
