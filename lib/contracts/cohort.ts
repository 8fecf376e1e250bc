import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { z } from "zod";
import { epochMs, interval, trendVerdict, trendWindow } from "./common.ts";

export const cohortQuery = z.object({
  /** `cluster`, `kernelRelease`, `cgroupMode`, `version.<program>` or `label.<key>`; left out: the ranking alone. */
  attribute: z.string().max(300).optional(),
  metric: z.string().max(1100).default(DEFAULT_METRIC),
  window: trendWindow.default("24h"),
  cluster: z.string().max(300).optional(),
});

/** Nodes by what their trend says; neither undecided nor unknown ones count as healthy. */
export const cohortCounts = z.strictObject({
  nodes: z.int(),
  leaking: z.int(),
  /** Flat or shrinking. */
  healthy: z.int(),
  /** Growing, stepped or levelling off: not certain either way. */
  undecided: z.int(),
  /** Too little data, such as after a reboot, or no trend of the last day. */
  unknown: z.int(),
});

const attributeSummary = z.strictObject({
  attribute: z.string(),
  label: z.string(),
  verdict: z.enum(["separates", "no-difference", "cannot-say"]),
  /** One sentence with the numbers, or what is missing. */
  text: z.string(),
  /** Youden's J of foretelling a node from the others of its value: 1 always, 0 not at all; null where nothing can be said. */
  separation: z.number().nullable(),
  /** Smallest of its values, by Fisher's exact test, corrected by Holm over all values of all attributes. */
  pValue: z.number().nullable(),
  /** Attributes that separate as well, and that no node tells apart from this one. */
  sameAs: z.array(z.string()),
  /** Values that some node reports. */
  values: z.int(),
});

/** Nodes of one value against all nodes that report another. Slopes are in `unit` of the answer per hour. */
const valueCohort = z.strictObject({
  /** null: nodes that do not report the attribute. */
  value: z.string().nullable(),
  counts: cohortCounts,
  /** Share that leaks here less share elsewhere, of leaking and healthy nodes; null with fewer than 3 on a side. */
  leaking: z.strictObject({ difference: z.number(), ci95: interval, pValue: z.number() }).nullable(),
  /** The slopes against those elsewhere; null with fewer than 3 on a side. */
  slopes: z
    .strictObject({
      /** How often a node of this value grows faster than one of another. Cliff's delta is twice it less 1. */
      superiority: z.number(),
      superiorityCi95: interval,
      /** Hodges-Lehmann. */
      shiftPerHour: z.number(),
      shiftCi95: interval,
      /** Rank sum test, corrected by Holm over all values of all attributes. */
      pValue: z.number(),
    })
    .nullable(),
  /** Quartiles of the slopes of this value; null where no node has one. */
  quartilesPerHour: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  nodes: z.array(
    z.strictObject({
      nodeId: z.int(),
      name: z.string(),
      cluster: z.string(),
      /** null: no trend of the last day. */
      verdict: trendVerdict.nullable(),
      slopePerHour: z.number().nullable(),
    }),
  ),
});

/** What leaking nodes have in common. */
export const cohortComparison = z.strictObject({
  metric: z.string(),
  label: z.string(),
  unit: z.string(),
  window: trendWindow,
  cluster: z.string().nullable(),
  /** When the newest of the trends was computed; null when there is none. */
  computedAt: epochMs.nullable(),
  counts: cohortCounts,
  /** So many of the nodes are simulated: their numbers are made up. */
  simulated: z.int().min(0),
  text: z.string(),
  /** The best separating first. */
  attributes: z.array(attributeSummary),
  /** The attribute that was asked for. */
  selected: attributeSummary
    .omit({ values: true })
    .extend({ values: z.array(valueCohort) })
    .nullable(),
});

export type CohortQuery = z.infer<typeof cohortQuery>;
export type CohortComparison = z.infer<typeof cohortComparison>;
