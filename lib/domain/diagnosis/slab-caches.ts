/** Caches of ZFS and of the Solaris porting layer below it; they shrink with the ARC although they count as unreclaimable. */
const ZFS =
  /^(?:zio_|dnode_t|dmu_buf|arc_|sa_cache|zfs_|spl_|zil_|ddt_|abd_|l2arc|dbuf_|range_seg|lz4_cache)/;
/**
 * What the kernel makes with SLAB_RECLAIM_ACCOUNT, so that SReclaimable counts it: caches of inodes and what belongs to them,
 * and short-lived objects of file systems, which come and go with cached pages. slabinfo does not say; held against
 * /sys/kernel/slab/CACHE/reclaim_account of 6.18. `:a-0000104` is the name that SLUB gives to merged caches of that kind.
 */
const RECLAIMABLE = new RegExp(
  `^(?:${[
    "dentry(?:_cache)?|inode_cache|[a-z0-9_]+_inode(?:_cache|_info)?|bdev_cache|dax_cache|dquot|radix_tree_node|xarray_node",
    "buffer_head|kmalloc-rcl-\\S+|mbcache|mb_cache_entry|bio_post_read_ctx|pidfs_x?attr_cache",
    "extent_status|pending_reservation|ext4_(?:groupinfo_\\w+|allocation_context|prealloc_space|free_data|io_end|fc_dentry_update)",
    "jbd2_(?:journal_handle|journal_head|transaction_s|revoke_(?:record|table)_s)",
    "btrfs_trans_handle|xfs_ili|xfs_buf|erofs_pcluster-\\d+",
    ":[A-Za-z]*a[A-Za-z]*-\\d+",
  ].join("|")})$`,
);
/** In Slab's unreclaimable part although the names look like inode caches. */
const PINNED = /^(?:shmem_inode_cache|hugetlbfs_inode_cache|mqueue_inode_cache|lsm_inode_cache|jbd2_inode)$/;
/**
 * One object for each thing of which a machine has thousands, not millions: tasks, address spaces, namespaces, cgroups,
 * credentials. A gigabyte of them is left over, not in use.
 */
const POPULATIONS =
  /^(?:task_struct|signal_cache|sighand_cache|cred_jar|mm_struct|files_cache|fs_cache|pid|net_namespace|nsproxy|mem_cgroup|mem_cgroup_per_node|key_jar|ebitmap_node|kmem_cache|kmem_cache_node)$/;

export function isZfsCache(name: string): boolean {
  return ZFS.test(name);
}

/**
 * Whether SReclaimable counts a cache, told from its name, and from the others of its group in `merged` where the kernel keeps
 * several as one: it merges only what is alike in this.
 */
export function isReclaimableCache(name: string, merged: readonly (readonly string[])[] = []): boolean {
  if (PINNED.test(name)) return false;
  if (RECLAIMABLE.test(name)) return true;
  const group = merged.find((names) => names.includes(name)) ?? [];
  return group.some((each) => RECLAIMABLE.test(each)) && !group.some((each) => PINNED.test(each));
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
