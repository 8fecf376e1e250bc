import type { CompositionSeries, SlabSeries } from "#lib/contracts/series.ts";
import type { PlainTable } from "./csv.ts";
import { formatIso } from "./format-time.ts";
import type { LaneModel } from "./lane-model.ts";

/** The composition as a table: one row a sample, all values KiB, times ISO 8601 in UTC. */
export function compositionTable(series: CompositionSeries): PlainTable {
  return {
    columns: [
      "time",
      ...series.bands.map((band) => `${band.key} KiB`),
      "MemTotal KiB",
      "non-cache kernel KiB",
      "unreclaimable kernel KiB",
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
    columns: ["time", ...lane.series.map((each) => `${each.label} (${lane.unit})`)],
    rows: lane.timesMs.map((atMs, index) => [
      formatIso(atMs),
      ...lane.series.map((each) => round(each.values[index], lane.unit === "KiB" ? 0 : 2)),
    ]),
  };
}

/** Slab caches over time: one column a cache, KiB. */
export function slabTable(series: SlabSeries): PlainTable {
  return {
    columns: ["time", ...series.caches.map((cache) => `${cache.name} KiB`)],
    rows: series.timesMs.map((atMs, index) => [
      formatIso(atMs),
      ...series.caches.map((cache) => round(cache.valuesKib[index])),
    ]),
  };
}

function round(value: number | null | undefined, decimals = 0): number | null {
  return value == null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals;
}
