import type { MetricSeries, SnapshotAt } from "#lib/contracts/series.ts";
import type { SlabCacheGrowth, SlabGrowth } from "#lib/contracts/slab.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatCount, formatEstimate } from "#lib/domain/memory/quantity.ts";
import { metricKey } from "#lib/domain/memory/metrics.ts";
import { LARGEST_CACHES } from "#lib/domain/snapshot/choose-caches.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { DASH, KIB_PER_MIB, formatKib, formatNumber, formatShare } from "./format.ts";
import { memoryLane } from "./lane-model.ts";
import type { LaneModel } from "./lane-model.ts";
import type { Part } from "./node-data.ts";
import type { NodePageData } from "./node-page.ts";
import { trendVerdictText } from "./verdict.ts";
import type { VerdictText } from "./verdict.ts";
import { readWord } from "./view-address.ts";
import type { AddressFault } from "./view-address.ts";

/** What the page of slab caches shows of a window. */
export interface SlabPageData extends NodePageData {
  readonly growth: Part<SlabGrowth>;
  /** Sizes of the caches that are charted. */
  readonly series: Part<MetricSeries>;
  /** Which caches the kernel merged, as it stood at the end of the window. */
  readonly snapshot: Part<SnapshotAt>;
}

/** What the table of caches can be ordered by. */
export const SLAB_SORTS = ["growth", "share", "size", "objects", "use", "objectSize", "name"] as const;
export type SlabSort = (typeof SLAB_SORTS)[number];
/** Which caches are listed: all, or those that one counter of /proc/meminfo holds. */
export const SLAB_KINDS = ["all", "SUnreclaim", "SReclaimable"] as const;
export type SlabKind = (typeof SLAB_KINDS)[number];

/** What the address of the page says beside the window. */
export interface SlabAddress {
  /** Caches to chart; none named means the page chooses. */
  readonly caches: readonly string[];
  readonly sort: SlabSort;
  readonly kind: SlabKind;
  readonly filter: string;
}

/** Most caches that are charted: more lanes than a screen shows are a table. */
export const MOST_CHARTED = 8;
const CHOSEN_UNASKED = 4;

/** Reads the address of the page; words that are none go to `faults` and read as if not given. */
export function readSlabAddress(
  lookup: (name: string) => readonly string[],
  faults: AddressFault[] = [],
): SlabAddress {
  const caches = [...new Set(lookup("cache"))].filter((name) => name !== "").slice(0, MOST_CHARTED);
  return {
    caches,
    sort: readWord("sort", lookup("sort")[0], SLAB_SORTS, faults) ?? "growth",
    kind: readWord("kind", lookup("kind")[0], SLAB_KINDS, faults) ?? "all",
    filter: (lookup("filter")[0] ?? "").slice(0, 100),
  };
}

/** The caches to chart: those asked for, else the few that grew most, filled up with the largest. */
export function chartedCaches(wanted: readonly string[], growth: SlabGrowth | undefined): readonly string[] {
  if (wanted.length > 0 || growth === undefined) return wanted;
  const grew = growth.caches.filter(({ ci95 }) => ci95 !== null && ci95[0] > 0);
  const large = growth.caches.toSorted((a, b) => (b.sizeKib ?? 0) - (a.sizeKib ?? 0));
  return [...new Set([...grew, ...large].map(({ name }) => name))].slice(0, CHOSEN_UNASKED);
}

const COUNTERS = ["SUnreclaim", "SReclaimable"] as const;

function cacheMetric(cache: string): string {
  return metricKey({ family: "slab", cache, measure: "bytes" });
}

/** The metrics of the page's charts: both counters, and the caches that are chosen. */
export function slabMetrics(caches: readonly string[]): string[] {
  return [...COUNTERS.map((key) => metricKey({ family: "meminfo", key })), ...caches.map(cacheMetric)];
}

/** A lane for each counter and each cache, in the order they are chosen; what has no sample in the window has none. */
export function slabLanes(series: MetricSeries, caches: readonly string[]): LaneModel[] {
  const names = [...COUNTERS, ...caches.map(isolatedText)];
  return slabMetrics(caches).flatMap((metric, index) => {
    const name = names[index] ?? metric;
    return memoryLane(series, { metric, title: name, label: name }) ?? [];
  });
}

/** One row of the table, in texts. */
export interface SlabRow {
  readonly name: string;
  /** Other names of the same cache: the kernel merges caches of one size, and slabinfo shows one name of each. */
  readonly alsoNamed: readonly string[];
  readonly size: string;
  readonly growth: string;
  readonly growthInterval: string;
  readonly verdict: VerdictText;
  readonly share: string;
  readonly shareInterval: string;
  /** What the share is of. */
  readonly counter: "SUnreclaim" | "SReclaimable";
  readonly objects: string;
  readonly use: string;
  readonly objectSize: string;
}

/** The table of caches. */
export interface SlabTable {
  /** Unit of the growth column: "MiB/h". */
  readonly unit: string;
  readonly rows: readonly SlabRow[];
  /** How many there are before the filter. */
  readonly total: number;
}

const SORT_KEYS: Readonly<Record<Exclude<SlabSort, "name">, (cache: SlabCacheGrowth) => number | null>> = {
  // By the lower end: a certain small leak stands above a doubtful large one.
  growth: ({ ci95 }) => ci95?.[0] ?? null,
  share: ({ share }) => share,
  size: ({ sizeKib }) => sizeKib,
  objects: ({ activeObjects }) => activeObjects,
  // The emptiest first: they hold memory that nobody uses.
  use: (cache) => {
    const use = utilisation(cache);
    return use === null ? null : -use;
  },
  objectSize: ({ objSizeBytes }) => objSizeBytes,
};

function utilisation({ objects, activeObjects }: SlabCacheGrowth): number | null {
  return objects !== null && activeObjects !== null && objects > 0 ? activeObjects / objects : null;
}

function counterOf(cache: SlabCacheGrowth): "SUnreclaim" | "SReclaimable" {
  return cache.reclaimable ? "SReclaimable" : "SUnreclaim";
}

/** Caches that an address asks for, in its order; those of which the value is not known come last. */
function sorted(growth: SlabGrowth, { sort, kind, filter }: Omit<SlabAddress, "caches">): SlabCacheGrowth[] {
  const wanted = filter.trim().toLowerCase();
  const listed = growth.caches.filter(
    (cache) => (kind === "all" || counterOf(cache) === kind) && cache.name.toLowerCase().includes(wanted),
  );
  const byName = (a: SlabCacheGrowth, b: SlabCacheGrowth) => (a.name < b.name ? -1 : 1);
  if (sort === "name") return listed.toSorted(byName);
  // Of those of which the value is not known the largest first: it is what there is to go by.
  const order =
    (key: (cache: SlabCacheGrowth) => number | null) => (a: SlabCacheGrowth, b: SlabCacheGrowth) => {
      const [first, second] = [key(a) ?? -Infinity, key(b) ?? -Infinity];
      return first === second ? 0 : second - first;
    };
  const [bySort, bySize] = [order(SORT_KEYS[sort]), order(SORT_KEYS.size)];
  return listed.toSorted((a, b) => bySort(a, b) || bySize(a, b) || byName(a, b));
}

/** One unit for the column of growth, so that its rows compare: that of its largest slope. */
function growthUnit(growth: SlabGrowth): { label: string; size: number } {
  const most = growth.caches.reduce((size, each) => Math.max(size, Math.abs(each.slopeKibPerHour ?? 0)), 0);
  return most >= KIB_PER_MIB ? { label: "MiB/h", size: KIB_PER_MIB } : { label: "KiB/h", size: 1 };
}

const PERCENT = { label: "%", size: 0.01 } as const;

/** The table of caches as an address asks for it. `merged` are the names of each merged cache, where they are known. */
export function slabTable(
  growth: SlabGrowth,
  address: Omit<SlabAddress, "caches">,
  merged: readonly (readonly string[])[] = [],
): SlabTable {
  const unit = growthUnit(growth);
  const mergedOf = new Map(merged.flatMap((names) => names.map((name) => [name, names] as const)));
  return {
    unit: unit.label,
    total: growth.caches.length,
    rows: sorted(growth, address).map((cache): SlabRow => {
      const { slopeKibPerHour, ci95, share, shareCi95, sizeKib, activeObjects } = cache;
      const slope =
        slopeKibPerHour !== null && ci95 ? formatEstimate(slopeKibPerHour, ci95, unit) : undefined;
      const part = share !== null && shareCi95 ? formatEstimate(share, shareCi95, PERCENT) : undefined;
      const use = utilisation(cache);
      return {
        name: cache.name,
        alsoNamed: (mergedOf.get(cache.name) ?? []).filter((name) => name !== cache.name),
        size: sizeKib === null ? "not sent" : formatKib(sizeKib),
        growth: slope?.value ?? DASH,
        growthInterval: slope?.interval ?? "",
        verdict: trendVerdictText(cache.verdict),
        share: part ? `${part.value}\u202f%` : DASH,
        shareInterval: part?.interval ?? "",
        counter: counterOf(cache),
        objects: activeObjects === null ? DASH : formatNumber(activeObjects),
        use: use === null ? DASH : formatShare(use, 0),
        objectSize: formatNumber(cache.objSizeBytes),
      };
    }),
  };
}

/** Every listed cache with its numbers unrounded enough to reckon with. */
export function slabCsv(growth: SlabGrowth, address: Omit<SlabAddress, "caches">): PlainTable {
  const round = (value: number | null | undefined) => (value == null ? null : Number(value.toFixed(2)));
  return {
    columns: [
      "cache",
      "counter",
      "size (KiB)",
      "growth (KiB/h)",
      "growth, lower end of 95 %",
      "growth, upper end of 95 %",
      "verdict",
      "share of the counter's growth (%)",
      "share, lower end of 95 %",
      "share, upper end of 95 %",
      "objects in use",
      "objects",
      "object size (bytes)",
    ],
    rows: sorted(growth, address).map((cache) => [
      cache.name,
      counterOf(cache),
      cache.sizeKib,
      round(cache.slopeKibPerHour),
      round(cache.ci95?.[0]),
      round(cache.ci95?.[1]),
      cache.verdict,
      cache.share === null ? null : round(100 * cache.share),
      cache.shareCi95 === null ? null : round(100 * cache.shareCi95[0]),
      cache.shareCi95 === null ? null : round(100 * cache.shareCi95[1]),
      cache.activeObjects,
      cache.objects,
      cache.objSizeBytes,
    ]),
  };
}

const SHOWN_IN_SENTENCE = 3;

/** What grew among the caches, in one sentence. */
export function slabFinding(growth: SlabGrowth): string {
  if (growth.caches.length === 0) return "No slab caches in this window.";
  const judged = growth.caches.filter(({ verdict }) => verdict !== "insufficient").length;
  const count = formatCount(growth.caches.length, "slab cache");
  if (judged === 0)
    return `Too few samples in this window to say how the ${count} ${growth.caches.length === 1 ? "grows" : "grow"}.`;
  const of = (word: SlabCacheGrowth["verdict"]) => growth.caches.filter(({ verdict }) => verdict === word);
  const leaking = of("leaking");
  const grown = leaking.length > 0 ? leaking : of("growing");
  if (grown.length === 0) return `None of the ${count} that were sent grows in this window.`;
  const unit = growthUnit(growth);
  const named = grown.slice(0, SHOWN_IN_SENTENCE).map(({ name, slopeKibPerHour, ci95 }, index) => {
    const { value, interval } = formatEstimate(slopeKibPerHour ?? 0, ci95 ?? [0, 0], unit);
    return `${isolatedText(name)} ${value} ${unit.label} (${index === 0 ? "95 %: " : ""}${interval})`;
  });
  const more = grown.length > named.length ? ` and ${formatNumber(grown.length - named.length)} more` : "";
  const verb = `${leaking.length > 0 ? "leak" : "grow"}${grown.length === 1 ? "s" : ""}`;
  return `${formatNumber(grown.length)} of ${count} ${verb}: ${named.join(", ")}${more}.`;
}

/** Which caches are listed, and what is not, above their table. */
export function slabSent({ unsentKib }: SlabGrowth): string {
  const rest =
    unsentKib === null || unsentKib <= 0
      ? ""
      : ` All others, with kmallocs too large for a cache, hold ${formatKib(unsentKib)}: SUnreclaim and SReclaimable less the caches here.`;
  return `The ${LARGEST_CACHES} largest caches of each sample are sent, and those that signatures need.${rest}`;
}

/** How much of each counter's growth its caches explain, below the finding. */
export function slabWholes(growth: SlabGrowth): string {
  const unit = growthUnit(growth);
  return COUNTERS.flatMap((counter) => {
    const whole = growth[counter];
    if (!whole) return [];
    const { value, interval } = formatEstimate(whole.slopeKibPerHour, whole.ci95, unit);
    const slope = `${value} ${unit.label} (${interval})`;
    return whole.significant
      ? `${counter} grew ${slope}.`
      : `${counter} did not grow significantly, ${slope}: no shares of it.`;
  }).join(" ");
}
