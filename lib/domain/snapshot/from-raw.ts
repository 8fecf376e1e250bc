import { parseFlatCounters } from "#lib/domain/procfs/flat-counters.ts";
import { scanLines } from "#lib/domain/procfs/scan-lines.ts";
import {
  buildHugepages,
  buildSections,
  buildZram,
  SECTION_FILES,
  type HugepageTexts,
  type SectionFile,
  type SectionTexts,
} from "./build-sections.ts";
import {
  buildBootFacts,
  buildSlab,
  buildSnapshot,
  buildVmalloc,
  countDying,
  readV1MemoryCount,
  type Extras,
} from "./from-proc.ts";
import { readOwnSections } from "./own-sections.ts";
import { explainMessage, type RawSample } from "./raw-text.ts";
import type { SourceReport, Sources, SourceText } from "./take-source.ts";
import { parseOsRelease, parseVersionOutput } from "./version-texts.ts";
import { SNAPSHOT_LIMITS, sourceStatus, type SnapshotInput } from "./schema.ts";

/** Files that are read, under the name that their source has in a snapshot. */
const FILES = {
  ...SECTION_FILES,
  meminfo: "/proc/meminfo",
  zoneinfo: "/proc/zoneinfo",
  vmstat: "/proc/vmstat",
  stat: "/proc/stat",
  uptime: "/proc/uptime",
  cgroups: "/proc/cgroups",
  "cgroup.stat": "/sys/fs/cgroup/cgroup.stat",
  boot_id: "/proc/sys/kernel/random/boot_id",
  osrelease: "/proc/sys/kernel/osrelease",
  version: "/proc/version",
  smaps: "/proc/self/smaps",
  possible: "/sys/devices/system/cpu/possible",
  slabinfo: "/proc/slabinfo",
  vmallocinfo: "/proc/vmallocinfo",
} as const;

type Source = keyof typeof FILES;

/** Sources without which a snapshot means nothing; the kernel's release may also come from `version`. */
const NEEDED_SOURCES = ["meminfo", "boot_id", "uptime", "osrelease", "stat"] as const;
/** Where the unified hierarchy lies beside those of v1. */
const UNIFIED_BESIDE = "/sys/fs/cgroup/unified/cgroup.stat";
const OWN = "plumbline ";
const OWN_PARTS = new Set([
  "sources",
  "watch",
  "cgroup-walk",
  "versions",
  "processes",
  "loop",
  "slab-names",
  "tmpfs",
]);
const OS_RELEASE = "/etc/os-release";
/** Sources beside the files of which a collector may say how they went. */
const OTHER_SOURCES = new Set([
  "cgroup-walk",
  "cgroups-created",
  "tmpfs",
  "tasks",
  "loop",
  "slab-names",
  "kmem",
  "zram",
  "hugepages",
  // What the shell collector says that it does not read.
  "kmsg",
  "journal",
  "logs",
  "netns",
  "cgroup-trees",
  "cgroup-directories",
]);
const LOADAVG = "/proc/loadavg";
const MM_STAT = /\/sys\/block\/(zram\d{1,4})\/mm_stat$/;
const HUGEPAGES = /\/hugepages-(\d{1,12})kB\/(nr|free|resv|surplus)_hugepages$/;
const MOST_STRANGERS = 5;

/** What came out of one sample. */
export interface RawReading {
  /** Absent when something without which a snapshot means nothing is missing; `fault` then says what. */
  snapshot: SnapshotInput | undefined;
  fault: string | undefined;
  /** What was passed over, and why. */
  warnings: string[];
}

/**
 * Makes a snapshot of kernel files as text, by the parsers and rules of the collector (`from-proc.ts`). Files are
 * recognised by the end of their path, so that `/host/proc/meminfo` and `fixture/proc/meminfo` are meminfo. Total on any sample.
 *
 * Beside files a sample may hold parts of a collector's own:
 *
 * - `plumbline sources`: `name status` a line, for what is read less often than this sample; a reason may follow;
 * - `plumbline watch`: `N /directory` a line, its number of entries; `denied` or `absent` in place of a number;
 * - `plumbline versions`: `program text` a line, the text being the first line that `program --version` printed;
 * - `plumbline cgroup-walk`: `live`, `denied`, `containers`, and the kernel's count `before` and `after`, each with a number; on v1
 *   also `kmem-containers` and `kmem-accounted`, and `kmem-bytes` of the root;
 * - `plumbline processes`: `N LETTER` a line, the number of processes in a state;
 * - `plumbline loop`: `devices`, `attached`, `deleted`, each with a number;
 * - `plumbline slab-names`: `NAME -> TARGET` a line, the symbolic links of /sys/kernel/slab;
 * - `plumbline tmpfs`: `MAGIC BLOCK-SIZE BLOCKS FREE INODES FREE-INODES /mount` a line, as `stat -f -c '%t %S %b %f %c %d %n'` prints it.
 *
 * @param at epoch milliseconds.
 */
export function readRawSample(sample: RawSample, { node, at }: { node: string; at: number }): RawReading {
  const { files, own, osRelease, loadavg, disks, pools, warnings } = sortParts(sample);
  const declared = readDeclared(own.get("sources"), warnings);
  const sources: Sources = {};
  const source = (name: Source): SourceText =>
    findSource(files.get(name), sample.messages, name, declared) ?? { status: "absent" };

  const boot = buildBootFacts(
    {
      bootId: source("boot_id"),
      osrelease: source("osrelease"),
      ...(files.has("version") && { version: source("version") }),
      smaps: source("smaps"),
      possibleCpus: source("possible"),
    },
    sources,
  );
  const cgroups = source("cgroups");
  const slabinfo = source("slabinfo");
  const extras: Extras = {
    slab: buildSlab(slabinfo, boot.pageSizeBytes, sources),
    ...buildVmalloc(source("vmallocinfo"), boot.pageSizeBytes, sources),
    watch: readWatch(own.get("watch"), sources, warnings),
    ...readWalk(own.get("cgroup-walk"), readV1MemoryCount(cgroups) !== undefined, sources),
    ...buildSections(sectionTexts(files, sample.messages, declared), sources),
    ...readOwnSections(own, loadavg, sources),
    ...(disks.size > 0 && { zram: buildZram(disks, sources) }),
    ...(pools.size > 0 && { hugepages: buildHugepages(wholePools(pools), sources) }),
  };
  for (const [name, report] of declared) {
    if (OTHER_SOURCES.has(name) && sources[name] === undefined) sources[name] = report;
  }
  const snapshot = buildSnapshot(
    new Date(at),
    { node, labels: {}, versions: readVersions(own.get("versions"), osRelease, warnings) },
    boot,
    {
      meminfo: source("meminfo"),
      zoneinfo: source("zoneinfo"),
      vmstat: source("vmstat"),
      stat: source("stat"),
      uptime: source("uptime"),
      cgroups,
      cgroupStat: source("cgroup.stat"),
    },
    extras,
    sources,
  );
  for (const [name, { status, detail }] of Object.entries(sources)) {
    if (status === "malformed" || detail?.includes(": expected ") === true) {
      warnings.push(`${name} ${status}${detail === undefined ? "" : `: ${detail}`}`);
    }
  }
  return {
    snapshot: snapshot && { ...snapshot, at },
    fault: snapshot === undefined ? faultOf(sources, boot.cpus) : undefined,
    warnings,
  };
}

interface SortedParts {
  files: Map<Source, string>;
  own: Map<string, string>;
  osRelease: string | undefined;
  loadavg: string | undefined;
  /** mm_stat by device. */
  disks: Map<string, SourceText>;
  /** By the size of a page in KiB. */
  pools: Map<number, Partial<HugepageTexts>>;
  warnings: string[];
}

function sortParts({ parts }: RawSample): SortedParts {
  const files = new Map<Source, string>();
  const own = new Map<string, string>();
  const warnings: string[] = [];
  const strangers: string[] = [];
  let beside: string | undefined;
  let osRelease: string | undefined;
  let loadavg: string | undefined;
  const disks: SortedParts["disks"] = new Map();
  const pools: SortedParts["pools"] = new Map();
  for (const { name, text } of parts) {
    const ownName = name.startsWith(OWN) ? name.slice(OWN.length) : undefined;
    const file = ownName === undefined ? fileOf(name) : undefined;
    if (ownName !== undefined && OWN_PARTS.has(ownName)) {
      if (!own.has(ownName)) own.set(ownName, text);
    } else if (file !== undefined) {
      if (files.has(file)) warnings.push(`${FILES[file]} stands twice; the first counts`);
      else files.set(file, text);
    } else if (name.endsWith(UNIFIED_BESIDE)) {
      beside ??= text;
    } else if (name.endsWith(OS_RELEASE)) {
      osRelease ??= text;
    } else if (`/${name}`.endsWith(LOADAVG)) {
      loadavg ??= text;
    } else if (MM_STAT.test(name)) {
      disks.set(MM_STAT.exec(name)?.[1] ?? "", { status: "ok", text });
    } else if (HUGEPAGES.test(name)) {
      const [, sizeKib, field] = HUGEPAGES.exec(name) ?? [];
      pools.set(Number(sizeKib), { ...pools.get(Number(sizeKib)), [field ?? ""]: { status: "ok", text } });
    } else strangers.push(name.slice(0, 100));
  }
  if (beside !== undefined && !files.has("cgroup.stat")) files.set("cgroup.stat", beside);
  if (strangers.length > 0) {
    const more = strangers.length > MOST_STRANGERS ? `, and ${strangers.length - MOST_STRANGERS} more` : "";
    warnings.push(`not read here: ${strangers.slice(0, MOST_STRANGERS).join(", ")}${more}`);
  }
  return { files, own, osRelease, loadavg, disks, pools, warnings: warnings.slice(0, 20) };
}

const FIRST_PROCESS = "/proc/1/";

function fileOf(name: string): Source | undefined {
  const path = `/${name}`;
  for (const [file, known] of Object.entries(FILES) as [Source, string][]) {
    // `tail` in /proc itself names files without their folder.
    if (path.endsWith(known) || known === `/proc${path}`) return file;
    // Of the reader's own namespace, which is the first process's unless it runs in a container.
    if (known.startsWith(FIRST_PROCESS) && path.endsWith(`/proc${known.slice(FIRST_PROCESS.length - 1)}`))
      return file;
    if (known.startsWith(FIRST_PROCESS) && path.endsWith(`/self${known.slice(FIRST_PROCESS.length - 1)}`))
      return file;
  }
  return undefined;
}

function findSource(
  text: string | undefined,
  messages: readonly string[],
  name: Source,
  declared: ReadonlyMap<string, SourceReport>,
): SourceText | undefined {
  if (text !== undefined && text.trim() !== "") return { status: "ok", text };
  const path = name === "cgroup.stat" ? "/cgroup.stat" : FILES[name];
  const message = messages.find((each) => new RegExp(`${escape(path)}(?![\\w./-])`).test(each));
  if (message !== undefined) {
    const status = explainMessage(message);
    return status === "malformed" ? { status, detail: message.slice(0, 300) } : { status };
  }
  // Printed and empty: there, and nothing in it.
  if (text !== undefined) return { status: "malformed", detail: `${FILES[name]} is empty` };
  return declared.get(name);
}

function escape(path: string): string {
  return path.replace(/[.]/g, "\\$&");
}

function readDeclared(text: string | undefined, warnings: string[]): Map<string, SourceReport> {
  const declared = new Map<string, SourceReport>();
  for (const line of scanLines(text ?? "")) {
    if (line.text.trim() === "") continue;
    const [name = "", word, ...reason] = line.text.trim().split(" ");
    const status = sourceStatus.safeParse(word);
    if (status.success && (name in FILES || OTHER_SOURCES.has(name))) {
      const detail = reason
        .join(" ")
        .replace(/\p{Cc}/gu, "?")
        .slice(0, 300)
        .toWellFormed();
      declared.set(name, { status: status.data, ...(detail !== "" && { detail }) });
    } else if (warnings.length < 20) {
      warnings.push(`plumbline sources line ${line.lineNumber}: expected a source and its status`);
    }
  }
  return declared;
}

/** Texts of the section files that are there, or of which it is said why not: one that nobody speaks of was not asked for. */
function sectionTexts(
  files: ReadonlyMap<Source, string>,
  messages: readonly string[],
  declared: ReadonlyMap<string, SourceReport>,
): SectionTexts {
  return Object.fromEntries(
    (Object.keys(SECTION_FILES) as SectionFile[]).flatMap((name) => {
      const source = findSource(files.get(name), messages, name, declared);
      return source === undefined ? [] : [[name, source]];
    }),
  );
}

function wholePools(pools: SortedParts["pools"]): Map<number, HugepageTexts> {
  const missing: SourceText = { status: "absent" };
  return new Map(
    [...pools].map(([sizeKib, texts]) => [
      sizeKib,
      { nr: missing, free: missing, resv: missing, surplus: missing, ...texts },
    ]),
  );
}

const VERSION_LINE = /^([a-z][a-z0-9-]{0,30}) (\P{Cc}{1,300})$/u;
const MOST_VERSIONS = 32;

/** Versions by program; of the collector itself what it says, and of the system its name. */
function readVersions(
  text: string | undefined,
  osRelease: string | undefined,
  warnings: string[],
): Record<string, string> {
  const versions = new Map<string, string>();
  for (const line of scanLines(text ?? "")) {
    if (line.text.trim() === "") continue;
    const [, program, said = ""] = VERSION_LINE.exec(line.text) ?? [];
    const version = program === "collector" ? said.slice(0, 64) : parseVersionOutput(said);
    if (program !== undefined && version?.isWellFormed() === true && versions.size < MOST_VERSIONS) {
      versions.set(program, version);
    } else if (warnings.length < 20) {
      warnings.push(`plumbline versions line ${line.lineNumber}: expected a program and its version`);
    }
  }
  const os = osRelease === undefined ? undefined : parseOsRelease(osRelease);
  if (os !== undefined && os.isWellFormed() && !/\p{Cc}/u.test(os)) versions.set("os", os);
  return Object.fromEntries(versions);
}

/** Names of paths hold no control characters here; the database could not keep NUL, nor a page show the others. */
const WATCH_LINE = /^ *(\d{1,15}|denied|absent) (\/[^\p{Cc}]{0,999})$/u;

function readWatch(text: string | undefined, sources: Sources, warnings: string[]): Extras["watch"] {
  const counts = new Map<string, number>();
  for (const line of scanLines(text ?? "")) {
    if (line.text.trim() === "") continue;
    const [, count = "", path = ""] = WATCH_LINE.exec(line.text) ?? [];
    if (path === "" || !path.isWellFormed()) {
      if (warnings.length < 20) {
        warnings.push(
          `plumbline watch line ${line.lineNumber}: expected a number of entries and a directory`,
        );
      }
      continue;
    }
    if (counts.size >= SNAPSHOT_LIMITS.watchedDirectories || counts.has(path)) continue;
    const name = `watch:${path}`.slice(0, 128);
    if (count === "denied" || count === "absent") sources[name.toWellFormed()] = { status: count };
    else {
      sources[name.toWellFormed()] = { status: "ok" };
      counts.set(path, Number(count));
    }
  }
  return counts.size === 0 ? undefined : [...counts].map(([path, files]) => ({ path, files }));
}

function readWalk(
  text: string | undefined,
  v1: boolean,
  sources: Sources,
): Pick<Extras, "v1Walk" | "containersLive"> {
  if (text === undefined) return {};
  const { value, warnings } = parseFlatCounters(text, "plumbline cgroup-walk");
  const [first] = warnings;
  const live = value.get("live");
  if (live === undefined || live === 0) {
    const expected = first === undefined ? "`live N`" : first.expected;
    sources["cgroup-walk"] = { status: "malformed", detail: `plumbline cgroup-walk: expected ${expected}` };
    return {};
  }
  const denied = value.get("denied") ?? 0;
  const dying = v1
    ? countDying({ before: value.get("before"), after: value.get("after"), live, denied })
    : undefined;
  sources["cgroup-walk"] = { status: "ok" };
  if (denied > 0) sources["cgroup-walk"].detail = `${denied} directories may not be looked into`;
  else if (v1 && dying === undefined) {
    sources["cgroup-walk"].detail = "cgroups came and went during the walk: dying is left out";
  }
  return {
    ...(dying !== undefined && { v1Walk: { live, dying } }),
    containersLive: value.get("containers"),
  };
}

function faultOf(sources: Sources, cpus: number | undefined): string {
  const missing = NEEDED_SOURCES.filter((name) => {
    if (name === "osrelease" && sources.version?.status === "ok") return false;
    if (name === "stat" && cpus !== undefined) return false;
    return sources[name]?.status !== "ok";
  }).map((name) => {
    const { status = "absent", detail } = sources[name] ?? {};
    return `${FILES[name]} (${status}${detail === undefined ? "" : `, ${detail}`})`;
  });
  return `a snapshot needs ${missing.join(", ")}`.slice(0, 500);
}
