import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { z } from "zod";
import { epochMs, interval, rangeQuery, trendVerdict } from "./common.ts";

export const trendQuery = rangeQuery.extend({ metric: z.string().default(DEFAULT_METRIC) });

/** When something of a node runs out by a trend; an open far end is null. */
export const timeLeft = z.strictObject({
  what: z.string().meta({ description: "memory, memory-cgroup ids, inodes of /run" }),
  at: epochMs,
  ci95: z.tuple([epochMs, epochMs.nullable()]),
  since: epochMs.optional().meta({
    description:
      "since when the growth goes on that this rests on: the last change of slope or boot of the window, or its first point",
  }),
});

/** Slope of one metric with its interval, and what it amounts to. Slopes are in `unit` per hour. */
export const trend = z.strictObject({
  metric: z.string(),
  unit: z.string(),
  from: epochMs,
  to: epochMs,
  verdict: trendVerdict,
  /** One sentence with the numbers, or what is missing. */
  text: z.string(),
  slopePerHour: z.number().nullable(),
  ci95: interval.nullable(),
  pValue: z.number().nullable(),
  n: z.int(),
  method: z.string(),
  /** Lag-1 autocorrelation of the residuals, bias-corrected. */
  phi: z.number().nullable(),
  boots: z.array(
    z.strictObject({
      bootId: z.string(),
      from: epochMs,
      to: epochMs,
      n: z.int(),
      slopePerHour: z.number().nullable(),
      ci95: interval.nullable(),
    }),
  ),
  /** When the node runs out, while it grows significantly; an open end is null. */
  exhaustion: timeLeft.nullable(),
});

export type TimeLeft = z.infer<typeof timeLeft>;
export type Trend = z.infer<typeof trend>;
