import { riseOrLevel } from "./explains.ts";
import { gaveBack, grows, growsOrHolds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const fuse: Signature = {
  id: "S24",
  name: "FUSE inodes",
  kind: "leak",
  suspect: "slab-reclaimable:fuse_inode",
  what: "Files made and removed on a FUSE mount leave inodes and dentries, in the kernel and often in the daemon.",
  bands: ["srecl", "sunrecl"],
  provenBy: "growth",
  key: growsOrHolds("slab.fuse_inode.bytes", { ofTotal: 0.01, kib: 256 * 1024 }),
  supports: [
    grows("process.fuse.kib"),
    grows("slab.dentry.bytes"),
    gaveBack(["drop-caches-2", "drop-caches-3"], "slab.fuse_inode.bytes", { most: 0.3 }),
  ],
  explainsKib: riseOrLevel("slab.fuse_inode.bytes"),
  confirm: {
    command:
      "grep fuse_inode /proc/slabinfo; grep ' fuse' /proc/1/mountinfo; echo 2 > /proc/sys/vm/drop_caches; grep fuse_inode /proc/slabinfo",
    reading:
      "It goes: cache. It stays until the file system is unmounted: the daemon or the kernel holds it.",
  },
  mitigate: "Unmount and mount again.",
  fix: "Update of the daemon, or of the kernel (a case on 6.17 grew over 10 MB a minute).",
  affectedVersions: "FUSE daemons of the sources; kernel 6.17.",
  sources: ["rfjakob/gocryptfs#1031", "GoogleCloudPlatform/gcsfuse#679", "hanwen/go-fuse#603"],
};
