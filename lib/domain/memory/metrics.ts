import { BANDS, type BandKey } from "./bands.ts";
import { isKernelKey } from "#lib/domain/procfs/kernel-key.ts";
import { isHugePageCount } from "#lib/domain/procfs/meminfo.ts";
import type { MetricKind, MetricUnit } from "./metric-unit.ts";
import { findSectionMetric, SECTION_METRICS } from "./section-metrics.ts";

/** Where the values of a metric come from: the parsed name. */
export type MetricSource =
  | { readonly family: "band"; readonly band: BandKey }
  | { readonly family: "total"; readonly total: "kernelNoncache" | "kernelUnreclaimable" }
  | { readonly family: "cgroup.memory"; readonly counter: "count" | "live" | "dying" }
  | { readonly family: "containers"; readonly counter: "started" | "live" }
  | { readonly family: "stat"; readonly counter: "forks" }
  | { readonly family: "meminfo"; readonly key: string }
  | { readonly family: "vmstat"; readonly key: string }
  | { readonly family: "slab"; readonly cache: string; readonly measure: "bytes" | "objects" }
  | { readonly family: "watch"; readonly directory: string; readonly measure: "files" }
  | { readonly family: "tmpfs"; readonly mount: string; readonly measure: "inodes" | "usedKib" }
  | { readonly family: "section"; readonly name: string; readonly noun: string };

/** One series that a node can have. */
export interface Metric {
  /** The name in addresses and in the API: `slab.dentry.bytes`. */
  readonly key: string;
  readonly label: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
  readonly description: string;
  readonly source: MetricSource;
}

/** A family of metrics whose names hold something that only the nodes know. */
export interface MetricFamily {
  /** The name with its variable part in angle brackets: `slab.<cache>.bytes`. */
  readonly key: string;
  readonly label: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
  readonly description: string;
}

const BAND_DESCRIPTIONS: Readonly<Record<BandKey, string>> = {
  free: "MemFree: free pages of the page allocator, without those in per-CPU lists.",
  pcp: "Free pages parked in per-CPU lists: the sum of all `count:` lines of /proc/zoneinfo.",
  file: "Page cache without shmem: Cached - Shmem.",
  buffers: "Page cache of block devices: Buffers.",
  shmem: "Shmem: tmpfs, shared memory, memfd. Inside Cached, and without swap not reclaimable.",
  anon: "AnonPages: memory of processes.",
  srecl: "SReclaimable: slab caches that have a shrinker, whether or not it can free anything.",
  sunrecl: "SUnreclaim: the other slab caches, and from 5.4 kmallocs larger than a slab.",
  kstack: "KernelStack and ShadowCallStack: stacks of all tasks.",
  ptables: "PageTables, SecPageTables and Quicklists.",
  percpu: "Percpu: the per-CPU allocator, grows with memory cgroups.",
  vmalloc: "VmallocUsed without kernel stacks, where the kernel reports pages (5.3 and later).",
  hugetlb: "Reserved huge pages, used or not.",
  other: "Swap cache, compressed memory, GPU, bounce buffers, poisoned pages and the like.",
  unacc: "MemTotal less every other band, signed: what no counter of the kernel explains.",
};

/** The metric of trends, effects and rankings where none is asked for: kernel memory that nothing can reclaim. */
export const DEFAULT_METRIC = "total.kernelUnreclaimable";

/** What growth is held against where nothing else is asked for: all containers. */
export const DEFAULT_DRIVER = "containers.started";

/** The metrics with fixed names, in the order in which they are listed. */
export const METRICS: readonly Metric[] = [
  gauge(
    { family: "total", total: "kernelUnreclaimable" },
    "kernel memory, unreclaimable",
    "KiB",
    "SUnreclaim, kernel stacks, page tables, percpu, vmalloc and unaccounted. The metric of trends.",
  ),
  gauge(
    { family: "total", total: "kernelNoncache" },
    "kernel memory, non-cache (smem)",
    "KiB",
    "MemTotal - MemFree - AnonPages - Buffers - Cached - SReclaimable: Noncache of kernel dynamic memory in smem -w.",
  ),
  ...BANDS.map(({ key, label }) =>
    gauge({ family: "band", band: key }, label, "KiB", BAND_DESCRIPTIONS[key]),
  ),
  gauge(
    { family: "cgroup.memory", counter: "count" },
    "memory cgroups",
    "count",
    "Memory cgroups, live and dying together.",
  ),
  gauge(
    { family: "cgroup.memory", counter: "live" },
    "memory cgroups, live",
    "count",
    "Memory cgroups that have a directory.",
  ),
  gauge(
    { family: "cgroup.memory", counter: "dying" },
    "memory cgroups, dying",
    "count",
    "Memory cgroups that were removed and that something still holds on to.",
  ),
  {
    ...gauge(
      { family: "containers", counter: "started" },
      "containers started",
      "count",
      "Containers started since boot, as far as the source can tell; a lower bound.",
    ),
    kind: "counter",
  },
  gauge({ family: "containers", counter: "live" }, "containers alive", "count", "Containers running now."),
  {
    ...gauge(
      { family: "stat", counter: "forks" },
      "forks",
      "count",
      "`processes` of /proc/stat: forks since boot.",
    ),
    kind: "counter",
  },
  ...SECTION_METRICS.filter(({ key }) => !key.includes("<")).flatMap(({ key }) => sectionMetric(key) ?? []),
];

/** The families of metrics that depend on what a node reports; `parseMetric` reads their names. */
export const METRIC_FAMILIES: readonly MetricFamily[] = [
  family(
    "meminfo.<Key>",
    "/proc/meminfo",
    "KiB",
    "gauge",
    "A line of /proc/meminfo; HugePages_* count huge pages.",
  ),
  family(
    "vmstat.<key>",
    "/proc/vmstat",
    "count",
    "counter",
    "A line of /proc/vmstat; nr_* are levels in pages, the rest counts events since boot.",
  ),
  family(
    "slab.<cache>.bytes",
    "slab cache",
    "bytes",
    "gauge",
    "Whole slabs of a cache, free objects included.",
  ),
  family(
    "slab.<cache>.objects",
    "slab cache, objects",
    "count",
    "gauge",
    "Active objects of a cache (active_objs).",
  ),
  family(
    "watch.<directory>.files",
    "files in a directory",
    "count",
    "gauge",
    "Entries of a watched directory.",
  ),
  family("tmpfs.<mount>.inodes", "tmpfs, inodes", "count", "gauge", "Inodes in use on a tmpfs."),
  family("tmpfs.<mount>.usedKib", "tmpfs, used", "KiB", "gauge", "Memory in use by the files of a tmpfs."),
  ...SECTION_METRICS.filter(({ key }) => key.includes("<")).map(({ key, label, unit, kind, description }) =>
    family(key, label.replace("<>", /<(.*)>/.exec(key)?.[0] ?? ""), unit, kind, description),
  ),
];

const FIXED: ReadonlyMap<string, Metric> = new Map(METRICS.map((metric) => [metric.key, metric]));

/** Limits of the variable parts, those of the wire format. */
const LONGEST_KEY = 200;
const LONGEST_PATH = 1000;

/**
 * The metric of a name, or `undefined` when no node can have such a series. Names of caches, directories and mounts
 * may hold dots and slashes: the family is what stands before the first dot, the measure what stands after the last.
 */
export function parseMetric(name: string): Metric | undefined {
  const fixed = FIXED.get(name);
  if (fixed !== undefined) return fixed;
  const dot = name.indexOf(".");
  const rest = name.slice(dot + 1);
  switch (dot === -1 ? "" : name.slice(0, dot)) {
    case "meminfo":
      return isKernelKey(rest) ? meminfoMetric(rest) : undefined;
    case "vmstat":
      return isKernelKey(rest) ? vmstatMetric(rest) : undefined;
    case "slab":
      return slabMetric(rest);
    case "watch":
      return watchMetric(rest);
    case "tmpfs":
      return tmpfsMetric(rest);
    default:
      return sectionMetric(name);
  }
}

/** The name of a metric; `parseMetric` gives its source back. */
export function metricKey(source: MetricSource): string {
  switch (source.family) {
    case "band":
      return `band.${source.band}`;
    case "total":
      return `total.${source.total}`;
    case "cgroup.memory":
    case "containers":
    case "stat":
      return `${source.family}.${source.counter}`;
    case "meminfo":
    case "vmstat":
      return `${source.family}.${source.key}`;
    case "slab":
      return `slab.${source.cache}.${source.measure}`;
    case "watch":
      return `watch.${source.directory}.${source.measure}`;
    case "tmpfs":
      return `tmpfs.${source.mount}.${source.measure}`;
    case "section":
      return source.name;
  }
}

function sectionMetric(name: string): Metric | undefined {
  const found = findSectionMetric(name);
  if (found === undefined) return undefined;
  const { metric, variable } = found;
  const source = { family: "section", name, noun: metric.noun } as const;
  return {
    ...gauge(
      source,
      metric.label.replace("<>", () => variable),
      metric.unit,
      metric.description,
    ),
    kind: metric.kind,
  };
}

function meminfoMetric(key: string): Metric {
  return gauge(
    { family: "meminfo", key },
    key,
    isHugePageCount(key) ? "count" : "KiB",
    `${key} of /proc/meminfo.`,
  );
}

/** What is named like a level and yet counts events. */
const NR_EVENTS = new Set([
  "nr_dirtied",
  "nr_written",
  "nr_throttled_written",
  "nr_vmscan_write",
  "nr_vmscan_immediate_reclaim",
  "nr_foll_pin_acquired",
  "nr_foll_pin_released",
]);

function vmstatMetric(key: string): Metric {
  const level = key.startsWith("nr_") && !NR_EVENTS.has(key) && !key.startsWith("nr_tlb_");
  const unit = key === "nr_kernel_stack" ? "KiB" : level ? "pages" : "count";
  return {
    ...gauge({ family: "vmstat", key }, key, unit, `${key} of /proc/vmstat.`),
    kind: level || key === "workingset_nodes" ? "gauge" : "counter",
  };
}

function slabMetric(rest: string): Metric | undefined {
  const [cache, measure] = splitMeasure(rest, LONGEST_KEY);
  if (cache === undefined) return undefined;
  if (measure === "bytes") {
    return gauge(
      { family: "slab", cache, measure },
      `slab ${cache}`,
      "bytes",
      `Slab cache ${cache}: whole slabs, free objects included.`,
    );
  }
  if (measure === "objects") {
    return gauge(
      { family: "slab", cache, measure },
      `slab ${cache}, objects`,
      "count",
      `Slab cache ${cache}: active objects (active_objs).`,
    );
  }
  return undefined;
}

function watchMetric(rest: string): Metric | undefined {
  const [directory, measure] = splitMeasure(rest, LONGEST_PATH);
  if (directory === undefined || measure !== "files") return undefined;
  return gauge(
    { family: "watch", directory, measure },
    `files in ${directory}`,
    "count",
    `Entries of the directory ${directory}.`,
  );
}

function tmpfsMetric(rest: string): Metric | undefined {
  const [mount, measure] = splitMeasure(rest, LONGEST_PATH);
  if (mount === undefined) return undefined;
  if (measure === "inodes") {
    const source = { family: "tmpfs", mount, measure } as const;
    return gauge(source, `inodes on ${mount}`, "count", `Inodes in use on the tmpfs ${mount}.`);
  }
  if (measure === "usedKib") {
    const source = { family: "tmpfs", mount, measure } as const;
    return gauge(source, `used on ${mount}`, "KiB", `Memory in use by the files of the tmpfs ${mount}.`);
  }
  return undefined;
}

function splitMeasure(
  rest: string,
  longest: number,
): readonly [string, string] | readonly [undefined, undefined] {
  const dot = rest.lastIndexOf(".");
  const subject = rest.slice(0, Math.max(dot, 0));
  return isSubject(subject, longest) ? [subject, rest.slice(dot + 1)] : [undefined, undefined];
}

/** Not empty, no control characters, bounded. */
function isSubject(text: string, longest: number): boolean {
  return text.length > 0 && text.length <= longest && !/[\u0000-\u001f\u007f]/.test(text);
}

function gauge(source: MetricSource, label: string, unit: MetricUnit, description: string): Metric {
  return { key: metricKey(source), label, unit, kind: "gauge", description, source };
}

function family(
  key: string,
  label: string,
  unit: MetricUnit,
  kind: MetricKind,
  description: string,
): MetricFamily {
  return { key, label, unit, kind, description };
}
