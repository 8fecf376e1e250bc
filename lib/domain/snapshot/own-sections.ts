import { parseFlatCounters } from "#lib/domain/procfs/flat-counters.ts";
import { parseLoadavg } from "#lib/domain/procfs/loadavg.ts";
import { scanLines } from "#lib/domain/procfs/scan-lines.ts";
import { buildSlabNames, withoutUndefined, type SourceSections } from "./build-sections.ts";
import { SNAPSHOT_LIMITS, type SnapshotInput } from "./schema.ts";
import type { Sources } from "./take-source.ts";

const STATE_LINE = /^ *(\d{1,10}) ([A-Za-z])$/;
const LINK_LINE = /^(\S{1,200}) -> (\S{1,200})$/;
const MOST_LINKS = 10_000;
const TMPFS_LINE = /^(1021994) (\d{1,12}) (\d{1,15}) (\d{1,15}) (\d{1,15}) (\d{1,15}) (\/[^\p{Cc}]{0,999})$/u;
/** `stat` tells the number of blocks of a tmpfs without a limit as 0. */
const KIB = 1024;

/**
 * Sections of what a collector in shell counted or listed itself, by the name of its part (`from-raw.ts` describes them). Total:
 * lines of another form are passed over, and a part without any line that can be used is `malformed` in `sources`.
 *
 * @param loadavg text of /proc/loadavg, for the number of threads.
 */
export function readOwnSections(
  own: ReadonlyMap<string, string>,
  loadavg: string | undefined,
  sources: Sources,
): SourceSections & Pick<SnapshotInput, "tmpfs"> {
  const matches = (part: string, pattern: RegExp, most: number) =>
    [...scanLines(own.get(part) ?? "")].slice(0, most).flatMap(({ text }) => {
      const match = pattern.exec(text);
      return match === null ? [] : [match];
    });
  const states = new Map(
    matches("processes", STATE_LINE, 100).map(([, count, letter = ""]) => [letter, Number(count)]),
  );
  const loop = parseFlatCounters(own.get("loop") ?? "", "plumbline loop").value;
  const [devices, attached, deleted] = ["devices", "attached", "deleted"].map((key) => loop.get(key));
  const links = matches("slab-names", LINK_LINE, MOST_LINKS).map(([, name = "", target = ""]) => ({
    name,
    target,
  }));
  const walk = parseFlatCounters(own.get("cgroup-walk") ?? "", "plumbline cgroup-walk").value;
  const [containers, accounted] = [walk.get("kmem-containers"), walk.get("kmem-accounted")];
  const kmemBytes = walk.get("kmem-bytes");
  const tmpfs = matches("tmpfs", TMPFS_LINE, SNAPSHOT_LIMITS.tmpfsMounts).flatMap(([, , ...fields]) => {
    const [blockBytes = 0, blocks = 0, free = 0, inodes = 0, freeInodes = 0] = fields.slice(0, 5).map(Number);
    const mount = fields[5] ?? "";
    if (free > blocks || freeInodes > inodes || !mount.isWellFormed()) return [];
    const inKib = (count: number) => Math.round((count * blockBytes) / KIB);
    return [
      {
        mount,
        usedKib: inKib(blocks - free),
        ...(blocks > 0 && { sizeKib: inKib(blocks) }),
        ...(inodes > 0 && { inodes, inodesUsed: inodes - freeInodes }),
      },
    ];
  });
  for (const [part, name, isRead] of [
    ["processes", "tasks", states.size > 0],
    ["loop", "loop", devices !== undefined && attached !== undefined && deleted !== undefined],
    ["slab-names", "slab-names", links.length > 0],
    ["tmpfs", "tmpfs", true],
  ] as const) {
    if (own.has(part)) sources[name] = { status: isRead ? "ok" : "malformed" };
  }
  if (containers !== undefined) sources.kmem = { status: "ok" };
  const threads = parseLoadavg(loadavg ?? "").value?.threads;
  return withoutUndefined({
    tasks:
      states.size === 0
        ? undefined
        : withoutUndefined({
            processes: [...states.values()].reduce((sum, count) => sum + count, 0),
            threads,
            zombies: states.get("Z") ?? 0,
            uninterruptible: states.get("D") ?? 0,
          }),
    loop:
      devices === undefined || attached === undefined || deleted === undefined
        ? undefined
        : { devices, attached, deleted },
    slabNames: links.length === 0 ? undefined : buildSlabNames(links),
    kmemAccounting:
      containers === undefined || accounted === undefined
        ? undefined
        : withoutUndefined({
            containers,
            accounted,
            usageKib: kmemBytes === undefined ? undefined : Math.round(kmemBytes / KIB),
          }),
    tmpfs: own.has("tmpfs") ? tmpfs : undefined,
  });
}
