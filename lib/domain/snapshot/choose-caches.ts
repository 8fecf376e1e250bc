import type { SnapshotInput } from "./schema.ts";

/** Caches that signatures ask for, whatever their size. */
const WATCHED_CACHES = new Set([
  "buffer_head",
  "cred_jar",
  "dentry",
  "ebitmap_node",
  "filp",
  "inode_cache",
  "kernfs_node_cache",
  "key_jar",
  "kmem_cache",
  "kmem_cache_node",
  "mem_cgroup",
  "mem_cgroup_per_node",
  "mnt_cache",
  "net_namespace",
  "nf_conntrack",
  "nsproxy",
  "pid",
  "pool_workqueue",
  "proc_inode_cache",
  "shmem_inode_cache",
  "skbuff_head_cache",
  "sock_inode_cache",
  "task_struct",
]);
const WATCHED_PREFIX = "kmalloc-cg-";
/** So many are sent for their size alone. */
export const LARGEST_CACHES = 40;

/** The caches worth sending, largest first: the {@link LARGEST_CACHES} largest and those that signatures ask for. */
export function chooseCaches(caches: NonNullable<SnapshotInput["slab"]>): NonNullable<SnapshotInput["slab"]> {
  return [...caches]
    .sort((a, b) => b.sizeKib - a.sizeKib || (a.name < b.name ? -1 : 1))
    .filter(
      ({ name }, index) =>
        index < LARGEST_CACHES || WATCHED_CACHES.has(name) || name.startsWith(WATCHED_PREFIX),
    );
}
