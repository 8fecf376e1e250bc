import { z } from "zod";
import { epochMs, interval, trendVerdict } from "./common.ts";

/** Growth of a counter of /proc/meminfo that caches are part of. */
const whole = z.strictObject({
  slopeKibPerHour: z.number(),
  ci95: interval,
  /** It grew, at 1 %: only then do its caches have shares. */
  significant: z.boolean(),
});

/** One slab cache: as it stood at the newest sample of the window, and how it grew over the window. */
export const slabCacheGrowth = z.strictObject({
  name: z.string(),
  /** Whether SReclaimable counts it, told from its name: slabinfo does not say. */
  reclaimable: z.boolean(),
  objSizeBytes: z.number(),
  /** Null where the newest sample does not have the cache. */
  objects: z.number().nullable(),
  activeObjects: z.number().nullable(),
  sizeKib: z.number().nullable(),
  /** `leaking` only where it stands after Benjamini-Hochberg over all caches of the node. */
  verdict: trendVerdict,
  slopeKibPerHour: z.number().nullable(),
  ci95: interval.nullable(),
  pValue: z.number().nullable(),
  /** Part of the growth of SUnreclaim or SReclaimable; null unless that grew significantly. */
  share: z.number().nullable(),
  shareCi95: interval.nullable(),
});

/** Every slab cache that was sent in a window: the 40 largest of each sample and those that signatures need. Largest lower end of its growth first. */
export const slabGrowth = z.strictObject({
  nodeId: z.int(),
  from: epochMs,
  to: epochMs,
  /** Time of the newest sample of slab caches in the window; null when there is none. */
  sampleAt: epochMs.nullable(),
  /** Samples of each cache that the growth was estimated from, at most. */
  points: z.int(),
  SUnreclaim: whole.nullable(),
  SReclaimable: whole.nullable(),
  /**
   * SUnreclaim and SReclaimable less the caches of the newest sample, KiB: what the caches that are not sent hold, and from
   * kernel 5.4 kmallocs larger than a slab. Null where a counter or the sample is missing.
   */
  unsentKib: z.number().nullable(),
  caches: z.array(slabCacheGrowth),
});

export type SlabGrowth = z.infer<typeof slabGrowth>;
export type SlabCacheGrowth = z.infer<typeof slabCacheGrowth>;
