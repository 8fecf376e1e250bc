import { UNPURGED_AREA } from "#lib/domain/procfs/vmallocinfo.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import type { MetricSeries, SnapshotAt } from "#lib/contracts/series.ts";
import { dataOf } from "./node-data.ts";
import type { Part } from "./node-data.ts";
import type { NodePageData } from "./node-page.ts";
import type { TimeWindow } from "./view-address.ts";

/** What the page of kernel objects shows of a window. */
export interface ObjectPageData extends NodePageData {
  readonly series: Part<MetricSeries>;
  /** Who holds memory, as it stood at the end of the window. */
  readonly snapshot: Part<SnapshotAt>;
  /** The same at its start, or at the first reading of the newest boot in it where the start has none to compare with. */
  readonly before: Part<SnapshotAt>;
}

type Details = SnapshotAt["details"];

/** A sample whose details are compared: of another boot nothing is. */
type Compared = Pick<SnapshotAt, "bootId" | "details"> | undefined;

/** The same section at the start of the window, where it is of the same boot and another reading. */
function sectionBefore<Name extends keyof Details>(
  name: Name,
  now: NonNullable<Compared>,
  before: Compared,
): Details[Name] | undefined {
  const section = before?.bootId === now.bootId ? before.details[name] : undefined;
  return section && section.at < (now.details[name]?.at ?? 0) ? section : undefined;
}

/** The rarest of these sections is read this often; a little more, for a reading takes its time. */
const READ_WITHIN_MS = 20 * 60_000;

/** Whether every section of now has a reading before it in the other sample. */
function isCompared(now: Compared, before: Compared): boolean {
  return (["vmalloc", "allocinfo"] as const).every(
    (name) => now?.details[name] === undefined || sectionBefore(name, now, before) !== undefined,
  );
}

/**
 * The sample that changes are reckoned from: that of the window's start, or where that has nothing to compare with, because the
 * node was not there yet or rebooted since, the first within the window that has.
 * @param read the sample at or before a moment.
 */
export async function readBefore(
  window: TimeWindow,
  { series, snapshot, before }: Pick<ObjectPageData, "series" | "snapshot" | "before">,
  read: (atMs: number) => Promise<Part<SnapshotAt>>,
): Promise<Part<SnapshotAt>> {
  const [axis, now] = [dataOf(series), dataOf(snapshot)];
  const bootedMs = axis?.reboots.at(-1)?.at ?? window.fromMs;
  const firstMs = axis?.timesMs.find((timeMs) => timeMs >= bootedMs);
  let found = before;
  // The first sample of a boot has all that the collector reads; where it was not kept, the next reading has.
  for (const afterMs of firstMs === undefined ? [] : [0, READ_WITHIN_MS]) {
    if (isCompared(now, dataOf(found))) break;
    found = await read(Math.min(window.toMs, (firstMs ?? 0) + afterMs));
  }
  return found;
}

/** A table of who holds memory, when it was read, and since when its changes are, where there are any. */
export interface HolderTable {
  readonly table: PlainTable;
  readonly at: number;
  readonly sinceMs: number | undefined;
}

/**
 * Who holds vmalloc space, the largest first: KiB of memory behind the areas of each caller in the kernel, and how much that
 * changed since the reading that it is compared with. Undefined where the node did not send /proc/vmallocinfo.
 */
export function vmallocTable(now: NonNullable<Compared>, before: Compared): HolderTable | undefined {
  const section = now.details.vmalloc;
  if (!section) return undefined;
  const then = sectionBefore("vmalloc", now, before);
  const keyOf = (each: (typeof section.value.callers)[number]) => `${each.caller} ${each.module ?? ""}`;
  const isFree = ({ caller }: (typeof section.value.callers)[number]) => caller === UNPURGED_AREA;
  const sizeOf = (each: (typeof section.value.callers)[number]) => each.usedKib ?? each.sizeKib;
  const earlier = new Map(then?.value.callers.map((each) => [keyOf(each), sizeOf(each)]));
  return {
    at: section.at,
    sinceMs: then?.at,
    table: {
      columns: ["caller", "memory (KiB)", "change (KiB)", "areas", "address space (KiB)"],
      rows: section.value.callers
        .toSorted(
          // Address space is not memory: a caller without any stands behind those that hold some, what is free last.
          (a, b) =>
            Number(isFree(a)) - Number(isFree(b)) ||
            (b.usedKib ?? 0) - (a.usedKib ?? 0) ||
            b.sizeKib - a.sizeKib,
        )
        .map((each) => {
          const first = earlier.get(keyOf(each));
          return [
            isFree(each)
              ? `${each.caller} (freed, not purged yet)`
              : each.module === undefined
                ? each.caller
                : `${each.caller} [${each.module}]`,
            each.usedKib ?? null,
            // Only the largest are sent: one that is new in the list may have been there before.
            first === undefined ? null : sizeOf(each) - first,
            each.areas,
            each.sizeKib,
          ];
        }),
    },
  };
}

/**
 * Memory by the line of kernel code that asked for it, the largest first, KiB. Undefined where the kernel has no
 * /proc/allocinfo.
 */
export function allocationTable(now: NonNullable<Compared>, before: Compared): HolderTable | undefined {
  const section = now.details.allocinfo;
  if (!section) return undefined;
  const then = sectionBefore("allocinfo", now, before);
  const earlier = new Map(then?.value.sites.map(({ site, bytes }) => [site, bytes]));
  const inKib = (bytes: number) => Math.round(bytes / 1024);
  return {
    at: section.at,
    sinceMs: then?.at,
    table: {
      columns: ["line of code", "memory (KiB)", "change (KiB)", "allocations"],
      rows: section.value.sites
        .toSorted((a, b) => b.bytes - a.bytes)
        .map(({ site, bytes, calls }) => {
          const first = earlier.get(site);
          return [site, inKib(bytes), first === undefined ? null : inKib(bytes - first), calls];
        }),
    },
  };
}
