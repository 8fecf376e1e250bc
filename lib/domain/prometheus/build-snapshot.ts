import { chooseCaches } from "#lib/domain/snapshot/choose-caches.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { bootIdOfTime } from "./boot-identity.ts";
import { continueStarted, type ContainerCounts, type StartedTotal } from "./container-counts.ts";
import { IMPORTED_LABEL } from "./node-identity.ts";
import type { ScrapeFields } from "./series-fields.ts";

/** One moment of one node as Prometheus has it. */
export interface Scrape {
  readonly node: string;
  readonly atMs: number;
  readonly fields: ScrapeFields;
  /** Of the newest scrape of a container runtime or kubelet at or before this moment. */
  readonly containers?: ContainerCounts;
  /** How far the containers of this node were counted before. */
  readonly startedBefore?: StartedTotal;
}

export type BuiltSnapshot =
  | { readonly snapshot: SnapshotInput; readonly started: StartedTotal | undefined }
  /** The series without which there is no snapshot. */
  | { readonly missing: string };

/**
 * Makes a snapshot of a scrape. What Prometheus does not hold is left out, not set to 0: node_exporter reports no per-CPU
 * free lists, so these stay inside *unaccounted*, as the notes of a composition say. The boot is known by its time.
 */
export function buildPrometheusSnapshot(scrape: Scrape): BuiltSnapshot {
  const { fields, atMs } = scrape;
  const { meminfo, vmstat, sockstat, cpus, managedPages } = sortFields(fields);
  const bootTimeSeconds = numberOf(fields["boot time"]);
  if ((meminfo.MemTotal ?? 0) <= 0) return { missing: "node_memory_MemTotal_bytes" };
  if (meminfo.MemFree === undefined) return { missing: "node_memory_MemFree_bytes" };
  // Without it a reboot would look like a leak that ended.
  if (bootTimeSeconds === undefined) return { missing: "node_boot_time_seconds" };
  if (cpus === 0) return { missing: 'node_cpu_seconds_total{mode="idle"}' };
  const bootTimeMs = Math.round(bootTimeSeconds * 1000);
  const release = textOf(fields["uname release"]);
  const pageSizeBytes = inferPageSize(textOf(fields["uname machine"]), managedPages, meminfo.MemTotal ?? 0);
  const slab = buildSlab(fields, pageSizeBytes);
  const { containers } = scrape;
  const started =
    containers?.started === undefined
      ? undefined
      : continueStarted(scrape.startedBefore, { bootTimeMs, ...containers.started });
  const snapshot: SnapshotInput = {
    schemaVersion: 1,
    node: scrape.node,
    at: atMs,
    bootId: bootIdOfTime(bootTimeSeconds),
    uptimeSeconds: Math.max(0, (atMs - bootTimeMs) / 1000),
    kernelRelease: release ?? "unknown",
    cpus,
    meminfo,
    labels: { [IMPORTED_LABEL]: "prometheus" },
    sources: {
      node_exporter: { status: "ok" },
      zoneinfo: { status: "absent", detail: "node_exporter does not report per-CPU lists" },
      slabinfo: { status: slab === undefined ? "absent" : "ok" },
    },
    ...(pageSizeBytes !== undefined && { pageSizeBytes }),
    ...(Object.keys(vmstat).length > 0 && { vmstat }),
    ...(Object.keys(sockstat).length > 0 && { sockstat }),
    ...section("cgroups", numberOf(fields["cgroups memory"]), (memoryCount) => ({ memoryCount })),
    ...section("forks", numberOf(fields["stat forks"]), (forks) => forks),
    ...section("fs", fileHandles(fields), (fileNr) => ({ fileNr })),
    ...section("containersStarted", started?.total, (total) => total),
    ...section("containersLive", containers?.live, (live) => live),
    ...section("slab", slab, (caches) => caches),
  };
  return { snapshot, started };
}

/**
 * The counters of a scrape of which only a part is known, for a snapshot that is stored already. Without page size and boot, so
 * nothing that needs them is in it.
 */
export function countersOfScrape(
  fields: ScrapeFields,
): Pick<SnapshotInput, "meminfo" | "vmstat" | "cgroups" | "forks"> {
  const { meminfo, vmstat } = sortFields(fields);
  return {
    meminfo,
    vmstat,
    ...section("cgroups", numberOf(fields["cgroups memory"]), (memoryCount) => ({ memoryCount })),
    ...section("forks", numberOf(fields["stat forks"]), (forks) => forks),
  };
}

function section<T, Name extends string, Made>(
  name: Name,
  value: T | undefined,
  make: (value: T) => Made,
): Partial<Record<Name, Made>> {
  return value === undefined ? {} : ({ [name]: make(value) } as Record<Name, Made>);
}

const numberOf = (value: number | string | undefined) => (typeof value === "number" ? value : undefined);
const textOf = (value: number | string | undefined) => (typeof value === "string" ? value : undefined);

interface SortedFields {
  meminfo: Record<string, number>;
  vmstat: Record<string, number>;
  sockstat: Record<string, Record<string, number>>;
  cpus: number;
  managedPages: number;
}

function sortFields(fields: ScrapeFields): SortedFields {
  const sorted: SortedFields = { meminfo: {}, vmstat: {}, sockstat: {}, cpus: 0, managedPages: 0 };
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value !== "number") continue;
    const [kind, key = "", counter = ""] = field.split(" ");
    if (kind === "meminfo") sorted.meminfo[key] = value;
    else if (kind === "vmstat") sorted.vmstat[key] = value;
    else if (kind === "sockstat") (sorted.sockstat[key] ??= {})[counter] = value;
    else if (kind === "cpu") sorted.cpus += 1;
    else if (kind === "zone.managed") sorted.managedPages += value;
  }
  return sorted;
}

function fileHandles(fields: ScrapeFields): { allocated: number; max: number } | undefined {
  const allocated = numberOf(fields["file-nr allocated"]);
  const max = numberOf(fields["file-nr max"]);
  return allocated === undefined || max === undefined ? undefined : { allocated, max };
}

/** Machines whose kernels have pages of 4 KiB and no other. */
const FOUR_KIB_MACHINES = /^(?:x86_64|i[3-6]86|s390x?|riscv64|armv[67]l)$/;
const PAGE_SIZES = [4096, 16_384, 65_536] as const;

/**
 * The page size, which no exporter tells: by the machine where it has but one, else by how many managed pages make up
 * MemTotal.
 */
function inferPageSize(
  machine: string | undefined,
  managedPages: number,
  totalKib: number,
): number | undefined {
  if (machine !== undefined && FOUR_KIB_MACHINES.test(machine)) return 4096;
  if (managedPages === 0) return undefined;
  return PAGE_SIZES.find((bytes) => Math.abs((managedPages * bytes) / 1024 / totalKib - 1) < 0.05);
}

type SlabSection = NonNullable<SnapshotInput["slab"]>;

function buildSlab(fields: ScrapeFields, pageSizeBytes: number | undefined): SlabSection | undefined {
  if (pageSizeBytes === undefined) return undefined;
  const caches: SlabSection = [];
  for (const field of Object.keys(fields)) {
    if (!field.startsWith("slab.objects ")) continue;
    const name = field.slice("slab.objects ".length);
    const read = (measure: string) => numberOf(fields[`slab.${measure} ${name}`]);
    const numObjs = read("objects");
    const activeObjs = read("active");
    const objSizeBytes = read("size");
    const perSlab = read("perSlab");
    const pages = read("pages");
    if (numObjs === undefined || activeObjs === undefined || objSizeBytes === undefined) continue;
    if (perSlab === undefined || perSlab === 0 || pages === undefined) continue;
    // The number of slabs is not exported; all slabs of a cache hold the same number of objects.
    const sizeKib = Math.round((Math.ceil(numObjs / perSlab) * pages * pageSizeBytes) / 1024);
    caches.push({ name, activeObjs, numObjs, objSizeBytes, sizeKib });
  }
  return caches.length === 0 ? undefined : chooseCaches(caches);
}
