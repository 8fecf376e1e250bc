import { canCompose } from "../dumps/can-compose.ts";
import { areOneMachine } from "../dumps/machines.ts";
import type { DumpReading, DumpSample } from "../dumps/read-dump.ts";
import { orderInTime } from "../dumps/sample-time.ts";
import { composeMemory } from "../memory/composition.ts";
import type { Change, Evidence } from "../signatures/evidence.ts";
import { compositionLevels } from "./composition-levels.ts";
import { deriveQuantities } from "./derive-quantities.ts";
import { pinnedLevels } from "./pinned-levels.ts";
import { kmallocQuantity } from "./slab-caches.ts";

/** Facts of dumps and the quantities of evidence that they are. */
const QUANTITY_OF: Readonly<Record<string, string>> = {
  active_anon: "oom.active_anon.kib",
  balloon: "balloon.kib",
  arc_c_approx: "zfs.arc.max.kib",
  arc_c_max: "zfs.arc.max.kib",
  arc_size: "zfs.arc.kib",
  arc_size_approx: "zfs.arc.kib",
  available: "free.available.kib",
  available_approx: "free.available.kib",
  buddyinfo_free: "buddy.free.kib",
  buddyinfo_free_order3: "buddy.order3.kib",
  cgroups_memory_count: "cgroup.memory.count",
  dentries_negative_count: "fs.dentryState.nr_negative",
  dentries_total_count: "fs.dentryState.nr_dentry",
  files_allocated_count: "fs.fileNr.allocated",
  files_max_count: "fs.fileNr.max",
  hugetlb_total: "band.hugetlb",
  inodes_total_count: "fs.inodeNr.nr_inodes",
  managed: "meminfo.MemTotal",
  "memory.kmem.usage": "cgroup.memory.kmem.kib",
  nf_conntrack_count: "conntrack.count",
  nf_conntrack_max_count: "conntrack.max",
  nr_descendants_count: "cgroup.memory.live",
  nr_dying_descendants_count: "cgroup.memory.dying",
  nr_dying_subsys_memory_count: "cgroup.memory.dying",
  page_types_thp_unmapped: "pages.thp.unmapped.kib",
  processes_ptes: "process.ptes.kib",
  processes_threads_count: "tasks.threads",
  shared: "free.shared.kib",
  shared_approx: "free.shared.kib",
  slabinfo_sum_of_all: "slab.total.kib",
  slabinfo_unused_objects: "slab.unused.kib",
  slabtop_total: "slab.total.kib",
  smem_kernel_noncache: "total.kernelNoncache",
  smem_kernel_noncache_approx: "total.kernelNoncache",
  smem_kernel_noncache_percent: "smem.kernelNoncache.percent",
  sockets_count: "sockets.count",
  sockstat_TCP_mem: "sockstat.tcp.kib",
  sockstat_sockets_used_count: "sockets.count",
  swap_used: "free.swapUsed.kib",
  swap_used_approx: "free.swapUsed.kib",
  threads_count: "tasks.threads",
  tmpfs_used_sum: "tmpfs.used.kib",
  tmpfs_used_sum_approx: "tmpfs.used.kib",
  visible_pcpu_address_space: "vmallocinfo.percpu.kib",
  zfs_arc_max: "zfs.arc.max.kib",
  zombies_count: "tasks.zombies",
};

/** Kinds whose facts are counters of the whole machine under the names of /proc/meminfo. */
const MEMINFO_KINDS: ReadonlySet<string> = new Set(["meminfo", "crash kmem -i"]);
const GROUP_KINDS: ReadonlySet<string> = new Set(["memory.stat"]);

/**
 * A pasted dump as evidence: the newest value of each quantity, and its change where the paste holds several samples of
 * one machine. A few samples carry no interval, so growth in them can only ever be suspected.
 */
export function evidenceFromDump(reading: DumpReading): Evidence {
  const levels: Record<string, number> = {};
  const changes: Record<string, Change> = {};
  const messages: Record<string, number> = {};
  const byKind = new Map<string, DumpSample[]>();
  const { judgedHost } = reading;
  const samples = reading.samples.filter(({ host }) => judgedHost === undefined || host === judgedHost);
  for (const sample of samples) {
    for (const [name, count] of sample.facts) {
      const kind = /^messages:(.+)_count$/.exec(name)?.[1];
      if (kind !== undefined) messages[kind] = (messages[kind] ?? 0) + count;
    }
    // Counts of different places are no samples of one thing.
    const thing = sample.kind === "file count" ? `${sample.kind} ${sample.label}` : sample.kind;
    const own = byKind.get(thing);
    if (own) own.push(sample);
    else byKind.set(thing, [sample]);
  }
  const kinds = [...byKind.keys()].sort((a, b) => Number(b === "meminfo") - Number(a === "meminfo"));
  for (const kind of kinds) {
    const own = byKind.get(kind) ?? [];
    const series = areOneMachine(own)
      ? orderInTime(own)
      : own.slice(-1).map((sample) => ({ sample, hours: undefined }));
    // What was read beside it belongs to the only sample, never to the last of several: that would be a change.
    const beside = own.length === 1 ? reading.composedWith : {};
    const columns = series.map(({ sample, hours }) => ({
      hours,
      values: quantitiesOf(sample, reading.kernelRelease, beside),
    }));
    addSeries(columns, levels, changes);
  }
  const made = reading.commands.filter(makesCgroups).length;
  if (made > 0) levels["cgroup.memory.selfMade"] = made;
  const noMemoryRow = samples.some(
    ({ kind, facts }) =>
      kind === "/proc/cgroups" && facts.has("cgroups_rows_count") && !facts.has("cgroups_memory_count"),
  );
  // Lost digits, not a machine without memory: shares of it would be infinite.
  if (levels["meminfo.MemTotal"] === 0) delete levels["meminfo.MemTotal"];
  Object.assign(levels, pinnedPages(samples, reading.pageSizeBytes));
  const { zspagesKib } = reading.composedWith;
  if (zspagesKib !== undefined) levels["zpool.kib"] ??= zspagesKib;
  deriveQuantities(levels);
  return {
    levels,
    changes,
    messages,
    kernelRelease: reading.kernelRelease,
    mergedCaches: reading.mergedCaches,
    ...(noMemoryRow ? { versions: { "cgroup-mode": "v2" } } : {}),
    scope:
      levels["meminfo.MemTotal"] === undefined && Object.keys(levels).some((name) => name.startsWith("pod."))
        ? "cgroup"
        : "machine",
  };
}

/** Of the newest /proc/vmstat. */
function pinnedPages(samples: readonly DumpSample[], pageSizeBytes: number): Record<string, number> {
  const facts = samples.findLast(({ kind }) => kind === "/proc/vmstat")?.facts;
  return pinnedLevels((key) => facts?.get(`${key}_count`), pageSizeBytes);
}

/** A loop over mkdir: the person made the cgroups to see what happens. */
function makesCgroups(command: string): boolean {
  return (
    /\bmkdir\b.*cgroup|cgroup.*\bmkdir\b/s.test(command) &&
    /\bfor\b|\bwhile\b|\bseq\b|\bxargs\b|\{\d+\.\.\d+\}/.test(command)
  );
}

interface Column {
  readonly hours: number | undefined;
  readonly values: ReadonlyMap<string, number>;
}

function addSeries(
  columns: readonly Column[],
  levels: Record<string, number>,
  changes: Record<string, Change>,
): void {
  const names = new Set(columns.flatMap(({ values }) => [...values.keys()]));
  for (const name of names) {
    if (levels[name] !== undefined) continue;
    const points = columns.flatMap(({ hours, values }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ hours, value }];
    });
    const first = points[0];
    const last = points.at(-1);
    if (first === undefined || last === undefined) continue;
    levels[name] = last.value;
    if (points.length < 2) continue;
    const hours =
      first.hours === undefined || last.hours === undefined ? undefined : last.hours - first.hours;
    changes[name] = {
      first: first.value,
      last: last.value,
      max: Math.max(...points.map(({ value }) => value)),
      samples: points.length,
      ...(hours === undefined ? {} : { hours }),
    };
  }
}

type Beside = DumpReading["composedWith"];

function quantitiesOf(
  sample: DumpSample,
  kernelRelease: string | undefined,
  beside: Beside,
): ReadonlyMap<string, number> {
  const { kind, facts, label, meminfo } = sample;
  const values = new Map<string, number>();
  if (meminfo !== undefined || MEMINFO_KINDS.has(kind)) {
    for (const [name, value] of facts) {
      const key = name.replace(/_count$/, "");
      if (/^[A-Z]/.test(name)) values.set(`meminfo.${key}`, value);
    }
    if (meminfo !== undefined) addComposition((key) => meminfo.get(key), kernelRelease, values, beside);
  }
  if (facts.has("slab_unreclaimable") && !GROUP_KINDS.has(kind)) addOomReport(facts, kernelRelease, values);
  if (facts.has("active_anon") && !GROUP_KINDS.has(kind)) addOomReport(facts, kernelRelease, values);
  if (GROUP_KINDS.has(kind)) for (const [name, value] of facts) values.set(`pod.${name}.kib`, value);
  const order = facts.get("allocation_order_count");
  if (order !== undefined) values.set("oom.order", order);
  if (kind === "oom report" || kind === "page allocation failure") {
    for (const [name, value] of facts) {
      if (/^memcg_(?:rss|cache|usage|limit|anon|file|shmem|kmem_usage)$/.test(name))
        values.set(`pod.${name.slice(6)}.kib`, value);
      if (name === "anon_rss_killed") values.set("oom.killed.kib", value);
    }
  }
  if (kind === "smem -w") addSmem(facts, values);
  if (kind === "node meminfo") addNumaNodes(facts, kernelRelease, values);
  for (const [name, value] of facts) addNamed(name, value, label, values);
  for (const [cache, count] of sample.objects ?? []) values.set(`slab.${cache}.objects`, count);
  if (SUMMARIES.has(kind)) {
    const total = facts.get("MemTotal") ?? facts.get("MemTotal_approx");
    if (total !== undefined) values.set("meminfo.MemTotal", total);
    addSummary(facts, values);
  }
  return values;
}

/** Kinds that say how much is used and not by whom. */
const SUMMARIES: ReadonlySet<string> = new Set(["free", "top", "vmstat -s", "sar -r"]);

/** What a mount holds, and its limits. */
const TMPFS_FAMILIES: Readonly<Record<string, string>> = {
  tmpfs: "usedKib",
  tmpfs_inodes: "inodes",
  tmpfs_inodes_max: "inodesMax",
  tmpfs_size: "sizeKib",
};

/** What a summary calls used and cache. Which classes that is depends on the version of the tool. */
function addSummary(facts: ReadonlyMap<string, number>, values: Map<string, number>): void {
  const read = (name: string) => facts.get(name) ?? facts.get(`${name}_approx`);
  const used = read("used");
  const free = read("free");
  const cache = read("buff_cache") ?? add(read("buffers"), read("cache") ?? read("cached"));
  if (used !== undefined) values.set("free.used.kib", used);
  if (free !== undefined) values.set("free.free.kib", free);
  if (cache !== undefined) values.set("free.cache.kib", cache);
}

function addNamed(name: string, value: number, label: string | undefined, values: Map<string, number>): void {
  const quantity = QUANTITY_OF[name];
  if (quantity !== undefined) values.set(quantity, value);
  const [, family, rest = ""] =
    /^(slab|vmalloc|spl|tmpfs|tmpfs_inodes|tmpfs_inodes_max|tmpfs_size):(.+)$/.exec(name) ?? [];
  if (family === "slab") {
    values.set(`slab.${rest}.bytes`, value * 1024);
    const kmalloc = kmallocQuantity(rest);
    if (kmalloc !== undefined) values.set(kmalloc, (values.get(kmalloc) ?? 0) + value * 1024);
  }
  if (family === "vmalloc") values.set(`vmalloc.${rest}.usedKib`, value);
  if (family === "spl") values.set("zfs.spl.kib", (values.get("zfs.spl.kib") ?? 0) + value);
  const tmpfs = TMPFS_FAMILIES[family ?? ""];
  if (tmpfs !== undefined)
    values.set(`tmpfs.${rest.replace(/(?:_approx)?(?:_count)?$/, "")}.${tmpfs}`, value);
  if (name === "files_count" && label !== undefined)
    values.set(`watch.${label.replace(/\/$/, "")}.files`, value);
  if (name === "directories_count" && label?.startsWith("/sys/fs/cgroup") === true)
    values.set("cgroup.memory.live", value);
}

/** Fields of one NUMA node that add up to those of the machine. */
const NODE_FIELDS: ReadonlyMap<string, string> = new Map([
  ["FilePages", "Cached"],
  ...[
    ...["MemTotal", "MemFree", "AnonPages", "Shmem", "KernelStack", "PageTables", "SecPageTables"],
    ...["Slab", "SReclaimable", "SUnreclaim"],
  ].map((key) => [key, key] as const),
]);

/**
 * All nodes of a machine together, where none of 0, 1, 2, ... is missing. FilePages holds the page cache of block devices as well, and
 * no node tells percpu memory and vmalloc.
 */
function addNumaNodes(
  facts: ReadonlyMap<string, number>,
  kernelRelease: string | undefined,
  values: Map<string, number>,
): void {
  const nodes = new Set<number>();
  const fields = new Map<string, number>();
  for (const [name, value] of facts) {
    const [, node, key = ""] = /^node(\d{1,4}):(\w+)$/.exec(name) ?? [];
    const field = NODE_FIELDS.get(key);
    if (node === undefined || field === undefined) continue;
    nodes.add(Number(node));
    fields.set(field, (fields.get(field) ?? 0) + value);
  }
  if (fields.get("MemTotal") === undefined || Math.max(...nodes) !== nodes.size - 1) return;
  for (const [key, value] of fields) values.set(`meminfo.${key}`, value);
  addComposition(
    (key) => (key === "Buffers" && fields.has("Cached") ? 0 : fields.get(key)),
    kernelRelease,
    values,
  );
}

const SMEM_ROWS = ["smem_kernel_used", "smem_user_used", "smem_free_used"];

/** smem's rows without firmware and kernel image add up to MemTotal. */
function addSmem(facts: ReadonlyMap<string, number>, values: Map<string, number>): void {
  const rows = SMEM_ROWS.map((name) => facts.get(name) ?? facts.get(`${name}_approx`));
  if (rows.every((each) => each !== undefined))
    values.set(
      "meminfo.MemTotal",
      rows.reduce((sum, each) => sum + each, 0),
    );
}

type Meminfo = (key: string) => number | undefined;

function addComposition(
  meminfo: Meminfo,
  kernelRelease: string | undefined,
  values: Map<string, number>,
  beside: Beside = {},
): void {
  if (!canCompose(meminfo)) return;
  const composition = composeMemory({ meminfo, kernelRelease, ...beside });
  if (composition === undefined) return;
  for (const [name, kib] of Object.entries(compositionLevels(composition))) values.set(name, kib);
}

/** The counters of an out-of-memory report as if they were those of /proc/meminfo. */
function addOomReport(
  facts: ReadonlyMap<string, number>,
  kernelRelease: string | undefined,
  values: Map<string, number>,
): void {
  const read = (name: string) => facts.get(name);
  const shmem = read("shmem");
  const onLists = add(read("active_anon"), read("inactive_anon"));
  const file = add(read("active_file"), read("inactive_file"));
  const ram = read("pages_ram");
  const total = read("managed") ?? (ram === undefined ? undefined : ram - (read("pages_reserved") ?? 0));
  const fields = new Map<string, number>();
  const put = (key: string, value: number | undefined) => {
    if (value !== undefined) fields.set(key, value);
  };
  put("MemTotal", total);
  put("MemFree", read("free"));
  put("AnonPages", onLists === undefined ? undefined : Math.max(0, onLists - (shmem ?? 0)));
  put("Cached", file === undefined ? undefined : file + (shmem ?? 0));
  put("Buffers", file === undefined ? undefined : 0);
  put("Shmem", shmem);
  put("SReclaimable", read("slab_reclaimable"));
  put("SUnreclaim", read("slab_unreclaimable"));
  put("PageTables", read("pagetables"));
  put("KernelStack", read("kernel_stack"));
  put("Hugetlb", read("hugetlb_total"));
  for (const [key, value] of fields) values.set(`meminfo.${key}`, value);
  addComposition((key) => fields.get(key), kernelRelease, values);
  values.set("oom.reported", 1);
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
