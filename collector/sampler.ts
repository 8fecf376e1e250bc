import path from "node:path";
import {
  buildBootFacts,
  buildSlab,
  buildSnapshot,
  buildVmalloc,
  countDying,
  readV1MemoryCount,
  type Extras,
  type FrequentTexts,
} from "#lib/domain/snapshot/from-proc.ts";
import { parseCmdline } from "#lib/domain/procfs/cmdline.ts";
import { parseMountinfo } from "#lib/domain/procfs/mountinfo.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { reportOf, type Sources, type SourceText } from "#lib/domain/snapshot/take-source.ts";
import { walkCgroups, type CgroupWalk } from "./cgroup-walk.ts";
import { advanceCreated, readCreated, type CreatedState } from "./cgroups-created.ts";
import { createCreatorCounter, createPodNames, type CreatorCounter, type CreatorState } from "./creators.ts";
import type { SampleConfig } from "./config.ts";
import { countEntries, elapsedMs, explainFailure, readFileSystemUse, readSource } from "./read-sources.ts";
import { advanceStarted, type StartedReading, type StartedState } from "./started-count.ts";
import type { Happened } from "./event-watch.ts";
import { noticeEvents, type Noticed } from "./notice-events.ts";
import { createSectionReader } from "./section-reader.ts";

/** What a snapshot says about the collector and does not come from the node's files. */
export interface OwnFacts {
  versions: Record<string, string>;
  self: NonNullable<SnapshotInput["self"]>;
  /** What logs and processes tell; asked after the counters were read, so that a log is never behind them. */
  look?: (nowMs: number) => Happened;
  /** Who else counts containers started, best first. */
  started?: readonly StartedReading[];
}

/** A sample, and whether it should be sent at once. */
export interface Sample {
  /** Absent when a file is missing without which a snapshot means nothing; `sources` says which. */
  snapshot: SnapshotInput | undefined;
  sources: Sources;
  urgent: boolean;
}

/** Reads this node again and again, each source as often as its cost allows. */
export interface Sampler {
  sample: (own: OwnFacts) => Sample;
  state: () => SamplerState;
}

/** What must survive a restart of the collector within one boot. */
export interface SamplerState {
  created: CreatedState | undefined;
  creators: CreatorState | undefined;
  started: StartedState | undefined;
}

/** How often the dearer sources are read. */
const MINUTE_MS = 60_000;
/** Containers that live for seconds are only seen by who looks often. */
const WALK_MS = 15_000;
const VMALLOCINFO_MS = 15 * MINUTE_MS;
/** A source may take a two-thousandth of the time: one that costs 50 ms is read every 100 s. */
const SHARE_OF_TIME = 1 / 2000;

/** What comes of a walk over the cgroups. */
type WalkSections = Pick<Extras, "v1Walk" | "containersLive" | "containersStarted" | "creators">;

const RUNTIME_DIRECTORIES = ["/run/crio/exits", "/run/libpod/exits"];
const MOST_ENTRIES = 1_000_000;
const MOST_TMPFS = 64;
const WALK_ATTEMPTS = 3;

const TMPFS_MAGIC = 0x01021994;
const CGROUP_MAGIC = 0x27e0eb;
const CGROUP2_MAGIC = 0x63677270;

/** `monotonicMs` is a clock that never jumps; `now` is the node's own. */
export function createSampler(
  config: SampleConfig,
  clock: { now: () => number; monotonicMs: () => number },
  before?: SamplerState,
): Sampler {
  const { proc, sys, root } = config.places;
  /** The last report of each source, so that each snapshot says of each source how it went last. */
  const sources: Sources = {};
  const dueAt = new Map<string, number>();
  const boot = buildBootFacts(
    {
      bootId: readSource(path.join(proc, "sys/kernel/random/boot_id")),
      osrelease: readSource(path.join(proc, "sys/kernel/osrelease")),
      smaps: firstLines(path.join(proc, "self/smaps")),
      possibleCpus: readSource(path.join(sys, "devices/system/cpu/possible")),
    },
    sources,
  );
  const unifiedStat = path.join(findUnified(sys), "cgroup.stat");
  let created = before?.created;
  let started = before?.started;
  let creators: CreatorCounter | undefined;
  const podNames = createPodNames(root);
  let knownInodes: ReadonlySet<number> = new Set();
  let noticed: Noticed | undefined;
  let containers = { containers: 0, containerDirectories: [] as readonly string[] };
  const sectionReader = createSectionReader({
    places: config.places,
    whenDue,
    sources,
    accountingOff: isAccountingOff(readSource(path.join(proc, "cmdline")).text ?? ""),
  });

  /** Runs a part when its time has come, and puts it off in proportion to what it cost. */
  function whenDue<T>(part: string, everyMs: number, read: () => T): T | undefined {
    const startedAt = clock.monotonicMs();
    // Half a second early is on time: ticks are not exact to the millisecond.
    if (startedAt < (dueAt.get(part) ?? 0) - 500) return undefined;
    const value = read();
    const costMs = clock.monotonicMs() - startedAt;
    dueAt.set(part, startedAt + Math.max(everyMs, costMs / SHARE_OF_TIME));
    return value;
  }

  function readSlab(): Extras["slab"] {
    return buildSlab(readSource(path.join(proc, "slabinfo")), boot.pageSizeBytes, sources);
  }

  /** Sizes of the tmpfs mounts among `mountinfo`, each mount point once. */
  function readTmpfs(mountinfo: SourceText): Extras["tmpfs"] {
    sources.tmpfs = reportOf(mountinfo);
    if (mountinfo.text === undefined) return undefined;
    const mounts = parseMountinfo(mountinfo.text).value.filter(({ type }) => type === "tmpfs");
    const found: NonNullable<Extras["tmpfs"]> = [];
    let denied = 0;
    for (const mount of new Set(mounts.map(({ mountPoint }) => mountPoint))) {
      try {
        const { magic, ...use } = readFileSystemUse(path.join(root, mount));
        // Something else lies here as seen from the collector: another mount on top, or a mount not passed on to it.
        if (magic === TMPFS_MAGIC) found.push({ mount: mount.slice(0, 1000), ...use });
      } catch (error) {
        if (explainFailure(error).status === "denied") denied += 1;
      }
    }
    if (denied > 0) sources.tmpfs.detail = `${denied} mounts may not be looked at`;
    return found.sort((a, b) => b.usedKib - a.usedKib).slice(0, MOST_TMPFS);
  }

  function readWatched(directory: string, asked: boolean): NonNullable<Extras["watch"]>[number] | undefined {
    const name = `watch:${directory}`.slice(0, 128);
    const startedAt = performance.now();
    try {
      const { files, atLeast } = countEntries(path.join(root, directory), MOST_ENTRIES);
      sources[name] = { status: "ok", readMs: elapsedMs(startedAt) };
      return atLeast ? { path: directory, files, atLeast } : { path: directory, files };
    } catch (error) {
      const report = explainFailure(error);
      // A runtime that is not installed is no blindness.
      if (asked || report.status !== "absent") sources[name] = report;
      else delete sources[name];
      return undefined;
    }
  }

  function readWatch(): Extras["watch"] {
    const directories = [...new Set([...config.watch, ...RUNTIME_DIRECTORIES])].slice(0, 64);
    const counts = directories.flatMap(
      (directory) =>
        // The most anxious rate that a small directory deserves; a large one slows itself down.
        whenDue(`watch:${directory}`, 0, () => readWatched(directory, config.watch.includes(directory))) ??
        [],
    );
    return counts.length > 0 ? counts : undefined;
  }

  /** Walks the memory hierarchy, or the unified one where the controller is not on v1. */
  function readCgroupTree(v1: boolean): WalkSections {
    const hierarchy = findHierarchy(sys, v1);
    if (hierarchy === undefined) {
      sources["cgroup-walk"] = { status: "absent" };
      return {};
    }
    const section: WalkSections = {};
    let walk: CgroupWalk;
    try {
      const counted = v1
        ? walkV1(hierarchy)
        : { walk: walkCgroups(hierarchy, knownInodes), dying: undefined };
      walk = counted.walk;
      if (counted.dying !== undefined) section.v1Walk = { live: walk.live, dying: counted.dying };
      sources["cgroup-walk"] = { status: "ok", readMs: Math.round(walk.costMs * 1000) / 1000 };
      if (walk.denied > 0) {
        sources["cgroup-walk"].detail = `${walk.denied} directories may not be looked into`;
      } else if (v1 && counted.dying === undefined) {
        sources["cgroup-walk"].detail = "cgroups came and went during each walk: dying is left out";
      }
    } catch (error) {
      sources["cgroup-walk"] = explainFailure(error);
      return {};
    }
    section.containersLive = walk.containers;
    containers = walk;
    const started = countStarted(walk, hierarchy);
    if (started !== undefined) section.containersStarted = started;
    if (boot.bootId !== undefined) {
      creators ??= createCreatorCounter({ bootId: boot.bootId, hierarchy }, podNames, before?.creators);
      creators.take({ ...walk, created: started });
      section.creators = creators.section();
    }
    return section;
  }

  /** Walks again while the kernel's count does not hold still. */
  function walkV1(hierarchy: string): { walk: CgroupWalk; dying: number | undefined } {
    let walk: CgroupWalk;
    for (let attempt = 1; ; attempt += 1) {
      const before = readV1MemoryCount(readSource(path.join(proc, "cgroups")));
      walk = walkCgroups(hierarchy, knownInodes);
      const after = readV1MemoryCount(readSource(path.join(proc, "cgroups")));
      const dying = countDying({ before, after, live: walk.live, denied: walk.denied });
      if (dying !== undefined || attempt >= WALK_ATTEMPTS || walk.costMs > 50) return { walk, dying };
    }
  }

  function countStarted(walk: CgroupWalk, hierarchy: string): number | undefined {
    if (boot.bootId === undefined || boot.kernelRelease === undefined) return undefined;
    created = advanceCreated(created, walk, { bootId: boot.bootId, hierarchy }, knownInodes);
    knownInodes = new Set(walk.inodes);
    if (created === undefined) {
      sources["cgroups-created"] = { status: "absent", detail: "no cgroup below the root" };
      return undefined;
    }
    const count = readCreated(created, walk, boot.kernelRelease);
    if ("reason" in count) {
      sources["cgroups-created"] = { status: "absent", detail: count.reason };
      return undefined;
    }
    sources["cgroups-created"] = {
      status: "ok",
      detail: `all cgroups made in ${hierarchy}, a lower bound, from inode numbers at ${created.numbersPerCgroup} each`,
    };
    return count.created;
  }

  /** By the best source there is. The count over cgroups only comes with a walk; the others' with every sample. */
  function countContainers(told: readonly StartedReading[], cgroups: number | undefined): number | undefined {
    const ofCgroups = sources["cgroups-created"]?.detail ?? "";
    const counted = advanceStarted(started, boot.bootId ?? "", [
      ...told,
      ...(cgroups === undefined ? [] : [{ source: "cgroups", count: cgroups, detail: ofCgroups }]),
    ]);
    if (counted === undefined) {
      if (sources["cgroups-created"]?.status !== "ok") delete sources["containers-started"];
      return undefined;
    }
    started = counted.state;
    sources["containers-started"] = { status: "ok", detail: counted.reading.detail.slice(0, 300) };
    return counted.state.total;
  }

  return {
    state: () => ({ created, creators: creators?.state() ?? before?.creators, started }),
    sample: (own) => {
      const at = new Date(clock.now());
      // These three are one picture: nothing may come between them.
      const meminfo = readSource(path.join(proc, "meminfo"));
      const zoneinfo = readSource(path.join(proc, "zoneinfo"));
      const vmstat = readSource(path.join(proc, "vmstat"));
      const texts: FrequentTexts = {
        meminfo,
        zoneinfo,
        vmstat,
        stat: readSource(path.join(proc, "stat")),
        uptime: readSource(path.join(proc, "uptime")),
        cgroups: readSource(path.join(proc, "cgroups")),
        cgroupStat: readSource(unifiedStat),
      };
      const v1 = readV1MemoryCount(texts.cgroups) !== undefined;
      const ofWalk = whenDue("cgroup-walk", WALK_MS, () => readCgroupTree(v1));
      const { sections, mountinfo } = sectionReader.read({
        directory: findHierarchy(sys, v1),
        v1,
        ...containers,
      });
      const extras: Extras = {
        slab: whenDue("slabinfo", MINUTE_MS, readSlab),
        tmpfs: mountinfo && readTmpfs(mountinfo),
        watch: readWatch(),
        ...ofWalk,
        ...sections,
        ...whenDue("vmallocinfo", VMALLOCINFO_MS, () =>
          buildVmalloc(readSource(path.join(proc, "vmallocinfo")), boot.pageSizeBytes, sources),
        ),
        self: own.self,
      };
      const count = countContainers(own.started ?? [], extras.containersStarted);
      if (count !== undefined) extras.containersStarted = count;
      const happened = own.look?.(at.getTime());
      for (const [name, report] of Object.entries(happened?.sources ?? {})) sources[name] = report;
      const identity = { node: config.node, labels: config.labels, versions: own.versions };
      const snapshot = buildSnapshot(at, identity, boot, texts, extras, sources);
      const counted = noticeEvents(noticed, snapshot?.vmstat, at, happened?.oomKills);
      noticed = counted.noticed;
      const events = [...counted.list, ...(happened?.events ?? [])];
      if (snapshot !== undefined && events.length > 0) snapshot.events = events;
      if (snapshot !== undefined && happened !== undefined) snapshot.counts = happened.counts;
      return { snapshot, sources, urgent: events.length > 0 };
    },
  };
}

/** The first mapping of a process tells the page size; the hundreds after it are not read. */
function firstLines(file: string) {
  const source = readSource(file, 8192);
  return source.status === "truncated"
    ? { ...source, status: "ok" as const, detail: "first lines only" }
    : source;
}

/** The unified hierarchy: at the top, or beside the v1 ones on a hybrid machine. */
function findUnified(sys: string): string {
  const top = path.join(sys, "fs/cgroup");
  const beside = path.join(top, "unified");
  return hasMagic(beside, CGROUP2_MAGIC) || !isReadable(path.join(top, "cgroup.stat")) ? beside : top;
}

function findHierarchy(sys: string, v1: boolean): string | undefined {
  if (v1) {
    const memory = path.join(sys, "fs/cgroup/memory");
    return hasMagic(memory, CGROUP_MAGIC) ? memory : undefined;
  }
  const unified = findUnified(sys);
  return hasMagic(unified, CGROUP2_MAGIC) ? unified : undefined;
}

function hasMagic(directory: string, magic: number): boolean {
  try {
    return readFileSystemUse(directory).magic === magic;
  } catch {
    return false;
  }
}

function isReadable(file: string): boolean {
  return readSource(file, 4096).status !== "absent";
}

function isAccountingOff(cmdline: string): boolean {
  return parseCmdline(cmdline)
    .value.valuesOf("cgroup.memory")
    .some((value) => value?.split(",").includes("nokmem"));
}
