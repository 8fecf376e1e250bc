import path from "node:path";
import { parseLoadavg } from "#lib/domain/procfs/loadavg.ts";
import { parseMemoryStat } from "#lib/domain/procfs/memory-stat.ts";
import { parseMountinfo, type Mount } from "#lib/domain/procfs/mountinfo.ts";
import { parseSingleNumber } from "#lib/domain/procfs/number-line.ts";
import {
  buildHugepages,
  buildSections,
  buildSlabNames,
  buildZram,
  SECTION_CADENCE,
  SECTION_FILES,
  withoutUndefined,
  type HugepageTexts,
  type SectionFile,
  type SectionTexts,
  type SourceSections,
} from "#lib/domain/snapshot/build-sections.ts";
import { isKmemAccounted } from "#lib/domain/snapshot/kmem-accounting.ts";
import type { Sources, SourceText } from "#lib/domain/snapshot/take-source.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { countEmptyDirectories } from "./cgroup-directories.ts";
import { findLargestTrees } from "./cgroup-trees.ts";
import type { SampleConfig } from "./config.ts";
import { countNetworkNamespaces, countProcessStates } from "./process-states.ts";
import { elapsedMs, explainFailure, listLinks, listNames, readSource } from "./read-sources.ts";

/** How often what changes slowly, or costs much, is read. */
const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Where the memory controller is, and what the last walk over it saw. */
export interface MemoryHierarchy {
  /** Absent where it cannot be found. */
  directory: string | undefined;
  v1: boolean;
  containers: number;
  containerDirectories: readonly string[];
}

/** Runs a part when its time has come. */
export type WhenDue = <T>(part: string, everyMs: number, read: () => T) => T | undefined;

/** What came out of one round; `mounts` when they were read this time. */
export interface SectionReading {
  sections: SourceSections;
  mountinfo: SourceText | undefined;
}

/**
 * Reads the sources of the sections, each as often as its cost allows: `whenDue` holds the clock, `sources` takes how each went.
 */
export function createSectionReader({
  places: { proc, sys },
  whenDue,
  sources,
  accountingOff,
}: {
  places: SampleConfig["places"];
  whenDue: WhenDue;
  sources: Sources;
  /** Whether the kernel was booted with `cgroup.memory=nokmem`. */
  accountingOff: boolean;
}): { read: (memory: MemoryHierarchy) => SectionReading } {
  let mounts: readonly Mount[] = [];

  /** Reads and notes how it went and how long it took; what cannot be read gives nothing. */
  function attempt<T>(name: string, read: () => T): T | undefined {
    const startedAt = performance.now();
    delete sources[name];
    try {
      const value = read();
      sources[name] = { status: "ok", ...sources[name], readMs: elapsedMs(startedAt) };
      return value;
    } catch (error) {
      sources[name] = explainFailure(error);
      return undefined;
    }
  }

  function readFiles(): SectionTexts {
    const texts: SectionTexts = {};
    for (const [cadence, everyMs] of [
      ["sample", 0],
      ["minute", MINUTE_MS],
      ["quarterHour", QUARTER_HOUR_MS],
    ] as const) {
      for (const name of SECTION_CADENCE[cadence]) {
        const text = whenDue(name, everyMs, () => readFile(name));
        if (text !== undefined) texts[name] = text;
      }
    }
    return texts;
  }

  function readFile(name: SectionFile): SourceText {
    const file = SECTION_FILES[name];
    const source = readSource(path.join(proc, file.slice("/proc".length)));
    if (source.status === "ok" || !file.startsWith("/proc/1/")) return source;
    // Another user may not look at the first process: its own view is often the same one.
    const own = readSource(path.join(proc, "self", file.slice("/proc/1".length)));
    return own.status === "ok" ? { ...own, detail: "as the collector sees it" } : source;
  }

  function readTasks(): SourceSections["tasks"] {
    const states = attempt("tasks", () => countProcessStates(proc));
    if (states === undefined) return undefined;
    if (states.processes === 0) {
      sources.tasks = { status: "absent" };
      return undefined;
    }
    const loadavg = readSource(path.join(proc, "loadavg"));
    const threads = parseLoadavg(loadavg.text ?? "").value?.threads;
    return withoutUndefined({ ...states, threads });
  }

  function readNamespaces(): number | undefined {
    const count = attempt("netns", () => countNetworkNamespaces(proc));
    if (count === undefined) return undefined;
    if (count.denied === 0 && count.inUse > 0) return count.inUse;
    sources.netns =
      count.denied > 0
        ? {
            status: "denied",
            detail: `${formatCount(count.denied, "process", "processes")} may not be asked (CAP_SYS_PTRACE)`,
          }
        : { status: "absent" };
    return undefined;
  }

  function readZram(): SourceSections["zram"] {
    const disks = namesIn(path.join(sys, "block")).filter((name) => /^zram\d+$/.test(name));
    return buildZram(
      new Map(disks.map((disk) => [disk, readSource(path.join(sys, "block", disk, "mm_stat"))])),
      sources,
    );
  }

  function readHugepages(): SourceSections["hugepages"] {
    const folder = path.join(sys, "kernel/mm/hugepages");
    const pools = new Map<number, HugepageTexts>();
    for (const name of namesIn(folder)) {
      const sizeKib = /^hugepages-(\d{1,12})kB$/.exec(name)?.[1];
      if (sizeKib === undefined) continue;
      const read = (field: string) => readSource(path.join(folder, name, `${field}_hugepages`));
      pools.set(Number(sizeKib), {
        nr: read("nr"),
        free: read("free"),
        resv: read("resv"),
        surplus: read("surplus"),
      });
    }
    return buildHugepages(pools, sources);
  }

  function readLoop(): SourceSections["loop"] {
    return attempt("loop", () => {
      const devices = listNames(path.join(sys, "block")).filter((name) => /^loop\d+$/.test(name));
      const files = devices.flatMap(
        (name) => readSource(path.join(sys, "block", name, "loop/backing_file")).text ?? [],
      );
      return {
        devices: devices.length,
        attached: files.length,
        deleted: files.filter((file) => file.trimEnd().endsWith("(deleted)")).length,
      };
    });
  }

  function readSlabNames(): SourceSections["slabNames"] {
    return attempt("slab-names", () => buildSlabNames(listLinks(path.join(sys, "kernel/slab"))));
  }

  function readKmem({ directory, v1, containers, containerDirectories }: MemoryHierarchy) {
    if (directory === undefined) return undefined;
    return attempt("kmem", (): SourceSections["kmemAccounting"] => {
      if (!v1) {
        const { kernelBytes } = parseMemoryStat(
          readSource(path.join(directory, "memory.stat")).text ?? "",
        ).value;
        return withoutUndefined({
          containers,
          accounted: accountingOff ? 0 : containers,
          usageKib: kernelBytes === undefined ? undefined : Math.round(kernelBytes / 1024),
        });
      }
      const usage = readSource(path.join(directory, "memory.kmem.usage_in_bytes"));
      const usageBytes = parseSingleNumber(usage.text ?? "", "memory.kmem.usage_in_bytes").value;
      if (usageBytes === undefined) {
        sources.kmem = { status: usage.status === "ok" ? "malformed" : usage.status };
        return undefined;
      }
      const answers = containerDirectories.flatMap((container) => {
        const own = readSource(path.join(container, "memory.kmem.usage_in_bytes"));
        const isZero = own.text?.trim() === "0";
        const slabinfo = isZero ? readSource(path.join(container, "memory.kmem.slabinfo")) : undefined;
        return isKmemAccounted(own, slabinfo) ?? [];
      });
      sources.kmem = { status: "ok" };
      if (containers > containerDirectories.length) {
        sources.kmem.detail = `${containerDirectories.length} of ${containers} containers ${containerDirectories.length === 1 ? "was" : "were"} looked at`;
      }
      return {
        containers: answers.length,
        accounted: answers.filter(Boolean).length,
        usageKib: Math.round(usageBytes / 1024),
      };
    });
  }

  function readTrees({ directory, v1 }: MemoryHierarchy): SourceSections["cgroupTrees"] {
    if (directory === undefined) {
      sources["cgroup-trees"] = { status: "absent" };
      return undefined;
    }
    const search = attempt("cgroup-trees", () => findLargestTrees(directory, v1));
    if (search?.isCut === true && sources["cgroup-trees"]) {
      sources["cgroup-trees"].detail = "not every cgroup was looked at: there may be larger ones";
    }
    return search?.trees;
  }

  /** The memory hierarchy, the unified one, and those of v1 that have a name and no controllers. */
  function readDirectories({ directory, v1 }: MemoryHierarchy): SourceSections["cgroupDirectories"] {
    const roots = new Map<string, string>();
    if (directory !== undefined) roots.set(directory, v1 ? "memory" : "unified");
    for (const { mountPoint, type, superOptions } of mounts) {
      const name = /(?:^|,)name=([\w.-]{1,64})(?:,|$)/.exec(superOptions)?.[1];
      const hierarchy = type === "cgroup2" ? "unified" : type === "cgroup" ? name : undefined;
      if (hierarchy === undefined || !mountPoint.startsWith("/sys/")) continue;
      roots.set(path.join(sys, mountPoint.slice("/sys".length)), hierarchy);
    }
    if (roots.size === 0) {
      sources["cgroup-directories"] = { status: "absent" };
      return undefined;
    }
    const cut: string[] = [];
    const found = attempt("cgroup-directories", () =>
      [...roots].slice(0, 16).map(([root, hierarchy]) => {
        const { isCut, ...count } = countEmptyDirectories(root, hierarchy);
        if (isCut) cut.push(hierarchy);
        return count;
      }),
    );
    if (cut.length > 0 && sources["cgroup-directories"]) {
      sources["cgroup-directories"].detail =
        `only the first 20,000 directories were looked at: ${cut.join(", ")}`;
    }
    return found;
  }

  return {
    read: (memory) => {
      const texts = readFiles();
      const ofFiles = buildSections(texts, sources);
      if (texts.mountinfo !== undefined) mounts = parseMountinfo(texts.mountinfo.text ?? "").value;
      const inUse = whenDue("netns", FIVE_MINUTES_MS, readNamespaces);
      const netns = { ...ofFiles.netns, ...(inUse !== undefined && { inUse }) };
      return {
        mountinfo: texts.mountinfo,
        sections: withoutUndefined({
          ...ofFiles,
          netns: Object.keys(netns).length > 0 ? netns : undefined,
          tasks: whenDue("tasks", MINUTE_MS, readTasks),
          zram: whenDue("zram", MINUTE_MS, readZram),
          hugepages: whenDue("hugepages", MINUTE_MS, readHugepages),
          loop: whenDue("loop", FIVE_MINUTES_MS, readLoop),
          kmemAccounting: whenDue("kmem", FIVE_MINUTES_MS, () => readKmem(memory)),
          cgroupTrees: whenDue("cgroup-trees", FIVE_MINUTES_MS, () => readTrees(memory)),
          cgroupDirectories: whenDue("cgroup-directories", QUARTER_HOUR_MS, () => readDirectories(memory)),
          slabNames: whenDue("slab-names", HOUR_MS, readSlabNames),
        }),
      };
    },
  };
}

function namesIn(directory: string): string[] {
  try {
    return listNames(directory);
  } catch {
    // Not there, or closed: whoever asks finds nothing and says so.
    return [];
  }
}
