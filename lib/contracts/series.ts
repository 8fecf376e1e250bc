import { z } from "zod";
import { sourceSections } from "#lib/domain/snapshot/source-sections.ts";
import { usedMemory } from "./used-memory.ts";
import { sourceReport } from "./node.ts";
import { epochMs, gap, rangeQuery, reboot, resolution } from "./common.ts";

function dated<Section extends z.ZodType>(section: Section) {
  return z.strictObject({ at: epochMs, value: section }).optional();
}

const values = z.array(z.number().nullable());

export const pointsQuery = rangeQuery.extend({
  points: z.coerce.number().int().min(2).max(2000).default(600),
});

/** What every columnar answer says about its time axis. */
const timeAxis = {
  nodeId: z.int(),
  from: epochMs,
  to: epochMs,
  timesMs: z.array(epochMs),
  gaps: z.array(gap),
  reboots: z.array(reboot),
  resolution,
};

/**
 * How a composition is looked at: absolute, share of MemTotal, change since the start of the window; `kernel` is the change of
 * what the kernel cannot give back alone, on an axis that page cache and programs do not stretch.
 */
export const compositionMode = z.enum(["gib", "share", "change", "kernel"]);

/** Composition over time: at each time the bands and nothing else add up to `totalKib`. */
export const compositionSeries = z.strictObject({
  ...timeAxis,
  bands: z.array(
    z.strictObject({
      key: z.string(),
      label: z.string(),
      valuesKib: values,
      /** False when the kernel of this window never reported the band. */
      reported: z.boolean(),
    }),
  ),
  totalKib: values,
  kernelNoncacheKib: values,
  kernelUnreclaimableKib: values,
  /** What a reader must know: assumptions made, absent counters, doubtful data. */
  notes: z.array(z.string()),
});

/** Any stored counters; `min` and `max` of each bucket where points were merged. */
export const metricSeries = z.strictObject({
  ...timeAxis,
  series: z.array(
    z.strictObject({
      metric: z.string(),
      label: z.string(),
      unit: z.string(),
      kind: z.enum(["gauge", "counter"]),
      values,
      min: values.optional(),
      max: values.optional(),
      /** Why there is no value at all: the node sent nothing in this window, or has nothing of that name. */
      reason: z.string().optional(),
    }),
  ),
});

/** `metric` may be repeated. */
export const metricSeriesQuery = pointsQuery.extend({
  metric: z
    .union([z.string(), z.array(z.string()).max(40)])
    .transform((each) => (Array.isArray(each) ? each : [each])),
});

/** Largest slab caches by size and by change in the window. */
export const slabSeries = z.strictObject({
  ...timeAxis,
  caches: z.array(
    z.strictObject({
      name: z.string(),
      objSizeBytes: z.number(),
      /** As it stands in the newest sample; null where that sample does not have it: only the largest caches are sent. */
      objects: z.number().nullable(),
      activeObjects: z.number().nullable(),
      sizeKib: z.number().nullable(),
      /** The newest sample that has it. */
      lastSentAt: epochMs,
      /** Last minus first value within the newest boot of the window; null where there are not two. */
      changeKib: z.number().nullable(),
      valuesKib: values,
    }),
  ),
});

export const slabSeriesQuery = pointsQuery.extend({
  points: z.coerce.number().int().min(2).max(2000).default(120),
  /** So many of the largest and so many of those that changed most. */
  limit: z.coerce.number().int().min(1).max(500).default(20),
});

/** `at` in the forms of a window's end. */
export const snapshotAtQuery = z.object({
  at: z.string().max(64).default("now"),
  timezone: z.string().max(64).optional(),
});

/** Everything one node reported at the sample at or before a moment. */
export const snapshotAt = z.strictObject({
  nodeId: z.int(),
  at: epochMs,
  bootId: z.string(),
  uptimeSeconds: z.number().nullable(),
  /** Time of the sample that the less frequent counters come from. */
  extraAt: epochMs.nullable(),
  meminfo: z.record(z.string(), z.number()),
  vmstat: z.record(z.string(), z.number()),
  other: z.record(z.string(), z.number()),
  /** Numbers of the sections by the name of their metric, each the newest of the last hour. */
  counters: z.record(z.string(), z.number()),
  /** Sections that tell more than numbers, each the newest of the last day, with its time. */
  details: z.strictObject({
    vmalloc: dated(sourceSections.vmalloc.unwrap()),
    allocinfo: dated(sourceSections.allocinfo.unwrap()),
    modules: dated(sourceSections.modules.unwrap()),
    slabNames: dated(sourceSections.slabNames.unwrap()),
    cgroupTrees: dated(sourceSections.cgroupTrees.unwrap()),
    cgroupDirectories: dated(sourceSections.cgroupDirectories.unwrap()),
  }),
  smem: z.array(
    z.strictObject({
      area: z.string(),
      usedKib: z.number().nullable(),
      cacheKib: z.number().nullable(),
      noncacheKib: z.number().nullable(),
    }),
  ),
  /** Null where the sample has no MemFree, so that nothing can be composed. */
  usedMemory: usedMemory.nullable(),
  sources: z.record(z.string(), sourceReport),
});

/** One entry of `GET /api/v1/metrics`. */
export const metricDescription = z.strictObject({
  key: z.string(),
  label: z.string(),
  unit: z.string(),
  kind: z.enum(["gauge", "counter"]),
  description: z.string(),
});

export const metricList = z.strictObject({ metrics: z.array(metricDescription) });

export type CompositionMode = z.infer<typeof compositionMode>;
export type CompositionSeries = z.infer<typeof compositionSeries>;
export type MetricSeries = z.infer<typeof metricSeries>;
export type SlabSeries = z.infer<typeof slabSeries>;
export type SnapshotAt = z.infer<typeof snapshotAt>;
export type MetricList = z.infer<typeof metricList>;
