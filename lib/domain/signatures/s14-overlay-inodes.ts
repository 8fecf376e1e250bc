import { riseOrLevel } from "./explains.ts";
import { gaveBack, grows, growsOrHolds, movesWith } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const overlayInodes: Signature = {
  id: "S14",
  name: "Overlay file systems fill inode and dentry caches",
  kind: "not-a-leak",
  suspect: "slab-reclaimable:ovl_inode",
  what: "Each image layer and each scan of a container's root brings inodes of the overlay and of the layer below it.",
  bands: ["srecl"],
  provenBy: "state",
  key: growsOrHolds("slab.ovl_inode.bytes", { ofTotal: 0.01, kib: 256 * 1024 }),
  supports: [
    grows("slab.inode_cache.bytes"),
    grows("slab.dentry.bytes"),
    movesWith("slab.ovl_inode.bytes", "images.count", 0.7),
    gaveBack(["drop-caches-2", "drop-caches-3"], "slab.ovl_inode.bytes", { least: 0.7 }),
  ],
  explainsKib: riseOrLevel("slab.ovl_inode.bytes", "slab.inode_cache.bytes"),
  confirm: {
    command:
      "grep -E '^(ovl_inode|inode_cache|dentry) ' /proc/slabinfo; echo 2 > /proc/sys/vm/drop_caches; grep -E '^ovl_inode ' /proc/slabinfo",
    reading: "It goes with drop_caches=2: cache. It stays: mounts of containers that are gone (S16).",
  },
  mitigate: "Collect unused images; drop_caches=2 off-peak.",
  fix: "None for the kernel's overlay. fuse-overlayfs leaks in user space instead: upgrade it.",
  affectedVersions: "Any kernel with the overlay snapshotter.",
  sources: ["docker/cli#3171", "containers/fuse-overlayfs#238"],
};
