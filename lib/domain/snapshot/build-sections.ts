import { parseAllocinfo } from "#lib/domain/procfs/allocinfo.ts";
import { parseArcstats } from "#lib/domain/procfs/arcstats.ts";
import { parseBuddyinfo } from "#lib/domain/procfs/buddyinfo.ts";
import { parseDentryState } from "#lib/domain/procfs/dentry-state.ts";
import { parseFileNr } from "#lib/domain/procfs/file-nr.ts";
import { parseInodeNr } from "#lib/domain/procfs/inode-nr.ts";
import { parseKeyUsers } from "#lib/domain/procfs/key-users.ts";
import { parseMmStat } from "#lib/domain/procfs/mm-stat.ts";
import { parseModules } from "#lib/domain/procfs/modules.ts";
import { parseMountinfo, type Mount } from "#lib/domain/procfs/mountinfo.ts";
import { parseSingleNumber } from "#lib/domain/procfs/number-line.ts";
import type { Parsed } from "#lib/domain/procfs/parse-error.ts";
import { parsePressure } from "#lib/domain/procfs/pressure.ts";
import { parseProtocols } from "#lib/domain/procfs/protocols.ts";
import { parseSockstat } from "#lib/domain/procfs/sockstat.ts";
import { parseTcpMem } from "#lib/domain/procfs/tcp-mem.ts";
import {
  PERCPU_CALLER,
  UNPURGED_AREA,
  sumByCaller,
  type Vmallocinfo,
} from "#lib/domain/procfs/vmallocinfo.ts";
import type { SnapshotInput } from "./schema.ts";
import { SECTION_LIMITS, type sourceSections } from "./source-sections.ts";
import { takeSource, type Sources, type SourceText } from "./take-source.ts";

/** The sections that tell what holds memory in the kernel; each is there when its source was read. */
export type SourceSections = Pick<SnapshotInput, keyof typeof sourceSections>;

/**
 * Files that make a section by themselves, under the name that their source has in a snapshot. Those of the network are of the
 * first process: /proc/net shows the namespace of whoever reads it.
 */
export const SECTION_FILES = {
  pressure: "/proc/pressure/memory",
  "file-nr": "/proc/sys/fs/file-nr",
  "inode-nr": "/proc/sys/fs/inode-nr",
  "dentry-state": "/proc/sys/fs/dentry-state",
  "key-users": "/proc/key-users",
  sockstat: "/proc/1/net/sockstat",
  sockstat6: "/proc/1/net/sockstat6",
  nf_conntrack_count: "/proc/sys/net/netfilter/nf_conntrack_count",
  nf_conntrack_max: "/proc/sys/net/netfilter/nf_conntrack_max",
  tcp_mem: "/proc/sys/net/ipv4/tcp_mem",
  protocols: "/proc/1/net/protocols",
  buddyinfo: "/proc/buddyinfo",
  mountinfo: "/proc/1/mountinfo",
  arcstats: "/proc/spl/kstat/zfs/arcstats",
  modules: "/proc/modules",
  allocinfo: "/proc/allocinfo",
} as const;

export type SectionFile = keyof typeof SECTION_FILES;

/** How often a file is worth reading. */
export const SECTION_CADENCE = {
  sample: [
    "pressure",
    "file-nr",
    "inode-nr",
    "dentry-state",
    "key-users",
    "sockstat",
    "sockstat6",
    "nf_conntrack_count",
    "nf_conntrack_max",
  ],
  minute: ["tcp_mem", "protocols", "buddyinfo", "mountinfo", "arcstats"],
  quarterHour: ["modules", "allocinfo"],
} as const satisfies Record<string, readonly SectionFile[]>;

/** Texts of those files that were read this time. A file that is not here was not due. */
export type SectionTexts = Partial<Record<SectionFile, SourceText>>;

/** Makes the sections of the files that were read, and notes in `sources` how each went. */
export function buildSections(texts: SectionTexts, sources: Sources): SourceSections {
  const take = <T, U>(
    name: SectionFile,
    parse: (text: string) => Parsed<T>,
    pick: (value: T) => U | undefined,
  ): U | undefined => {
    const source = texts[name];
    return source && takeSource(sources, name, source, parse, pick);
  };
  const isThere = <T>(value: T) => value;
  const notEmpty = <T extends { length: number }>(value: T) => (value.length > 0 ? value : undefined);

  const fileNr = take("file-nr", parseFileNr, isThere);
  const inodeNr = take("inode-nr", parseInodeNr, isThere);
  const dentryState = take("dentry-state", parseDentryState, isThere);
  const conntrackCount = take("nf_conntrack_count", singleNumber("nf_conntrack_count"), isThere);
  const conntrackMax = take("nf_conntrack_max", singleNumber("nf_conntrack_max"), isThere);
  const mounts = take("mountinfo", parseMountinfo, notEmpty);
  const sockets = ["sockstat", "sockstat6"] as const;
  const sockstat = Object.fromEntries(
    sockets.flatMap((name) => [
      ...(take(name, parseSockstat, (value) => (value.size > 0 ? value : undefined)) ?? []),
    ]),
  ) as Record<string, ReadonlyMap<string, number>>;

  return withoutUndefined({
    pressure: take("pressure", parsePressure, ({ some, full }) =>
      some === undefined && full === undefined
        ? undefined
        : { memory: { ...(some && { some }), ...(full && { full }) } },
    ),
    fs:
      (fileNr ?? inodeNr ?? dentryState)
        ? withoutUndefined({
            fileNr,
            inodeNr: inodeNr && { nr_inodes: inodeNr.inodes, nr_free_inodes: inodeNr.freeInodes },
            dentryState:
              dentryState &&
              withoutUndefined({
                nr_dentry: dentryState.dentries,
                nr_unused: dentryState.unused,
                nr_negative: dentryState.negative,
              }),
          })
        : undefined,
    keyUsers: take("key-users", parseKeyUsers, (users) =>
      users.length === 0
        ? undefined
        : {
            nkeys: users.reduce((sum, { nkeys }) => sum + nkeys, 0),
            users: [...users]
              .sort((a, b) => b.nkeys - a.nkeys || a.uid - b.uid)
              .slice(0, SECTION_LIMITS.keyUsers)
              .map(({ usage: _usage, ...user }) => user),
          },
    ),
    sockstat:
      Object.keys(sockstat).length === 0
        ? undefined
        : Object.fromEntries(
            Object.entries(sockstat)
              .slice(0, 32)
              .map(([protocol, counters]) => [protocol, Object.fromEntries([...counters].slice(0, 32))]),
          ),
    conntrack:
      conntrackCount === undefined
        ? undefined
        : withoutUndefined({ count: conntrackCount, max: conntrackMax }),
    tcpMem: take("tcp_mem", parseTcpMem, isThere),
    protocols: take("protocols", parseProtocols, (protocols) =>
      protocols.length === 0
        ? undefined
        : protocols
            // Of UNIX sockets none is a number too: both kinds are drawn.
            .filter(
              ({ protocol, sockets: open, memoryPages = 0 }) =>
                open > 0 || memoryPages > 0 || protocol.startsWith("UNIX"),
            )
            .slice(0, SECTION_LIMITS.protocols)
            .map(withoutUndefined),
    ),
    buddyinfo: take("buddyinfo", parseBuddyinfo, (zones) =>
      zones.length === 0
        ? undefined
        : zones
            .slice(0, SECTION_LIMITS.buddyZones)
            .map((zone) => ({ ...zone, freeBlocks: [...zone.freeBlocks] })),
    ),
    mounts: mounts && buildMounts(mounts),
    netns: mounts && {
      mounted: new Set(mounts.flatMap(({ root }) => (root.startsWith("net:[") ? [root] : []))).size,
    },
    zfsArc: take("arcstats", parseArcstats, (values) => {
      const sizeBytes = values.get("size");
      return sizeBytes === undefined
        ? undefined
        : withoutUndefined({
            sizeBytes,
            minBytes: values.get("c_min"),
            maxBytes: values.get("c_max"),
          });
    }),
    modules: take("modules", parseModules, (modules) =>
      modules.slice(0, SECTION_LIMITS.modules).map(withoutUndefined),
    ),
    allocinfo: take("allocinfo", parseAllocinfo, (sites) =>
      sites.length === 0
        ? undefined
        : {
            bytes: sites.reduce((sum, { bytes }) => sum + bytes, 0),
            sites: [...sites]
              .sort((a, b) => b.bytes - a.bytes || b.calls - a.calls)
              .slice(0, SECTION_LIMITS.allocationSites),
          },
    ),
  });
}

/** Who holds memory in vmalloc space. Without a page size only address space is told: vmallocinfo counts pages. */
export function buildVmallocSection(
  info: Vmallocinfo,
  pageSizeBytes: number | undefined,
): NonNullable<SourceSections["vmalloc"]> {
  const inKib = (pages: number | undefined) =>
    pages === undefined || pageSizeBytes === undefined ? undefined : pages * (pageSizeBytes / 1024);
  const callers = sumByCaller(info);
  const pages = callers.flatMap((each) => each.pages ?? []);
  const percpu = callers.find(({ caller }) => caller === PERCPU_CALLER);
  return withoutUndefined({
    areas: info.areas.filter(({ caller }) => caller !== UNPURGED_AREA).length,
    usedKib: inKib(pages.length === 0 ? undefined : pages.reduce((sum, each) => sum + each, 0)),
    pcpuKib: Math.round((percpu?.sizeBytes ?? 0) / 1024),
    callers: callers.slice(0, SECTION_LIMITS.vmallocCallers).map((each) =>
      withoutUndefined({
        caller: each.caller.slice(0, 200),
        module: each.module,
        areas: each.areas,
        usedKib: inKib(each.pages),
        sizeKib: Math.round(each.sizeBytes / 1024),
      }),
    ),
  });
}

/** Compressed RAM disks, from the text of each one's mm_stat. */
export function buildZram(disks: ReadonlyMap<string, SourceText>, sources: Sources): SourceSections["zram"] {
  const unread = [...disks.values()].find(({ status }) => status !== "ok");
  sources.zram = { status: disks.size === 0 ? "absent" : (unread?.status ?? "ok") };
  const found = [...disks].flatMap(([device, { text }]) => {
    const use = text === undefined ? undefined : parseMmStat(text, `/sys/block/${device}/mm_stat`).value;
    return use === undefined ? [] : [{ device, ...use }];
  });
  return found.length === 0 ? undefined : found.slice(0, SECTION_LIMITS.zramDevices);
}

/** Of one pool of huge pages: the texts of nr_, free_, resv_ and surplus_hugepages. */
export type HugepageTexts = Record<"nr" | "free" | "resv" | "surplus", SourceText>;

/** Pools of huge pages by the size of a page in KiB. */
export function buildHugepages(
  pools: ReadonlyMap<number, HugepageTexts>,
  sources: Sources,
): SourceSections["hugepages"] {
  sources.hugepages = { status: pools.size === 0 ? "absent" : "ok" };
  const found = [...pools]
    .sort(([a], [b]) => a - b)
    .flatMap(([sizeKib, texts]) => {
      const [nr, free, resv, surplus] = [texts.nr, texts.free, texts.resv, texts.surplus].map(
        ({ text }) => text && parseSingleNumber(text, "hugepages").value,
      );
      return typeof nr === "number" &&
        typeof free === "number" &&
        typeof resv === "number" &&
        typeof surplus === "number"
        ? [{ sizeKib, nr, free, resv, surplus }]
        : [];
    });
  return found.length === 0 ? undefined : found.slice(0, SECTION_LIMITS.hugepagePools);
}

/** Groups the names of slab caches by the cache that their symbolic links in /sys/kernel/slab lead to. */
export function buildSlabNames(
  links: readonly { name: string; target: string }[],
): NonNullable<SourceSections["slabNames"]> {
  const groups = new Map<string, string[]>();
  let memcgChildCaches = 0;
  for (const { name, target } of links) {
    // `dentry(42:kubepods)`: a clone for one memory cgroup.
    if (/\(\d+:/.test(name)) {
      memcgChildCaches += 1;
      continue;
    }
    if (name === "" || name.length > 200 || !name.isWellFormed() || /\p{Cc}/u.test(name)) continue;
    const group = groups.get(target);
    if (group) group.push(name);
    else groups.set(target, [name]);
  }
  return {
    merged: [...groups.values()]
      .filter((names) => names.length > 1)
      .slice(0, SECTION_LIMITS.mergedSlabNames)
      .map((names) => names.sort().slice(0, 500)),
    memcgChildCaches,
  };
}

function buildMounts(mounts: readonly Mount[]): NonNullable<SourceSections["mounts"]> {
  const byType = new Map<string, number>();
  const byPoint = new Map<string, number>();
  for (const { mountPoint, type } of mounts) {
    byType.set(type, (byType.get(type) ?? 0) + 1);
    byPoint.set(mountPoint, (byPoint.get(mountPoint) ?? 0) + 1);
  }
  return {
    total: mounts.length,
    stacked: [...byPoint.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0),
    byType: Object.fromEntries(
      [...byType].sort(([, a], [, b]) => b - a).slice(0, SECTION_LIMITS.fileSystemTypes),
    ),
  };
}

function singleNumber(name: "nf_conntrack_count" | "nf_conntrack_max") {
  return (text: string) => parseSingleNumber(text, SECTION_FILES[name]);
}

type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** A copy without the members that are undefined: absent on the wire is left out. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
