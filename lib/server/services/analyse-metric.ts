import type { KnownDailyRange } from "#lib/domain/analysis/daily-range.ts";
import type { Trend as TrendAnswer } from "#lib/contracts/trend.ts";
import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import { forecastExhaustion, memoryHeadroomKib, type Exhaustion } from "#lib/domain/analysis/forecast.ts";
import { materialSlopeKibPerHour } from "#lib/domain/memory/materiality.ts";
import type { MetricWords } from "#lib/domain/analysis/metric-words.ts";
import { trendSentence } from "#lib/domain/analysis/trend-sentence.ts";
import type { Interval } from "#lib/domain/analysis/vocabulary.ts";
import { analyseTrend, type Trend } from "#lib/domain/analysis/trend.ts";
import { countsMemcgIds, MEMCG_ID_LIMIT, memcgIdsHeld } from "#lib/domain/memory/memcg-ids.ts";
import type { Metric } from "#lib/domain/memory/metrics.ts";
import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import type { BootRow, NodeNewest } from "#lib/server/data/nodes.ts";
import type { SeriesAxis } from "#lib/server/data/series.ts";
import { composeColumns } from "./metric-columns.ts";

const BYTES_PER_KIB = 1024;

/** The least growth of a count that is worth a word: 24 a day fills the 65,535 memory-cgroup ids in seven years. */
const MATERIAL_COUNT_PER_HOUR = 1;
/** The least change of a count at a mark that is worth a word. */
const MATERIAL_COUNT = 10;

/** How a metric is analysed: memory in KiB whatever its unit, counts as they are. */
export interface MetricScale {
  words: MetricWords;
  /** What one unit of the analysis is in the unit of the metric. */
  unitsPerStep: number;
  materialPerHour: number;
  /** Undefined for memory, whose rule is that of the event study. */
  materialLevel: number | undefined;
}

/** Scale and words of a metric on a node. */
export function scaleOf(metric: Metric, memTotalKib: number): MetricScale {
  const memory = metric.unit === "KiB" || metric.unit === "bytes";
  return {
    words: { name: spokenName(metric), unit: memory ? "KiB" : noun(metric) },
    unitsPerStep: metric.unit === "bytes" ? BYTES_PER_KIB : 1,
    materialPerHour: memory ? materialSlopeKibPerHour(memTotalKib) : MATERIAL_COUNT_PER_HOUR,
    materialLevel: memory ? undefined : MATERIAL_COUNT,
  };
}

function spokenName({ source, label }: Metric): string {
  switch (source.family) {
    case "total":
      return source.total === "kernelUnreclaimable"
        ? "unreclaimable kernel memory"
        : "non-cache kernel memory";
    case "band":
      return source.band === "sunrecl"
        ? "unreclaimable slab"
        : source.band === "srecl"
          ? "reclaimable slab"
          : label;
    case "cgroup.memory":
      return source.counter === "count"
        ? "the number of memory cgroups"
        : `the number of ${source.counter} memory cgroups`;
    case "containers":
      return source.counter === "started"
        ? "the number of containers started"
        : "the number of containers alive";
    case "watch":
      return `the number of files in ${source.directory}`;
    case "tmpfs":
      return source.measure === "inodes"
        ? `the number of inodes on ${source.mount}`
        : `memory of ${source.mount}`;
    case "slab":
      return source.measure === "bytes"
        ? `slab cache ${source.cache}`
        : `the number of ${source.cache} objects`;
    default:
      return label;
  }
}

function noun({ source, unit }: Metric): string {
  switch (source.family) {
    case "cgroup.memory":
      return "cgroups";
    case "containers":
      return "containers";
    case "watch":
      return "files";
    case "tmpfs":
      return "inodes";
    case "slab":
      return "objects";
    case "stat":
      return "forks";
    case "section":
      return source.noun;
    default:
      return unit === "pages" ? "pages" : "events";
  }
}

/** Cuts a series into its boots, in the unit of the analysis. Boots without a known start keep none. */
export function segmentsOf(
  axis: Pick<SeriesAxis, "timesMs" | "bootIds">,
  values: readonly (number | null)[],
  boots: readonly Pick<BootRow, "bootId" | "startedAtMs">[],
  unitsPerStep: number,
): BootSegment[] {
  const startedAt = new Map(boots.map(({ bootId, startedAtMs }) => [bootId, startedAtMs]));
  const segments: {
    bootId: string;
    bootedAtMs: number | undefined;
    timesMs: number[];
    values: (number | null)[];
  }[] = [];
  axis.timesMs.forEach((timeMs, point) => {
    const bootId = axis.bootIds[point] ?? "";
    let segment = segments.at(-1);
    if (segment?.bootId !== bootId) {
      segment = { bootId, bootedAtMs: startedAt.get(bootId), timesMs: [], values: [] };
      segments.push(segment);
    }
    const value = values[point] ?? null;
    segment.timesMs.push(timeMs);
    segment.values.push(value === null ? null : value / unitsPerStep);
  });
  return segments;
}

/** Mounts of a node whose inodes are looked after: those nearest to their limit. */
const MOUNTS_PER_NODE = 3;

/** The tmpfs mounts with a limit on inodes that are fullest, the fullest first; three at most. */
export function fullestMounts({ details }: NodeNewest): string[] {
  return (details.tmpfs ?? [])
    .flatMap(({ mount, inodes, inodesUsed }) =>
      inodes !== undefined && inodes > 0 && inodesUsed !== undefined
        ? [{ mount, share: inodesUsed / inodes }]
        : [],
    )
    .sort((a, b) => b.share - a.share || (a.mount < b.mount ? -1 : 1))
    .slice(0, MOUNTS_PER_NODE)
    .map(({ mount }) => mount);
}

/** What runs out when a metric goes on growing, and how much of it is left now; undefined for what has no end. */
export interface Headroom {
  what: string;
  left: number;
}

const MEMORY_BANDS = new Set(["shmem", "anon", "sunrecl", "kstack", "ptables", "percpu", "vmalloc", "unacc"]);

/** Headroom of a metric at the newest snapshot, in the unit of the analysis. */
export function headroomOf({ source }: Metric, node: NodeNewest): Headroom | undefined {
  switch (source.family) {
    case "total":
      return memoryHeadroom(node);
    case "band":
      return MEMORY_BANDS.has(source.band) ? memoryHeadroom(node) : undefined;
    case "cgroup.memory": {
      const { cgroupMemoryCount: count, cgroupLive: live, cgroupDying: dying } = node.counters;
      const held = memcgIdsHeld(node.kernelRelease, { count, live, dying });
      return held === undefined || !countsMemcgIds(node.kernelRelease, source.counter)
        ? undefined
        : { what: "memory-cgroup ids", left: Math.max(0, MEMCG_ID_LIMIT - held) };
    }
    case "tmpfs": {
      const mount = node.details.tmpfs?.find((each) => each.mount === source.mount);
      if (source.measure !== "inodes" || mount?.inodes === undefined || mount.inodesUsed === undefined)
        return undefined;
      return { what: `inodes of ${source.mount}`, left: Math.max(0, mount.inodes - mount.inodesUsed) };
    }
    default:
      return undefined;
  }
}

function memoryHeadroom(node: NodeNewest): Headroom | undefined {
  const composition = composeColumns((column) => node.counters[column], node.kernelRelease);
  if (composition === undefined) return undefined;
  const { totalKib, kernelUnreclaimableKib, bands } = composition;
  const left = memoryHeadroomKib({
    memTotalKib: totalKib,
    unreclaimableKernelKib: kernelUnreclaimableKib,
    anonymousKib: bands.anon ?? 0,
    shmemKib: bands.shmem ?? 0,
  });
  return { what: "memory", left };
}

/** Both ends of an interval of the analysis in the unit of the metric, as a contract has them. */
export function scaledEnds([lower, upper]: Interval, unitsPerStep = 1): [number, number] {
  return [lower * unitsPerStep, upper * unitsPerStep];
}

/** A metric of a node over a window, ready to be analysed. */
export interface MetricWindow {
  metric: Metric;
  node: NodeNewest;
  segments: readonly BootSegment[];
  fromMs: number;
  toMs: number;
  /** Largest range that the metric is known to run through in a day, in the unit of the analysis; absent when not known. */
  dailyRange?: KnownDailyRange | undefined;
}

/** MemTotal of the newest snapshot, KiB; the wire format requires it. */
export function memTotalOf(node: NodeNewest): number {
  return node.counters.MemTotal ?? 0;
}

/** The trend of a metric. Pure. */
export function trendOf({ metric, node, segments, dailyRange }: MetricWindow): Trend | Insufficient {
  return analyseTrend({
    segments,
    memTotalKib: memTotalOf(node),
    materialPerHour: scaleOf(metric, memTotalOf(node)).materialPerHour,
    headroom: headroomOf(metric, node)?.left,
    dailyRange,
  });
}

/** A trend as the contract has it: in the unit of the metric, with its sentence and its end. Pure. */
export function describeTrend(
  trend: Trend | Insufficient,
  { metric, node, fromMs, toMs }: Omit<MetricWindow, "segments">,
): TrendAnswer {
  const { words, unitsPerStep } = scaleOf(metric, memTotalOf(node));
  const shared = {
    metric: metric.key,
    unit: metric.unit,
    from: fromMs,
    to: toMs,
    text: trendSentence(trend, words),
  };
  if (isInsufficient(trend)) {
    return {
      ...shared,
      verdict: "insufficient",
      slopePerHour: null,
      ci95: null,
      pValue: null,
      n: 0,
      method: "",
      phi: null,
      boots: [],
      exhaustion: null,
    };
  }
  const scaled = (ends: Interval) => scaledEnds(ends, unitsPerStep);
  return {
    ...shared,
    verdict: trend.verdict,
    slopePerHour: trend.slopePerHour * unitsPerStep,
    ci95: scaled(trend.ci95),
    pValue: trend.pValue,
    n: trend.n,
    method: trend.method,
    phi: trend.phi,
    boots: trend.boots.flatMap((boot) =>
      boot.fromMs === undefined || boot.toMs === undefined
        ? []
        : [
            {
              bootId: boot.bootId,
              from: boot.fromMs,
              to: boot.toMs,
              n: boot.n,
              slopePerHour: boot.slopePerHour === undefined ? null : boot.slopePerHour * unitsPerStep,
              ci95: boot.ci95 === undefined ? null : scaled(boot.ci95),
            },
          ],
    ),
    exhaustion: reachesNewest({ node, fromMs, toMs }) ? exhaustionOf(trend, metric, node) : null,
  };
}

/** A window may end before the newest sample by this part of its length, at least a bucket and at most an hour. */
const BEHIND = { part: 0.05, leastMs: 5 * 60_000, mostMs: 3_600_000 } as const;

/**
 * Whether a window reaches the newest sample of its node. Only then does its trend say what comes: growth of a window that ended
 * earlier may have stopped since. Pure.
 */
export function reachesNewest({
  node,
  fromMs,
  toMs,
}: Pick<MetricWindow, "node" | "fromMs" | "toMs">): boolean {
  const allowedMs = Math.min(BEHIND.mostMs, Math.max(BEHIND.leastMs, BEHIND.part * (toMs - fromMs)));
  return node.atMs - toMs <= allowedMs;
}

function exhaustionOf(trend: Trend, metric: Metric, node: NodeNewest): TrendAnswer["exhaustion"] {
  const headroom = headroomOf(metric, node);
  if (headroom === undefined) return null;
  const end = forecastExhaustion(trend, {
    what: headroom.what,
    headroom: headroom.left,
    // What is left was read then, so that is where the line starts.
    nowMs: node.atMs,
  });
  return end === undefined ? null : describeExhaustion(end);
}

/** When something runs out, as a contract has it: whole milliseconds, null for an open end. Pure. */
export function describeExhaustion({
  what,
  atMs,
  ci95: [earliest, latest],
  sinceMs,
}: Exhaustion): NonNullable<TrendAnswer["exhaustion"]> {
  return {
    what,
    at: Math.round(atMs),
    ci95: [Math.round(earliest), latest === undefined ? null : Math.round(latest)],
    since: Math.round(sinceMs),
  };
}
