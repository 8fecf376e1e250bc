import { parseBootId } from "#lib/domain/procfs/boot-id.ts";
import { parseCgroupStat } from "#lib/domain/procfs/cgroup-stat.ts";
import { parseCgroups } from "#lib/domain/procfs/cgroups.ts";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";
import { parseOsrelease } from "#lib/domain/procfs/osrelease.ts";
import { parseSlabinfo, slabCacheBytes } from "#lib/domain/procfs/slabinfo.ts";
import { parsePageSizeBytes } from "#lib/domain/procfs/smaps.ts";
import { parseStat } from "#lib/domain/procfs/stat.ts";
import { parseUptime } from "#lib/domain/procfs/uptime.ts";
import { parseVersion } from "#lib/domain/procfs/version.ts";
import { parseVmallocinfo } from "#lib/domain/procfs/vmallocinfo.ts";
import { parseVmstat } from "#lib/domain/procfs/vmstat.ts";
import { parseZoneinfo } from "#lib/domain/procfs/zoneinfo.ts";
import { buildVmallocSection, type SourceSections } from "./build-sections.ts";
import { chooseCaches } from "./choose-caches.ts";
import type { SnapshotInput } from "./schema.ts";
import { reportOf, takeSource, type Sources, type SourceText } from "./take-source.ts";
import { readVmapStack } from "./vmap-stack.ts";

type SlabSection = NonNullable<SnapshotInput["slab"]>;
type Cgroups = NonNullable<SnapshotInput["cgroups"]>;

/** Files that are read for every snapshot, as text. */
export interface FrequentTexts {
  meminfo: SourceText;
  vmstat: SourceText;
  zoneinfo: SourceText;
  stat: SourceText;
  uptime: SourceText;
  cgroups: SourceText;
  /** Of the root of the unified hierarchy. */
  cgroupStat: SourceText;
}

/** What does not change while the node runs. */
export interface BootFacts {
  bootId: string | undefined;
  kernelRelease: string | undefined;
  pageSizeBytes: number | undefined;
  cpus: number | undefined;
}

/** What is read less often and sent with the snapshot in which it was read. */
export type Extras = Pick<
  SnapshotInput,
  | "slab"
  | "tmpfs"
  | "watch"
  | "containersStarted"
  | "containersLive"
  | "vmapStack"
  | "events"
  | "self"
  | "creators"
> &
  SourceSections & { v1Walk?: { live: number; dying: number } };

export interface Identity {
  node: string;
  labels: Record<string, string>;
  versions: Record<string, string>;
}

/**
 * Makes one snapshot of texts that were read together. `undefined` when one of the things without which a snapshot
 * means nothing is missing: meminfo, the boot id, the uptime, the kernel's release or the number of CPUs; `sources` says
 * which. Every other section that is missing is left out.
 */
export function buildSnapshot(
  at: Date,
  identity: Identity,
  boot: BootFacts,
  texts: FrequentTexts,
  extras: Extras,
  sources: Sources,
): SnapshotInput | undefined {
  const meminfo = takeSource(sources, "meminfo", texts.meminfo, parseMeminfo, ({ values }) =>
    (values.get("MemTotal") ?? 0) > 0 ? Object.fromEntries(values) : undefined,
  );
  const vmstat = takeSource(sources, "vmstat", texts.vmstat, parseVmstat, ({ values }) =>
    values.size > 0 ? Object.fromEntries(values) : undefined,
  );
  const pcpFreePages = takeSource(
    sources,
    "zoneinfo",
    texts.zoneinfo,
    parseZoneinfo,
    (value) => value.pcpFreePages,
  );
  const stat = takeSource(sources, "stat", texts.stat, parseStat, (value) =>
    value.processes === undefined ? undefined : value,
  );
  const uptime = takeSource(sources, "uptime", texts.uptime, parseUptime, (value) => value);
  const cgroups = buildCgroups(texts, extras, sources);
  const cpus = boot.cpus ?? stat?.cpus;

  if (
    meminfo === undefined ||
    boot.bootId === undefined ||
    boot.kernelRelease === undefined ||
    uptime === undefined ||
    cpus === undefined
  ) {
    return undefined;
  }
  const { v1Walk: _walk, ...sections } = extras;
  return {
    schemaVersion: 1,
    node: identity.node,
    at: at.toISOString(),
    bootId: boot.bootId,
    uptimeSeconds: uptime.uptimeSeconds,
    kernelRelease: boot.kernelRelease,
    cpus,
    pageSizeBytes: boot.pageSizeBytes,
    meminfo,
    vmstat,
    pcpFreePages,
    cgroups,
    forks: stat?.processes,
    ...sections,
    versions: Object.keys(identity.versions).length > 0 ? identity.versions : undefined,
    labels: Object.keys(identity.labels).length > 0 ? identity.labels : undefined,
    sources: { ...sources },
  };
}

/**
 * The memory controller: on v1 the count of /proc/cgroups, live and dying from a walk; on v2, which is also what a
 * missing row means, the counts of `cgroup.stat`.
 */
function buildCgroups(texts: FrequentTexts, extras: Extras, sources: Sources): Cgroups | undefined {
  const controllers = takeSource(sources, "cgroups", texts.cgroups, parseCgroups, ({ controllers: all }) =>
    all.size > 0 ? all : undefined,
  );
  const memory = controllers?.get("memory");
  if (memory !== undefined && memory.hierarchy !== 0) {
    const section: Cgroups = { mode: "v1", memoryCount: memory.numCgroups };
    if (extras.v1Walk !== undefined) Object.assign(section, extras.v1Walk);
    return section;
  }
  const stat = takeSource(sources, "cgroup.stat", texts.cgroupStat, parseCgroupStat, (value) =>
    value.descendants === undefined ? undefined : value,
  );
  if (stat === undefined)
    return memory === undefined ? undefined : { mode: "v2", memoryCount: memory.numCgroups };
  const live = stat.memoryDescendants ?? stat.descendants;
  return {
    mode: "v2",
    memoryCount: memory?.numCgroups,
    // The counts are of what lies below the root; the root lives too.
    live: live === undefined ? undefined : live + 1,
    dying: stat.dyingMemoryDescendants ?? stat.dyingDescendants,
  };
}

/** The memory row of /proc/cgroups when the controller is on v1. */
export function readV1MemoryCount(text: SourceText): number | undefined {
  if (text.text === undefined) return undefined;
  const memory = parseCgroups(text.text).value.controllers.get("memory");
  return memory !== undefined && memory.hierarchy !== 0 ? memory.numCgroups : undefined;
}

/** What the kernel counted in the memory hierarchy of v1 right before and right after a walk over it, and the walk. */
export interface CountedWalk {
  before: number | undefined;
  after: number | undefined;
  /** Directories, the root included. */
  live: number;
  /** Directories that could not be looked into. */
  denied: number;
}

/** Dying memory cgroups on v1: only right when the kernel's count held still while the live ones were counted. */
export function countDying({ before, after, live, denied }: CountedWalk): number | undefined {
  return before !== undefined && before === after && denied === 0 ? Math.max(0, before - live) : undefined;
}

/**
 * The caches worth sending, as `chooseCaches` says. Two lines of one name are added up,
 * because nothing else tells them apart later. Absent without a page size: slabinfo counts pages.
 */
export function buildSlab(
  source: SourceText,
  pageSizeBytes: number | undefined,
  sources: Sources,
): SlabSection | undefined {
  if (pageSizeBytes === undefined && source.status === "ok" && source.text !== undefined) {
    sources.slabinfo = { ...reportOf(source), status: "malformed", detail: "the page size is not known" };
    return undefined;
  }
  const caches = takeSource(sources, "slabinfo", source, parseSlabinfo, (value) =>
    value.caches.length > 0 ? value.caches : undefined,
  );
  if (caches === undefined || pageSizeBytes === undefined) return undefined;
  const byName = new Map<string, SlabSection[number]>();
  for (const cache of caches) {
    const bytes = slabCacheBytes(cache, pageSizeBytes);
    if (bytes === undefined || cache.objSizeBytes === undefined) continue;
    const sizeKib = Math.round(bytes / 1024);
    const same = byName.get(cache.name);
    if (same === undefined) {
      const { name, activeObjs, numObjs, objSizeBytes } = cache;
      byName.set(name, { name, activeObjs, numObjs, objSizeBytes, sizeKib });
    } else {
      same.activeObjs += cache.activeObjs;
      same.numObjs += cache.numObjs;
      same.sizeKib += sizeKib;
    }
  }
  return chooseCaches([...byName.values()]);
}

/** What vmallocinfo shows: whether kernel stacks lie there, and who holds memory. */
export function buildVmalloc(
  source: SourceText,
  pageSizeBytes: number | undefined,
  sources: Sources,
): Pick<Extras, "vmapStack" | "vmalloc"> {
  const areas = takeSource(sources, "vmallocinfo", source, parseVmallocinfo, (value) =>
    value.areas.length === 0 ? undefined : value,
  );
  if (areas === undefined) return {};
  const vmapStack = readVmapStack(areas);
  return {
    ...(vmapStack !== undefined && { vmapStack }),
    vmalloc: buildVmallocSection(areas, pageSizeBytes),
  };
}

/**
 * What is read once at the start. `possibleCpus` is the text of /sys/devices/system/cpu/possible, `0-3,8`; `version` is
 * asked for the kernel's release when `osrelease` does not say it.
 */
export function buildBootFacts(
  texts: {
    bootId: SourceText;
    osrelease: SourceText;
    version?: SourceText;
    smaps: SourceText;
    possibleCpus: SourceText;
  },
  sources: Sources,
): BootFacts {
  const bootId = takeSource(sources, "boot_id", texts.bootId, parseBootId, (value) => value);
  const release = takeSource(sources, "osrelease", texts.osrelease, parseOsrelease, (value) => value);
  return {
    bootId,
    kernelRelease:
      release ??
      (texts.version &&
        takeSource(sources, "version", texts.version, parseVersion, (value) => value?.release)),
    pageSizeBytes: takeSource(sources, "smaps", texts.smaps, parsePageSizeBytes, (value) => value),
    cpus: countCpus(texts.possibleCpus.text),
  };
}

/** Number of CPUs in a list as sysfs prints it: `0-3,8`. */
export function countCpus(list: string | undefined): number | undefined {
  if (list === undefined) return undefined;
  let count = 0;
  for (const range of list.trim().split(",")) {
    const match = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(range);
    if (match === null) return undefined;
    count += Number(match[2] ?? match[1]) - Number(match[1]) + 1;
  }
  return count > 0 ? count : undefined;
}
