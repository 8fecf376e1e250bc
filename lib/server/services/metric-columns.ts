import { COMPOSED_MEMINFO_KEYS, composeMemory, type Composition } from "#lib/domain/memory/composition.ts";
import type { MetricSource } from "#lib/domain/memory/metrics.ts";
import type { SeriesFrame } from "#lib/server/data/series.ts";
import { columnOfMeminfo, columnOfMetric, type SnapshotColumn } from "#lib/server/data/snapshot-columns.ts";

/** A value of each column at one moment, by name. */
export type ColumnValues = (column: SnapshotColumn) => number | null | undefined;

const MEMINFO_COLUMN = new Map(COMPOSED_MEMINFO_KEYS.map((key) => [key, columnOfMeminfo(key)]));

/** Everything that a composition reads. */
export const COMPOSITION_COLUMNS: readonly SnapshotColumn[] = [
  ...COMPOSED_MEMINFO_KEYS.flatMap((key) => MEMINFO_COLUMN.get(key) ?? []),
  "pcpFreeKib",
  "zspagesKib",
  "vmapStack",
];

/** Composes one row, or one bucket of means: the columns are raw counters, so both add up. */
export function composeColumns(
  values: ColumnValues,
  kernelRelease: string | undefined,
): Composition | undefined {
  return composeMemory({
    meminfo: (key) => {
      const column = MEMINFO_COLUMN.get(key);
      return column === undefined ? undefined : values(column);
    },
    pcpFreeKib: values("pcpFreeKib"),
    zspagesKib: values("zspagesKib"),
    kernelRelease,
    vmapStack: isMapped(values("vmapStack")),
  });
}

/** Composes each point of a frame that has the `COMPOSITION_COLUMNS`. As `composeColumns` at each, with the columns looked up once. */
export function composeFrame(
  { timesMs, columns }: Pick<SeriesFrame, "timesMs" | "columns">,
  kernelRelease: string | undefined,
): (Composition | undefined)[] {
  const meminfo = new Map(
    [...MEMINFO_COLUMN].map(([key, column]) => [key, column === undefined ? undefined : columns[column]]),
  );
  const { pcpFreeKib, zspagesKib, vmapStack } = columns;
  return timesMs.map((_, point) =>
    composeMemory({
      meminfo: (key) => meminfo.get(key)?.[point],
      pcpFreeKib: pcpFreeKib?.[point],
      zspagesKib: zspagesKib?.[point],
      kernelRelease,
      vmapStack: isMapped(vmapStack?.[point]),
    }),
  );
}

/** A mean between 0 and 1 can only come from a bucket in which the answer became known. */
function isMapped(vmapStack: number | null | undefined): boolean | undefined {
  return vmapStack == null ? undefined : vmapStack > 0.5;
}

/** Where the values of a metric are stored, and how they are derived from it. */
export type MetricStorage =
  | {
      kind: "columns";
      columns: readonly SnapshotColumn[];
      /** What the metric is of a composition, where it is part of one: who reads several composes once. */
      part?: (composition: Composition) => number | undefined;
      derive: (values: ColumnValues, kernelRelease: string | undefined) => number | null;
    }
  | { kind: "extra"; section: "meminfo" | "vmstat"; key: string }
  | { kind: "slab"; name: string; field: "sizeKib" | "activeObjs"; factor: number }
  | { kind: "watch"; name: string; field: "files"; factor: 1 }
  | { kind: "tmpfs"; name: string; field: "inodesUsed" | "usedKib"; factor: 1 }
  | { kind: "counter"; counter: string };

/** How to get at a metric. */
export function storageOf(source: MetricSource): MetricStorage {
  switch (source.family) {
    case "band":
      return composed((composition) => composition.bands[source.band]);
    case "total":
      return composed((composition) =>
        source.total === "kernelNoncache"
          ? composition.kernelNoncacheKib
          : composition.kernelUnreclaimableKib,
      );
    case "cgroup.memory":
    case "containers":
    case "stat":
      return stored(columnOfMetric(`${source.family}.${source.counter}`));
    case "meminfo":
    case "vmstat": {
      const column = columnOfMetric(`${source.family}.${source.key}`);
      return column === undefined
        ? { kind: "extra", section: source.family, key: source.key }
        : stored(column);
    }
    case "slab":
      return source.measure === "bytes"
        ? { kind: "slab", name: source.cache, field: "sizeKib", factor: 1024 }
        : { kind: "slab", name: source.cache, field: "activeObjs", factor: 1 };
    case "watch":
      return { kind: "watch", name: source.directory, field: source.measure, factor: 1 };
    case "tmpfs":
      return {
        kind: "tmpfs",
        name: source.mount,
        field: source.measure === "inodes" ? "inodesUsed" : "usedKib",
        factor: 1,
      };
    case "section":
      return { kind: "counter", counter: source.name };
  }
}

function stored(column: SnapshotColumn | undefined): MetricStorage {
  return {
    kind: "columns",
    columns: column === undefined ? [] : [column],
    derive: (values) => (column === undefined ? null : (values(column) ?? null)),
  };
}

function composed(pick: (composition: Composition) => number | undefined): MetricStorage {
  return {
    kind: "columns",
    columns: COMPOSITION_COLUMNS,
    part: pick,
    derive: (values, kernelRelease) => {
      const composition = composeColumns(values, kernelRelease);
      return composition === undefined ? null : (pick(composition) ?? null);
    },
  };
}
