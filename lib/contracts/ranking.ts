import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { z } from "zod";
import { epochMs, interval, trendVerdict, trendWindow } from "./common.ts";
import { timeLeft } from "./trend.ts";

/** A window of its own (`from`, `to`) is computed for the answer; one of the kept ones is only read. */
export const fleetRankingQuery = z.object({
  metric: z.string().max(1100).default(DEFAULT_METRIC),
  /** 24h unless `from` or `to` is given. */
  window: trendWindow.optional(),
  from: z.string().max(64).optional(),
  to: z.string().max(64).optional(),
  timezone: z.string().max(64).optional(),
  /** leaks: by verdict, then by the lower end of the interval. timeLeft: soonest end first. */
  sort: z.enum(["leaks", "timeLeft"]).default("leaks"),
  cluster: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
});

/** One node in its place. */
export const rankedNode = z.strictObject({
  /** From 1. */
  rank: z.int(),
  nodeId: z.int(),
  cluster: z.string(),
  name: z.string(),
  silent: z.boolean(),
  /** Insufficient too where there is no trend. Slopes in `unit` per hour. */
  verdict: trendVerdict,
  slopePerHour: z.number().nullable(),
  ci95: interval.nullable(),
  pValue: z.number().nullable(),
  n: z.int(),
  /** When its trend was computed, for a kept window also the end of that; null where there is none. */
  computedAt: epochMs.nullable(),
  /** Soonest first; null when nothing that rises significantly runs out. Memory by shmem alone: "memory (shmem)". */
  timeLeft: z.array(timeLeft).nullable(),
});

/** The fleet in order. */
export const fleetRanking = z.strictObject({
  metric: z.string(),
  unit: z.string(),
  /** Null when the window was given by its ends. */
  window: trendWindow.nullable(),
  from: epochMs,
  to: epochMs,
  source: z.enum(["stored", "recomputed"]),
  sorted: z.strictObject({ by: z.enum(["leaks", "timeLeft"]), text: z.string() }),
  nodes: z.array(rankedNode),
  /** Nodes that there are; more than `nodes` beyond the limit. */
  total: z.int(),
  /** Which nodes to drain or reboot first: those that still report and have a time left, soonest first. The text names silent ones apart. */
  drain: z.strictObject({ text: z.string(), nodeIds: z.array(z.int()) }),
});

export type FleetRankingQuery = z.infer<typeof fleetRankingQuery>;
export type RankedNode = z.infer<typeof rankedNode>;
export type FleetRanking = z.infer<typeof fleetRanking>;
