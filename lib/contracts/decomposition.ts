import { z } from "zod";
import { epochMs, interval, rangeQuery } from "./common.ts";

export const decompositionQuery = rangeQuery;

/** One part of a whole that grows. `share` is null unless the whole grew significantly; negative for what shrank. */
const part = z.strictObject({
  key: z.string(),
  label: z.string(),
  slopeKibPerHour: z.number(),
  ci95: interval,
  share: z.number().nullable(),
  shareCi95: interval.nullable(),
});

/** A whole and its parts: their slopes sum to that of the whole. */
const whole = z.strictObject({
  slopeKibPerHour: z.number(),
  ci95: interval,
  pValue: z.number(),
  /** The whole grew, at 1 %. */
  significant: z.boolean(),
  n: z.int(),
  /** First and last sample used. */
  from: epochMs,
  to: epochMs,
  /** Largest growth first. */
  parts: z.array(part),
});

/** What the growth of unreclaimable kernel memory in a window is made of. */
export const decomposition = z.strictObject({
  nodeId: z.int(),
  from: epochMs,
  to: epochMs,
  verdict: z.enum(["growing", "not-growing", "insufficient"]),
  /** One sentence with the largest parts, or why there are none. */
  text: z.string(),
  method: z.string(),
  /** Bands of the composition; null where there is too little data. */
  bands: whole.nullable(),
  /** Caches within unreclaimable slab, the rest of it as one part; null where slab caches are not read. */
  slab: whole.nullable(),
});

export type Decomposition = z.infer<typeof decomposition>;
export type DecomposedWhole = z.infer<typeof whole>;
