import type { Labels } from "./node-identity.ts";

/**
 * What one moment of one node holds, by the name of the field: `meminfo MemTotal` in KiB, `slab.objects dentry`. Values
 * are numbers, or texts from the labels of an info metric. A field that is absent was not reported.
 */
export type ScrapeFields = Record<string, number | string>;

/** Where the samples of a series go. */
export interface SeriesField {
  readonly field: string;
  /** For info metrics: the value is this text, whatever the sample says. */
  readonly text?: string;
  /** The sample is divided by this: node_exporter tells bytes, the kernel told kB. */
  readonly divisor: 1 | 1024;
}

/** Names of the series of node_exporter that are read, as a regular expression of Prometheus (anchored at both ends). */
export const NODE_SERIES =
  "node_memory_.+|node_vmstat_.+|node_boot_time(_seconds)?|node_uname_info|node_forks(_total)?|node_cpu(_seconds_total)?|node_cgroups_cgroups|node_zoneinfo_managed_pages|node_sockstat_.+|node_filefd_(allocated|maximum)";

/** Of the caches, which are many and off by default. */
export const SLAB_SERIES =
  "node_slabinfo_(active_objects|objects|object_size_bytes|objects_per_slab|pages_per_slab)";

/** Of kubelet, containerd and CRI-O. */
export const CONTAINER_SERIES =
  "kubelet_started_containers_total|kubelet_running_containers|kubelet_running_container_count|containerd_cri_container_create_seconds_count|(container_runtime_)?crio_operations(_total)?";

/** Per-NUMA-node figures repeat what the whole machine says. */
export const LEFT_OUT_SERIES = "node_memory_numa_.+";

const one = (field: string, rest: Partial<SeriesField> = {}): readonly SeriesField[] => [
  { field, divisor: 1, ...rest },
];
const NONE: readonly SeriesField[] = [];

/**
 * What a series means for a snapshot; empty for one that Plumbline does not need. Names are those of node_exporter from
 * 0.16 and of the versions before, which lack units (`node_memory_MemTotal`); of kubelet; of containerd; of CRI-O.
 */
export function fieldsOfSeries(labels: Labels): readonly SeriesField[] {
  const name = labels.__name__ ?? "";
  if (name.startsWith("node_")) return fieldsOfNode(name.slice("node_".length), labels);
  return fieldsOfContainers(name, labels);
}

function fieldsOfNode(name: string, labels: Labels): readonly SeriesField[] {
  if (name.startsWith("memory_")) return fieldsOfMeminfo(name.slice("memory_".length));
  if (name.startsWith("vmstat_")) return one(`vmstat ${name.slice("vmstat_".length)}`);
  if (name.startsWith("slabinfo_")) return fieldsOfSlab(name.slice("slabinfo_".length), labels);
  if (name.startsWith("sockstat_")) return fieldsOfSockstat(name.slice("sockstat_".length));
  switch (name) {
    case "boot_time_seconds":
    case "boot_time":
      return one("boot time");
    case "forks_total":
    case "forks":
      return one("stat forks");
    case "cpu_seconds_total":
    case "cpu":
      return labels.mode === "idle" && labels.cpu !== undefined ? one(`cpu ${labels.cpu}`) : NONE;
    case "uname_info":
      return (["release", "machine"] as const).flatMap((key) => {
        const text = labels[key];
        return text === undefined || text === "" ? [] : one(`uname ${key}`, { text });
      });
    case "filefd_allocated":
      return one("file-nr allocated");
    case "filefd_maximum":
      return one(FILE_MAX);
    case "cgroups_cgroups":
      return labels.subsys_name === "memory" ? one("cgroups memory") : NONE;
    case "zoneinfo_managed_pages":
      return one(`zone.managed ${labels.exported_node ?? labels.node ?? ""} ${labels.zone ?? ""}`);
    default:
      return NONE;
  }
}

const FILE_MAX = "file-nr max";

/** Keys that the kernel prints with brackets, which node_exporter replaces. */
const BRACKETED: Readonly<Record<string, string>> = {
  Active_anon: "Active(anon)",
  Active_file: "Active(file)",
  Inactive_anon: "Inactive(anon)",
  Inactive_file: "Inactive(file)",
};
/** Lines of /proc/meminfo without a unit. */
const COUNTED = /^HugePages_(?:Total|Free|Rsvd|Surp)$/;

function fieldsOfMeminfo(name: string): readonly SeriesField[] {
  if (name.startsWith("numa_") || name.includes(":")) return NONE;
  if (COUNTED.test(name)) return one(`meminfo ${name}`);
  const key = name.replace(/_bytes$/, "");
  return one(`meminfo ${BRACKETED[key] ?? key}`, { divisor: 1024 });
}

const SLAB_MEASURES: Readonly<Record<string, string>> = {
  active_objects: "slab.active",
  objects: "slab.objects",
  object_size_bytes: "slab.size",
  objects_per_slab: "slab.perSlab",
  pages_per_slab: "slab.pages",
};

function fieldsOfSlab(measure: string, { slab }: Labels): readonly SeriesField[] {
  const field = SLAB_MEASURES[measure];
  return field === undefined || slab === undefined || slab === "" ? NONE : one(`${field} ${slab}`);
}

/** `TCP_inuse`, `sockets_used`; `TCP_mem_bytes` repeats `TCP_mem` in another unit. */
function fieldsOfSockstat(name: string): readonly SeriesField[] {
  const match = /^([A-Za-z0-9]+)_(inuse|orphan|tw|alloc|mem|memory|used)$/.exec(name);
  return match ? one(`sockstat ${match[1]} ${match[2]}`) : NONE;
}

function fieldsOfContainers(name: string, labels: Labels): readonly SeriesField[] {
  switch (name) {
    case "kubelet_started_containers_total":
      return one(`started.kubelet ${labels.container_type ?? ""}`);
    case "kubelet_running_containers":
      return labels.container_state === undefined || labels.container_state === "running"
        ? one("live kubelet")
        : NONE;
    case "kubelet_running_container_count":
      return one("live kubelet");
    case "containerd_cri_container_create_seconds_count":
      return one(`started.containerd ${labels.runtime ?? ""}`);
    case "crio_operations":
    case "crio_operations_total":
    case "container_runtime_crio_operations":
    case "container_runtime_crio_operations_total":
      return [labels.operation, labels.operation_type, labels.operation_name].includes("CreateContainer")
        ? one("started.crio ")
        : NONE;
    default:
      return NONE;
  }
}

/**
 * The value of a field for one sample. Undefined for what is no reading: the marker with which Prometheus ends a series
 * (a NaN of its own), any other NaN, infinities, and what no counter of the kernel can be.
 */
export function fieldValue(field: SeriesField, sample: number): number | string | undefined {
  if (!Number.isFinite(sample)) return undefined;
  if (field.text !== undefined) return sample === 1 ? field.text : undefined;
  if (field.field === "boot time") return sample > 0 ? sample : undefined;
  // Without a limit the kernel prints the largest number there is, which is beyond 2^53.
  if (field.field === FILE_MAX && sample > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER;
  const value = Math.round(sample / field.divisor);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
