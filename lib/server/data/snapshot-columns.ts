import { COMPOSED_MEMINFO_KEYS } from "#lib/domain/memory/composition.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";

/**
 * The one place that says which counters have a column of their own in Snapshot and its roll-ups. Ingest, reading and
 * the SQL of the roll-ups are made from this list; a test compares it with the tables. All columns are nullable
 * bigint (means in roll-ups: double precision); NULL is "not reported", never zero.
 */

/** Keys of /proc/meminfo with a column: all that a composition reads, and more; KiB, except HugePages_* (counts). */
const MEMINFO_KEYS = [
  ...COMPOSED_MEMINFO_KEYS,
  "MemAvailable",
  "Active",
  "Inactive",
  "Active(file)",
  "Inactive(file)",
  "Unevictable",
  "SwapFree",
  "Dirty",
  "Writeback",
  "Mapped",
  "Committed_AS",
  "AnonHugePages",
  "CmaFree",
] as const;

/** Keys of /proc/vmstat with a column: events since boot. */
const VMSTAT_KEYS = ["drop_pagecache", "drop_slab", "oom_kill"] as const;

/** Columns computed from the rest of a snapshot. */
const OTHER_COLUMNS = {
  uptimeMs: (snapshot) => Math.round(snapshot.uptimeSeconds * 1000),
  /** Without the page size of the node a count of pages is not an amount of memory. */
  pcpFreeKib: (snapshot) => pagesToKib(snapshot.pcpFreePages, snapshot.pageSizeBytes),
  zspagesKib: (snapshot) => pagesToKib(snapshot.vmstat?.nr_zspages, snapshot.pageSizeBytes),
  cgroupMemoryCount: (snapshot) => snapshot.cgroups?.memoryCount,
  cgroupLive: (snapshot) => snapshot.cgroups?.live,
  cgroupDying: (snapshot) => snapshot.cgroups?.dying,
  containersStarted: (snapshot) => snapshot.containersStarted,
  containersLive: (snapshot) => snapshot.containersLive,
  forks: (snapshot) => snapshot.forks,
  /** 1 where kernel stacks are known to live in vmalloc space, 0 where they are known not to. */
  vmapStack: (snapshot) => (snapshot.vmapStack === undefined ? undefined : Number(snapshot.vmapStack)),
  kernelImageKib: (snapshot) => snapshot.kernelImageKib,
  selfCpuMs: (snapshot) => (snapshot.self ? Math.round(snapshot.self.cpuSeconds * 1000) : undefined),
  selfRssKib: (snapshot) => snapshot.self?.rssKib,
} as const satisfies Record<string, (snapshot: Snapshot) => number | undefined>;

function pagesToKib(pages: number | undefined, pageSizeBytes: number | undefined): number | undefined {
  if (pages === undefined || pageSizeBytes === undefined) return undefined;
  const kib = pages * (pageSizeBytes / 1024);
  return Number.isSafeInteger(kib) ? kib : undefined;
}

type MeminfoKey = (typeof MEMINFO_KEYS)[number];
type Unbracketed<Key extends string> = Key extends `${infer Head}(${infer Inner})` ? `${Head}_${Inner}` : Key;

/** Name of a counter's column: the kernel's spelling, brackets replaced (`Active(anon)` is `Active_anon`). */
export type SnapshotColumn =
  Unbracketed<MeminfoKey> | (typeof VMSTAT_KEYS)[number] | keyof typeof OTHER_COLUMNS;

export interface ColumnSource {
  readonly column: SnapshotColumn;
  /** Name of the same counter in the metrics of the API. */
  readonly metric: string;
  readonly read: (snapshot: Snapshot) => number | undefined;
}

function unbracket(key: MeminfoKey): Unbracketed<MeminfoKey> {
  return key.replace(/\((.*)\)$/, "_$1") as Unbracketed<MeminfoKey>;
}

/** Counters that come less often than snapshots, and the source in `sources` that says whether they are still read. */
export const SPARSE_SOURCES: Readonly<Partial<Record<SnapshotColumn, string>>> = {
  cgroupLive: "cgroup-walk",
  cgroupDying: "cgroup-walk",
  containersLive: "cgroup-walk",
  containersStarted: "cgroups-created",
  vmapStack: "vmallocinfo",
};

/** Names of the API for the columns that are not kernel keys. */
const METRIC_OF_OTHER: Record<keyof typeof OTHER_COLUMNS, string> = {
  uptimeMs: "node.uptimeMs",
  pcpFreeKib: "zoneinfo.pcpFree",
  zspagesKib: "vmstat.zspages",
  cgroupMemoryCount: "cgroup.memory.count",
  cgroupLive: "cgroup.memory.live",
  cgroupDying: "cgroup.memory.dying",
  containersStarted: "containers.started",
  containersLive: "containers.live",
  forks: "stat.forks",
  vmapStack: "node.vmapStack",
  kernelImageKib: "node.kernelImage",
  selfCpuMs: "collector.cpuMs",
  selfRssKib: "collector.rss",
};

/** All columns, in the order in which they are written and read. */
export const SNAPSHOT_COLUMN_SOURCES: readonly ColumnSource[] = [
  ...MEMINFO_KEYS.map((key): ColumnSource => ({
    column: unbracket(key),
    metric: `meminfo.${key}`,
    read: (snapshot) => snapshot.meminfo[key],
  })),
  ...VMSTAT_KEYS.map((key): ColumnSource => ({
    column: key,
    metric: `vmstat.${key}`,
    read: (snapshot) => snapshot.vmstat?.[key],
  })),
  ...(Object.keys(OTHER_COLUMNS) as (keyof typeof OTHER_COLUMNS)[]).map((column): ColumnSource => ({
    column,
    metric: METRIC_OF_OTHER[column],
    read: OTHER_COLUMNS[column],
  })),
];

/** Names of all columns, in the order of `SNAPSHOT_COLUMN_SOURCES`. */
export const SNAPSHOT_COLUMNS: readonly SnapshotColumn[] = SNAPSHOT_COLUMN_SOURCES.map((each) => each.column);

/** Columns whose minimum and maximum roll-ups keep (`min_X`, `max_X`) besides the mean. */
export const HEADLINE_COLUMNS = [
  "MemFree",
  "MemAvailable",
  "Cached",
  "AnonPages",
  "Shmem",
  "SReclaimable",
  "SUnreclaim",
  "KernelStack",
  "PageTables",
  "VmallocUsed",
  "Percpu",
  "cgroupMemoryCount",
  "cgroupLive",
  "cgroupDying",
  "containersStarted",
  "containersLive",
] as const satisfies readonly SnapshotColumn[];

const headline: ReadonlySet<string> = new Set(HEADLINE_COLUMNS);
const byMetric = new Map(SNAPSHOT_COLUMN_SOURCES.map((each) => [each.metric, each.column]));
const byName = new Map(SNAPSHOT_COLUMN_SOURCES.map((each) => [each.column as string, each.column]));

/** Whether roll-ups keep the extremes of a column. */
export function isHeadlineColumn(column: SnapshotColumn): boolean {
  return headline.has(column);
}

/** Column of a metric that is a stored counter (`meminfo.Active(anon)`, `containers.started`); else undefined. */
export function columnOfMetric(metric: string): SnapshotColumn | undefined {
  return byMetric.get(metric);
}

/** Column that holds a key of /proc/meminfo; undefined for one that is kept in SnapshotExtra. */
export function columnOfMeminfo(key: string): SnapshotColumn | undefined {
  return byMetric.get(`meminfo.${key}`);
}

/** Checks a name that came from outside, so that it may stand in SQL. */
export function asSnapshotColumn(name: string): SnapshotColumn | undefined {
  return byName.get(name);
}

const meminfoInColumns: ReadonlySet<string> = new Set(MEMINFO_KEYS);
const vmstatInColumns: ReadonlySet<string> = new Set(VMSTAT_KEYS);

/** Whether a key of a section is kept in a column of its own and so not in SnapshotExtra. */
export function hasOwnColumn(section: "meminfo" | "vmstat", key: string): boolean {
  return section === "meminfo" ? meminfoInColumns.has(key) : vmstatInColumns.has(key);
}
