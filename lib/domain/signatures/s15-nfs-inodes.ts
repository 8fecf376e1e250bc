import { riseOrLevel } from "./explains.ts";
import { above, gaveBack, grows, growsOrHolds } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const nfsInodes: Signature = {
  id: "S15",
  name: "NFS client caches and delegations",
  kind: "leak",
  suspect: "slab-reclaimable:nfs_inode_cache",
  what: "Inodes, direct-I/O requests and delegations of an NFS client grow; some kernels lose them. A server can leak too.",
  bands: ["srecl", "sunrecl"],
  provenBy: "growth",
  key: growsOrHolds("slab.nfs_inode_cache.bytes", { ofTotal: 0.05, kib: 1024 * 1024 }),
  requires: [above("mounts.nfs.count", 0)],
  supports: [
    grows("slab.nfs_direct_cache.bytes"),
    grows("slab.nfs_inode_cache.bytes"),
    gaveBack(["drop-caches-2", "drop-caches-3"], "slab.nfs_inode_cache.bytes", { most: 0.3 }),
  ],
  explainsKib: riseOrLevel("slab.nfs_inode_cache.bytes", "slab.nfs_direct_cache.bytes"),
  confirm: {
    command:
      "grep -E '^(nfs|rpc)' /proc/slabinfo; echo 2 > /proc/sys/vm/drop_caches; grep -E '^nfs_inode_cache' /proc/slabinfo",
    reading: "It goes: cache (as S13). It stays until the share is unmounted: the client holds it.",
  },
  mitigate: "drop_caches=2, or unmount and mount again.",
  fix: "Kernel update.",
  affectedVersions: "Any NFS client; single releases.",
  sources: ["vmware/photon#1535", "raspberrypi/linux#6101"],
};
