import { z } from "zod";
import { sourceStatus } from "#lib/domain/snapshot/schema.ts";
import { epochMs, trendWindow } from "./common.ts";
import { findingBrief } from "./finding.ts";
import { timeLeft, trend } from "./trend.ts";

/** KiB of each band at one moment; null where the kernel does not report it. Keys of `BANDS`. */
export const bandValues = z.record(z.string(), z.number().nullable());

export const sourceReport = z.strictObject({
  status: sourceStatus,
  readMs: z.number().optional(),
  detail: z.string().optional(),
  /** Since when it has this status, by the node's clock; with a node's newest state alone. */
  since: epochMs.optional(),
});

/** One node as a list of nodes has it. */
export const fleetNode = z.strictObject({
  nodeId: z.int(),
  cluster: z.string(),
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  /** Its numbers are made up: it carries the label `simulated`. */
  simulated: z.boolean(),
  kernelRelease: z.string(),
  cpus: z.int(),
  pageSizeBytes: z.int().nullable(),
  /** kernel, runtime, runc, crun, kubelet, … as the collector found them. */
  versions: z.record(z.string(), z.string()),
  cgroupMode: z.enum(["v1", "v2"]).nullable(),
  bootId: z.string(),
  bootedAt: epochMs,
  firstSeenAt: epochMs,
  /** Time of the newest snapshot, by the node's clock. */
  lastSeenAt: epochMs,
  /** The collector has been silent for longer than it should. */
  silent: z.boolean(),
  /** Two boots report under this name at once. */
  conflict: z.boolean(),
  memTotalKib: z.number(),
  memAvailableKib: z.number().nullable(),
  bands: bandValues,
  /** As `smem -w` counts it; null where the kernel lacks one of its counters. */
  kernelNoncacheKib: z.number().nullable(),
  /** Null where a snapshot has no MemFree, so that nothing can be composed. */
  kernelUnreclaimableKib: z.number().nullable(),
  /** Containers started per hour over the last hour; null when not known. */
  containersPerHour: z.number().nullable(),
  containersLive: z.number().nullable(),
  cgroups: z.strictObject({
    count: z.number().nullable(),
    live: z.number().nullable(),
    dying: z.number().nullable(),
    /** Memory-cgroup ids in use by this kernel's rule (dying ones hold an id before 4.8), of 65,535. */
    idsHeld: z.number().nullable(),
    idLimit: z.literal(65_535),
  }),
  watch: z.array(z.strictObject({ path: z.string(), files: z.number(), atLeast: z.boolean().optional() })),
  /** Names of sources that are not `ok` although the kernel could offer them. */
  blindSources: z.array(z.string()),
  collector: z
    .strictObject({ cpuSeconds: z.number(), rssKib: z.number(), version: z.string().optional() })
    .nullable(),
  /** Unreclaimable kernel memory over the last 24 h, at most 48 points. */
  sparkline: z.strictObject({ timesMs: z.array(epochMs), valuesKib: z.array(z.number().nullable()) }),
  /** Trend of the metric and window asked for, by default unreclaimable kernel memory over 24 h; null until there is one. */
  trend: trend.nullable(),
  /** What runs out by the trends over that window, of whatever metric: soonest first. Null when nothing does. */
  timeLeft: z.array(timeLeft).nullable(),
  /** Known leaks and limits that were found on it and hold, the best first. */
  findings: z.array(findingBrief),
});

/** One node alone: as lists have it, and how reading each of its sources went. */
export const nodeSummary = fleetNode.extend({ sources: z.record(z.string(), sourceReport) });

const nodeSort = z.enum([
  "leaks",
  "name",
  "kernelUnreclaimable",
  "growth",
  "timeLeft",
  "containersPerHour",
  "cgroups",
  "lastSeen",
]);

export const nodeList = z.strictObject({
  nodes: z.array(fleetNode),
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  /** What the list is sorted by, and which trends it shows. */
  sorted: z.strictObject({
    by: nodeSort,
    order: z.enum(["asc", "desc"]),
    metric: z.string(),
    window: trendWindow,
    /** The same as a sentence. */
    text: z.string(),
  }),
});

export const nodeListQuery = z.object({
  cluster: z.string().optional(),
  name: z.string().optional(),
  /** Part of a name, a cluster, a kernel or a label, in any case. */
  search: z.string().max(200).optional(),
  /** A whole kernel release. */
  kernel: z.string().optional(),
  /** As `GET /api/v1/cohorts` has them; without `value` the nodes that do not report the attribute. */
  attribute: z.string().max(300).optional(),
  value: z.string().max(500).optional(),
  /**
   * `leaks`: by verdict, then by the lower end of the interval; `growth`: by the lower end alone; `timeLeft`: by what runs
   * out first.
   */
  sort: nodeSort.default("leaks"),
  /** By default desc, and asc for the time left. */
  order: z.enum(["asc", "desc"]).optional(),
  /** Of the trends that are shown and sorted by. */
  metric: z.string().max(1100).optional(),
  window: trendWindow.optional(),
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(2000).default(200),
});

export type FleetNode = z.infer<typeof fleetNode>;
export type NodeSummary = z.infer<typeof nodeSummary>;
export type NodeList = z.infer<typeof nodeList>;
export type NodeListQuery = z.infer<typeof nodeListQuery>;
