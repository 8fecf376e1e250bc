import { z } from "zod";
import { epochMs, rangeQuery, trendVerdict } from "./common.ts";
import { timeLeft } from "./trend.ts";

/** `metric` may be repeated; without it everything on the node that has an end. */
export const forecastQuery = rangeQuery.extend({
  metric: z
    .union([z.string(), z.array(z.string()).max(12)])
    .optional()
    .transform((each) => (each === undefined ? undefined : Array.isArray(each) ? each : [each])),
});

/** A line with its 95 % band, columnar, in `unit`. */
const band = z.strictObject({
  timesMs: z.array(epochMs),
  values: z.array(z.number()),
  low: z.array(z.number()),
  high: z.array(z.number()),
});

/** The trend of a metric as lines, and where it leads. */
export const forecast = z.strictObject({
  metric: z.string(),
  label: z.string(),
  unit: z.string(),
  /** What runs out; null for a metric without an end. */
  what: z.string().nullable(),
  verdict: trendVerdict,
  /** When it runs out with interval, or why nothing is foreseen. */
  text: z.string(),
  /** One line a boot with the slope of the whole window; where growth changed or the node booted, the last with the slope since. */
  lines: z.array(band.extend({ bootId: z.string() })),
  /** From the newest sample to the end; null while silent. */
  fan: band.extend({ limit: z.number() }).nullable(),
  /** When it runs out; an open end is null. */
  exhaustion: timeLeft.nullable(),
  /** Why there is no forecast; null when there is one. */
  silentBecause: z.string().nullable(),
});

export const forecastList = z.strictObject({
  nodeId: z.int(),
  from: epochMs,
  to: epochMs,
  forecasts: z.array(forecast),
});

export type Forecast = z.infer<typeof forecast>;
export type ForecastList = z.infer<typeof forecastList>;
