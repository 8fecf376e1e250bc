/** Caches of ZFS and of the Solaris porting layer below it; they shrink with the ARC although they count as unreclaimable. */
const ZFS =
  /^(?:zio_|dnode_t|dmu_buf|arc_|sa_cache|zfs_|spl_|zil_|ddt_|abd_|l2arc|dbuf_|range_seg|lz4_cache)/;
/** Created with a shrinker behind them. */
const RECLAIMABLE =
  /^(?:dentry(?:_cache)?|inode_cache|[a-z0-9_]+_inode(?:_cache|_info)?|xfs_inode|btrfs_inode|radix_tree_node|xarray_node|buffer_head|kmalloc-rcl-\S+|(?:dquot|mbcache|ext4_groupinfo_\w+))$/;
/** In Slab's unreclaimable part although the name looks like an inode cache. */
const PINNED = /^shmem_inode_cache$/;
/**
 * One object for each thing of which a machine has thousands, not millions: tasks, address spaces, namespaces, cgroups,
 * credentials. A gigabyte of them is left over, not in use.
 */
const POPULATIONS =
  /^(?:task_struct|signal_cache|sighand_cache|cred_jar|mm_struct|files_cache|fs_cache|pid|net_namespace|nsproxy|mem_cgroup|mem_cgroup_per_node|key_jar|ebitmap_node|kmem_cache|kmem_cache_node)$/;

export function isZfsCache(name: string): boolean {
  return ZFS.test(name);
}

export function isReclaimableCache(name: string): boolean {
  return RECLAIMABLE.test(name) && !PINNED.test(name);
}

export function isPopulationCache(name: string): boolean {
  return POPULATIONS.test(name);
}

/**
 * Quantity that sums all unreclaimable kmalloc caches of one size, whatever the kernel calls them: `size-2048` under SLAB,
 * `kmalloc-2048` to 4.19, `kmalloc-2k` since, `kmalloc-cg-2k` from 5.14 where charged to a cgroup, `kmalloc-rnd-07-2k` where
 * the kernel is hardened. `undefined` for every other cache: those of DMA zones and with a shrinker are other memory.
 *
 * @example kmallocQuantity("kmalloc-cg-2k") // "kmalloc.2048.bytes"
 */
export function kmallocQuantity(cache: string): string | undefined {
  const [, digits, unit] = /^(?:size-|kmalloc-(?:cg-|rnd-\d+-)?)(\d{1,8})([kM]?)$/.exec(cache) ?? [];
  if (digits === undefined) return undefined;
  const scale = unit === "k" ? 1024 : unit === "M" ? 1024 * 1024 : 1;
  return `kmalloc.${Number(digits) * scale}.bytes`;
}
