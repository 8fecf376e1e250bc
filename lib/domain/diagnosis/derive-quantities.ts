import { isZfsCache } from "./slab-caches.ts";

/** Adds to the newest values what follows from them by arithmetic, each only where all that it needs is known. */
export function deriveQuantities(levels: Record<string, number>): void {
  const read = (key: string) => levels[`meminfo.${key}`];
  const anonLists = sum(read("Active(anon)"), read("Inactive(anon)"));
  const anon = read("AnonPages");
  const shmem = read("Shmem");
  if (anonLists !== undefined && anon !== undefined && shmem !== undefined)
    levels["lru.orphan.kib"] = Math.max(0, anonLists - anon - shmem - (read("SwapCached") ?? 0));
  // Cached less what the file lists hold can only be shared memory.
  const cached = read("Cached");
  const fileLists = fileListsOf(read);
  if (shmem === undefined && cached !== undefined && fileLists !== undefined && anonLists !== undefined)
    levels["shmem.deduced.kib"] = Math.max(0, cached + (read("Buffers") ?? 0) - fileLists);
  const files = levels["tmpfs.used.kib"];
  const shared = shmem ?? levels["free.shared.kib"];
  if (files !== undefined && shared !== undefined) levels["shmem.outside.kib"] = Math.max(0, shared - files);
  addRest(levels, read);
  const count = levels["cgroup.memory.count"];
  const live = levels["cgroup.memory.live"];
  if (
    levels["cgroup.memory.dying"] === undefined &&
    count !== undefined &&
    live !== undefined &&
    count >= live
  )
    levels["cgroup.memory.dying"] = count - live;
  const percpu = read("Percpu");
  if (percpu !== undefined && count !== undefined && count > 100)
    levels["percpu.perCgroup.kib"] = percpu / count;
  const caches = Object.keys(levels).filter((name) => name.startsWith("slab.") && name.endsWith(".bytes"));
  if (caches.length > 0) {
    const zfs = caches.filter((name) => isZfsCache(name.slice(5, -6)));
    levels["zfs.slab.kib"] = zfs.reduce((total, name) => total + (levels[name] ?? 0) / 1024, 0);
    levels["slab.visible.kib"] = caches.reduce((total, name) => total + (levels[name] ?? 0) / 1024, 0);
  }
}

function fileListsOf(read: (key: string) => number | undefined): number | undefined {
  const direct = sum(read("Active(file)"), read("Inactive(file)"));
  if (direct !== undefined) return direct;
  const [all, anon] = [
    sum(read("Active"), read("Inactive")),
    sum(read("Active(anon)"), read("Inactive(anon)")),
  ];
  return all === undefined || anon === undefined ? undefined : all - anon;
}

/** What a text that stops early leaves unexplained: neither free, nor cache or processes, nor slab as far as it is shown. */
function addRest(levels: Record<string, number>, read: (key: string) => number | undefined): void {
  const [total, free] = [read("MemTotal"), read("MemFree")];
  if (total === undefined || free === undefined || levels["band.unacc"] !== undefined) return;
  const lists = sum(read("Active"), read("Inactive"));
  const classes = sum(sum(read("Buffers"), read("Cached")), read("AnonPages"));
  const held =
    lists === undefined
      ? (classes ?? sum(read("Buffers"), read("Cached")))
      : lists + (read("Unevictable") ?? 0);
  if (held === undefined) return;
  const slab = read("Slab") ?? sum(read("SReclaimable"), read("SUnreclaim")) ?? 0;
  levels["rest.kib"] = total - free - held - slab;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
