import { z } from "zod";
import { annotation } from "./annotation.ts";
import { epochMs, interval } from "./common.ts";
import { trendQuery } from "./trend.ts";

export const changePointQuery = trendQuery;

/** A mark near a change point. Nearness is no cause. */
const nearbyAnnotation = z.strictObject({
  annotation,
  /** From the change point to the mark, in milliseconds; negative before it. */
  offsetMs: z.int(),
  /** Title and distance: "kubelet restarted, 20 min before". */
  text: z.string(),
});

/** A moment at which the slope changed. Slopes are in `unit` per hour. */
export const changePoint = z.strictObject({
  bootId: z.string(),
  at: epochMs,
  /** 95 % interval of the moment. */
  ci95: z.tuple([epochMs, epochMs]),
  slopePerHourBefore: z.number(),
  ci95Before: interval,
  slopePerHourAfter: z.number(),
  ci95After: interval,
  slopeChangePerHour: z.number(),
  ci95Change: interval,
  /** The sentence, with numbers. */
  text: z.string(),
  /** Marks near the interval, nearest first. */
  nearby: z.array(nearbyAnnotation),
});

/** When the slope of a metric changed in a window, boot by boot. */
export const changePointList = z.strictObject({
  nodeId: z.int(),
  metric: z.string(),
  unit: z.string(),
  from: epochMs,
  to: epochMs,
  verdict: z.enum(["changed", "unchanged", "insufficient"]),
  /** How many were found, or what is missing. */
  text: z.string(),
  method: z.string(),
  /** In order of time. */
  changePoints: z.array(changePoint),
  /** What lies between change points and reboots, each with its one slope; none where a boot has too little data. */
  stretches: z.array(
    z.strictObject({
      bootId: z.string(),
      from: epochMs,
      to: epochMs,
      slopePerHour: z.number(),
      ci95: interval,
    }),
  ),
});

export type ChangePoint = z.infer<typeof changePoint>;
export type ChangePointList = z.infer<typeof changePointList>;
