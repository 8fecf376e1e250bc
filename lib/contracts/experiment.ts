import { z } from "zod";
import { annotation, effect } from "./annotation.ts";
import { epochMs, rowId } from "./common.ts";

/** After how long an intervention is looked at; `return` is the look that found growth again. */
export const followUpHorizon = z.enum(["1h", "6h", "24h", "7d", "return"]);

/** Where an experiment stands; the verdicts stand in its follow-ups. */
export const experimentStatus = z.enum(["following", "settled", "returned", "cannot-say"]).meta({
  description:
    "following: more is to come; settled: a verdict, and nothing more to come; returned: growth that had stopped or slowed " +
    "is there again; cannot-say: the data allow no verdict",
});

/** What was found after so long, as it was computed then: the windows and the data are part of it. */
export const followUp = z.strictObject({
  followUpId: z.int(),
  /** null: all treated nodes as one. */
  nodeId: z.int().nullable(),
  metric: z.string(),
  horizon: followUpHorizon,
  dueAt: epochMs,
  computedAt: epochMs,
  /** When the data were last compared with those it was computed from. */
  checkedAt: epochMs,
  /** When late data, or a changed mark, put another in its place. */
  supersededAt: epochMs.nullable(),
  treatedNodeIds: z.array(z.int()),
  controlNodeIds: z.array(z.int()),
  /** SHA-256 of every point that was used. */
  dataHash: z.string(),
  effect: effect.omit({ nodeId: true }),
});

const namedNode = z.strictObject({
  nodeId: z.int(),
  cluster: z.string(),
  name: z.string(),
  simulated: z.boolean(),
});

export const experiment = z.strictObject({
  annotationId: z.int(),
  at: epochMs,
  endsAt: epochMs.nullable(),
  kind: annotation.shape.kind,
  title: z.string(),
  text: z.string().nullable(),
  author: z.string(),
  /** At most 50; `treatedCount` is how many there are. */
  treated: z.array(namedNode),
  treatedCount: z.int(),
  controls: annotation.shape.controls,
  /** Those that the newest follow-up compared with, or that were named. */
  controlNodes: z.array(namedNode),
  status: experimentStatus,
  statusAt: epochMs,
  returnedAt: epochMs.nullable(),
  /** The most telling first. */
  metrics: z.array(z.string()),
  nextLookAt: epochMs.nullable(),
  /** Those that hold; of several treated nodes also one for all. */
  followUps: z.array(followUp),
});

export const experimentList = z.strictObject({
  experiments: z.array(experiment),
  /** How many fit the filter. */
  total: z.int(),
});

export const experimentListQuery = z.object({
  status: experimentStatus.optional(),
  kind: z.enum(["intervention", "deploy"]).optional(),
  /** In the title, the text or the name of a treated node; case does not matter. */
  search: z.string().max(200).optional(),
  nodeId: rowId.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export type FollowUp = z.infer<typeof followUp>;
export type ExperimentStatus = z.infer<typeof experimentStatus>;
export type Experiment = z.infer<typeof experiment>;
export type ExperimentList = z.infer<typeof experimentList>;
export type ExperimentListQuery = z.infer<typeof experimentListQuery>;
