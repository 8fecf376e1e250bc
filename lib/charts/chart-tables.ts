import type { BandKey } from "#lib/domain/memory/bands.ts";
import type { CompositionSeries, SlabSeries } from "#lib/contracts/series.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { formatIso } from "./format-time.ts";
import type { LaneModel } from "./lane-model.ts";

/** Bands as a reader of a spreadsheet looks for them, without a comma. */
const BAND_NAMES: Readonly<Record<BandKey, string>> = {
  free: "free",
  pcp: "per-CPU free lists",
  file: "page cache",
  buffers: "buffers",
  shmem: "shmem and tmpfs",
  anon: "anonymous memory",
  srecl: "reclaimable slab",
  sunrecl: "unreclaimable slab",
  kstack: "kernel stacks",
  ptables: "page tables",
  percpu: "percpu",
  vmalloc: "vmalloc",
  hugetlb: "hugetlb",
  other: "other",
  unacc: "unaccounted",
};

const TIME = "time (UTC)";

function bandName({ key, label }: CompositionSeries["bands"][number]): string {
  return (BAND_NAMES as Readonly<Record<string, string>>)[key] ?? label;
}

/** The composition as a table: one row a sample, all values KiB, times ISO 8601 in UTC. */
export function compositionTable(series: CompositionSeries): PlainTable {
  return {
    columns: [
      TIME,
      ...series.bands.map((band) => `${bandName(band)} (KiB)`),
      "MemTotal (KiB)",
      "non-cache kernel memory (KiB)",
      "unreclaimable kernel memory (KiB)",
    ],
    rows: series.timesMs.map((atMs, index) => [
      formatIso(atMs),
      ...series.bands.map((band) => round(band.valuesKib[index])),
      round(series.totalKib[index]),
      round(series.kernelNoncacheKib[index]),
      round(series.kernelUnreclaimableKib[index]),
    ]),
  };
}

/** A lane as a table. */
export function laneTable(lane: LaneModel): PlainTable {
  return {
    columns: [TIME, ...lane.series.map(({ name }) => (lane.unit === "KiB" ? `${name} (KiB)` : name))],
    rows: lane.timesMs.map((atMs, index) => [
      formatIso(atMs),
      ...lane.series.map((each) => round(each.values[index], lane.unit === "KiB" ? 0 : 2)),
    ]),
  };
}

/** Slab caches over time: one column a cache, KiB. */
export function slabTable(series: SlabSeries): PlainTable {
  return {
    columns: [TIME, ...series.caches.map((cache) => `${cache.name} (KiB)`)],
    rows: series.timesMs.map((atMs, index) => [
      formatIso(atMs),
      ...series.caches.map((cache) => round(cache.valuesKib[index])),
    ]),
  };
}

function round(value: number | null | undefined, decimals = 0): number | null {
  return value == null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals;
}
