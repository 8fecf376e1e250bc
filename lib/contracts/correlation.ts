import { DEFAULT_DRIVER, DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { z } from "zod";
import { epochMs, interval, rangeQuery } from "./common.ts";

export const correlationQuery = rangeQuery.extend({
  metric: z.string().default(DEFAULT_METRIC),
  /** What growth is held against: `containers.started`, a series of who creates them, or `watch.<directory>.files`. */
  driver: z.string().default(DEFAULT_DRIVER),
  /** Width of the windows of the scatter, such as `1h`; chosen by the data when it is left out. */
  window: z.string().max(32).optional(),
});

const estimate = z.strictObject({ value: z.number(), ci95: interval });

/** What memory has to do with containers. The sentence is a field of its own. */
const correlationVerdict = z.enum([
  "leaves-behind",
  "in-use",
  "unrelated",
  "cannot-separate",
  "insufficient",
]);

/** Why containers cannot be told from something else. */
const separationObstacle = z.enum(["live-unknown", "steady-rate", "collinear", "wide-interval"]);

/**
 * Growth of a metric against creation of containers. Amounts are in `unit`, which is KiB for every metric that is memory. What
 * cannot be said is null.
 */
export const correlation = z.strictObject({
  metric: z.string(),
  driver: z.string(),
  unit: z.string(),
  from: epochMs,
  to: epochMs,
  verdict: correlationVerdict,
  /** With `cannot-separate`. */
  obstacle: separationObstacle.nullable(),
  /** The numbers in one to three sentences; where they cannot be told apart, the experiment that would. */
  text: z.string(),
  /** Left behind by each container that is created. */
  kibPerContainer: z.number().nullable(),
  ci95: interval.nullable(),
  /** Held by each container while it lives. */
  kibPerLiveContainer: estimate.nullable(),
  /** Growth that goes with neither. */
  backgroundKibPerHour: estimate.nullable(),
  /** Mean rate of creation. */
  containersPerHour: z.number().nullable(),
  /** Of slope against rate, over the windows in `points`. */
  pearson: z.number().nullable(),
  spearman: z.number().nullable(),
  /** By how much creation comes before growth; those from `from` to `to` fit as well. Null when no lag is better than another. */
  bestLag: z
    .strictObject({ ms: z.number(), coefficient: z.number(), from: z.number(), to: z.number() })
    .nullable(),
  /** Points of the regression. */
  n: z.int(),
  method: z.string(),
  /** Width of one window of the scatter. */
  windowMs: z.number().nullable(),
  points: z
    .array(z.tuple([z.number(), z.number(), epochMs]))
    .meta({ description: "containers/h, slope in unit/h, middle of the window in epoch ms" }),
  /** Growth at a rate of creation while the number alive stays, with its 95 % band. */
  line: z
    .strictObject({
      points: z
        .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
        .meta({ description: "containers/h, slope in unit/h, lower and upper end of the band" }),
    })
    .nullable(),
  /** A deed in the window that halved or doubled creation, and with it stopped, slowed, started or hastened the growth. */
  backedBy: z
    .strictObject({
      annotationId: z.int(),
      at: epochMs,
      title: z.string(),
      containersPerHourBefore: z.number(),
      containersPerHourAfter: z.number(),
      slopeVerdict: z.enum(["stopped", "slowed", "started", "faster"]),
    })
    .nullable(),
  /** Metrics that the node did not report in this window and that would be needed. */
  missing: z.array(z.string()).optional(),
});

export type Correlation = z.infer<typeof correlation>;
