import { composeMemory, type Composition } from "../memory/composition.ts";
import { readSectionCounters } from "../memory/section-metrics.ts";
import { pagesToKib } from "../memory/kib.ts";
import type { Change, Evidence } from "../signatures/evidence.ts";
import type { SnapshotInput } from "../snapshot/schema.ts";
import { compositionLevels } from "./composition-levels.ts";
import { deriveQuantities } from "./derive-quantities.ts";
import { pinnedLevels } from "./pinned-levels.ts";
import { sectionQuantities } from "./section-quantities.ts";
import { kmallocQuantity } from "./slab-caches.ts";

/** The composition of a snapshot as a collector makes it. */
export function composeSnapshot(snapshot: SnapshotInput): Composition | undefined {
  const { meminfo, vmstat, pageSizeBytes, pcpFreePages } = snapshot;
  const zspages = vmstat?.nr_zspages;
  const inKib = (pages: number | undefined) =>
    pages === undefined || pageSizeBytes === undefined ? undefined : pagesToKib(pages, pageSizeBytes);
  return composeMemory({
    meminfo: (key) => meminfo[key],
    pcpFreeKib: inKib(pcpFreePages),
    zspagesKib: inKib(zspages),
    kernelRelease: snapshot.kernelRelease,
    vmapStack: snapshot.vmapStack,
  });
}

/** Every quantity that one snapshot holds; what it does not hold is left out. */
export function levelsOfSnapshot(snapshot: SnapshotInput): Record<string, number> {
  const levels: Record<string, number> = { cpus: snapshot.cpus };
  const put = (name: string, value: number | undefined) => {
    if (value !== undefined) levels[name] = value;
  };
  for (const [key, value] of Object.entries(snapshot.meminfo)) levels[`meminfo.${key}`] = value;
  for (const [key, value] of Object.entries(snapshot.vmstat ?? {})) levels[`vmstat.${key}`] = value;
  const composition = composeSnapshot(snapshot);
  if (composition !== undefined) Object.assign(levels, compositionLevels(composition));
  put("cgroup.memory.count", snapshot.cgroups?.memoryCount);
  put("cgroup.memory.live", snapshot.cgroups?.live);
  put("cgroup.memory.dying", snapshot.cgroups?.dying);
  put("containers.started", snapshot.containersStarted);
  put("containers.live", snapshot.containersLive);
  put("stat.forks", snapshot.forks);
  for (const { name, activeObjs, numObjs, objSizeBytes, sizeKib } of snapshot.slab ?? []) {
    levels[`slab.${name}.bytes`] = sizeKib * 1024;
    levels[`slab.${name}.objects`] = activeObjs;
    const kmalloc = kmallocQuantity(name);
    if (kmalloc !== undefined) levels[kmalloc] = (levels[kmalloc] ?? 0) + sizeKib * 1024;
    levels["slab.unused.kib"] =
      (levels["slab.unused.kib"] ?? 0) + (Math.max(0, numObjs - activeObjs) * objSizeBytes) / 1024;
  }
  Object.assign(levels, directoryLevels(snapshot));
  const sections = sectionQuantities(
    Object.fromEntries(readSectionCounters(snapshot)),
    snapshot.pageSizeBytes,
  );
  for (const [name, value] of Object.entries(sections)) levels[name] ??= value;
  Object.assign(
    levels,
    pinnedLevels((key) => snapshot.vmstat?.[key], snapshot.pageSizeBytes),
  );
  deriveQuantities(levels);
  return levels;
}

/** What is in watched directories and on tmpfs mounts, and on all of these mounts together. */
export function directoryLevels({
  watch = [],
  tmpfs = [],
}: {
  readonly watch?: readonly { readonly path: string; readonly files: number }[] | undefined;
  readonly tmpfs?:
    | readonly {
        readonly mount: string;
        readonly usedKib: number;
        readonly sizeKib?: number | undefined;
        readonly inodes?: number | undefined;
        readonly inodesUsed?: number | undefined;
      }[]
    | undefined;
}): Record<string, number> {
  const levels: Record<string, number> = {};
  for (const { path, files } of watch) levels[`watch.${path}.files`] = files;
  for (const { mount, usedKib, sizeKib, inodes, inodesUsed } of tmpfs) {
    levels[`tmpfs.${mount}.usedKib`] = usedKib;
    levels["tmpfs.used.kib"] = (levels["tmpfs.used.kib"] ?? 0) + usedKib;
    if (sizeKib !== undefined) levels[`tmpfs.${mount}.sizeKib`] = sizeKib;
    if (inodes !== undefined) levels[`tmpfs.${mount}.inodesMax`] = inodes;
    if (inodesUsed !== undefined) levels[`tmpfs.${mount}.inodes`] = inodesUsed;
  }
  return levels;
}

/**
 * A live machine as evidence: its newest snapshot, and what changed since the first of the same boot. `more` holds
 * quantities that no snapshot has, each at the times of the two.
 */
export function evidenceFromSnapshots(
  snapshots: readonly { readonly snapshot: SnapshotInput; readonly more: Readonly<Record<string, number>> }[],
): Evidence {
  const last = snapshots.at(-1);
  if (last === undefined) return { levels: {}, changes: {} };
  const ofBoot = snapshots.filter(({ snapshot }) => snapshot.bootId === last.snapshot.bootId);
  const columns = ofBoot.map(({ snapshot, more }) => ({ ...more, ...levelsOfSnapshot(snapshot) }));
  const hours = hoursBetween(ofBoot[0]?.snapshot, last.snapshot);
  const changes: Record<string, Change> = {};
  const levels = columns.at(-1) ?? {};
  if (columns.length > 1) {
    for (const name of Object.keys(levels)) {
      const values = columns.flatMap((column) => column[name] ?? []);
      const [first] = values;
      const end = values.at(-1);
      if (values.length < 2 || first === undefined || end === undefined) continue;
      changes[name] = { first, last: end, max: Math.max(...values), samples: values.length, hours };
    }
  }
  return {
    levels,
    changes,
    kernelRelease: last.snapshot.kernelRelease,
    mergedCaches: last.snapshot.slabNames?.merged ?? [],
    versions: last.snapshot.versions ?? {},
    scope: "machine",
  };
}

function hoursBetween(first: SnapshotInput | undefined, last: SnapshotInput): number {
  return first === undefined ? 0 : (last.uptimeSeconds - first.uptimeSeconds) / 3600;
}
