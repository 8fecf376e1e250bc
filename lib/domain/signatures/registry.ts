import { exitFilesOnTmpfs } from "./s01-exit-files-on-tmpfs.ts";
import { kmemAccountingEl7 } from "./s01b-kmem-accounting-el7.ts";
import { dyingMemcgsPageCache } from "./s02-dying-memcgs-page-cache.ts";
import { percpuGrowth } from "./s03-percpu-growth.ts";
import { dyingMemcgsKernelObjects } from "./s04-dying-memcgs-kernel-objects.ts";
import { memcgIdsExhausted } from "./s05-memcg-ids-exhausted.ts";
import { listLruArrays } from "./s06-list-lru-arrays.ts";
import { zombiesPinCgroups } from "./s07-zombies-pin-cgroups.ts";
import { kernfsNodes } from "./s08-kernfs-nodes.ts";
import { emptyCgroups } from "./s09-empty-cgroups.ts";
import { slabFragmentation } from "./s10-slab-fragmentation.ts";
import { negativeDentries } from "./s11-negative-dentries.ts";
import { watchedInodes } from "./s12-watched-inodes.ts";
import { inodeCaches } from "./s13-inode-caches.ts";
import { overlayInodes } from "./s14-overlay-inodes.ts";
import { nfsInodes } from "./s15-nfs-inodes.ts";
import { mountLeak } from "./s16-mount-leak.ts";
import { tmpfsMountLeak } from "./s17-tmpfs-mount-leak.ts";
import { networkNamespaces } from "./s18-network-namespaces.ts";
import { neighbourTable } from "./s19-neighbour-table.ts";
import { conntrack } from "./s20-conntrack.ts";
import { ipvs } from "./s21-ipvs.ts";
import { tcpBuffers } from "./s22-tcp-buffers.ts";
import { falseTcpCounter } from "./s22b-false-tcp-counter.ts";
import { pipesAndUnixQueues } from "./s23-pipes-and-unix-queues.ts";
import { fuse } from "./s24-fuse.ts";
import { networkDriverBuffers } from "./s25-network-driver-buffers.ts";
import { bpfJit } from "./s26-bpf-jit.ts";
import { bpfMaps } from "./s27-bpf-maps.ts";
import { vmalloc } from "./s28-vmalloc.ts";
import { pageTables } from "./s29-page-tables.ts";
import { auditBacklog } from "./s30-audit-backlog.ts";
import { keyrings } from "./s31-keyrings.ts";
import { inotifyLimit } from "./s32-inotify-limit.ts";
import { tmpfsFiles } from "./s33-tmpfs-files.ts";
import { shmemWithoutFiles } from "./s34-shmem-without-files.ts";
import { orphanSegments } from "./s35-orphan-segments.ts";
import { threadLeak } from "./s36-thread-leak.ts";
import { compressedSwap } from "./s37-compressed-swap.ts";
import { runtimeShims } from "./s38-runtime-shims.ts";
import { hugetlbReservation } from "./s39-hugetlb-reservation.ts";
import { ioUring } from "./s40-io-uring.ts";
import { pagePins } from "./s41-page-pins.ts";
import { gpu } from "./s42-gpu.ts";
import { balloon } from "./s43-balloon.ts";
import { zfsArc } from "./s44-zfs-arc.ts";
import { selinuxEbitmaps } from "./s45-selinux-ebitmaps.ts";
import { foreignModules } from "./s46-foreign-modules.ts";
import { freeListsAndCache } from "./s47-free-lists-and-cache.ts";
import { systemdCgroupDriver } from "./s48-systemd-cgroup-driver.ts";
import { loopDevices } from "./s49-loop-devices.ts";
import { dmaMappings } from "./s50-dma-mappings.ts";
import type { Signature } from "./signature.ts";

/** Every known signature, by number. */
export const SIGNATURES: readonly Signature[] = [
  exitFilesOnTmpfs,
  kmemAccountingEl7,
  dyingMemcgsPageCache,
  percpuGrowth,
  dyingMemcgsKernelObjects,
  memcgIdsExhausted,
  listLruArrays,
  zombiesPinCgroups,
  kernfsNodes,
  emptyCgroups,
  slabFragmentation,
  negativeDentries,
  watchedInodes,
  inodeCaches,
  overlayInodes,
  nfsInodes,
  mountLeak,
  tmpfsMountLeak,
  networkNamespaces,
  neighbourTable,
  conntrack,
  ipvs,
  tcpBuffers,
  falseTcpCounter,
  pipesAndUnixQueues,
  fuse,
  networkDriverBuffers,
  bpfJit,
  bpfMaps,
  vmalloc,
  pageTables,
  auditBacklog,
  keyrings,
  inotifyLimit,
  tmpfsFiles,
  shmemWithoutFiles,
  orphanSegments,
  threadLeak,
  compressedSwap,
  runtimeShims,
  hugetlbReservation,
  ioUring,
  pagePins,
  gpu,
  balloon,
  zfsArc,
  selinuxEbitmaps,
  foreignModules,
  freeListsAndCache,
  systemdCgroupDriver,
  loopDevices,
  dmaMappings,
];
