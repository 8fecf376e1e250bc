import { z } from "zod";
import { epochMs, rowId, shortText } from "./common.ts";

export const findingState = z.enum(["new", "acknowledged", "resolved", "returned"]).meta({
  description:
    "new: not looked at by a person; acknowledged: by one, with a note; resolved: its evidence has been gone for six hours; " +
    "returned: it was resolved and is there again",
});

export const certainty = z.enum(["suspected", "firm"]).meta({
  description:
    "firm: two independent counters and, where only growth can prove it, a trend of a day or more; kept until it is resolved",
});

export const findingSeverity = z.enum(["info", "warning"]).meta({ description: "info: it is no leak" });

const value = z.strictObject({
  name: z.string().meta({ description: "A metric, or another quantity of the node" }),
  value: z.number(),
  unit: z.string(),
});

const item = z.strictObject({
  text: z.string(),
  values: z.array(value),
});

const check = z.strictObject({
  command: z.string().meta({ description: "For a person; Plumbline runs none of them" }),
  reading: z.string().meta({ description: "How its output is read" }),
});

/** What a signature says about a node, as it was last seen. */
export const findingDetail = z.strictObject({
  name: z.string(),
  kind: z.enum(["leak", "limit", "not-a-leak"]),
  what: z.string(),
  explainedKib: z.number().nullable(),
  explainedShare: z.number().nullable().meta({ description: "Part of the growth, of 1" }),
  evidence: z.array(item),
  counterEvidence: z.array(item),
  missing: z.array(z.string()).meta({ description: "What would have to be known to be surer" }),
  confirm: check,
  mitigate: z.string(),
  fix: z.string(),
  affectedVersions: z.string(),
  sources: z.array(z.string()),
});

export const findingChange = z.strictObject({
  at: epochMs,
  by: z.string(),
  became: z.enum([...findingState.options, "firm"]),
  note: z.string().nullable(),
});

/** A known leak, or what looks like one, on one node. */
export const finding = z.strictObject({
  findingId: z.int(),
  nodeId: z.int(),
  cluster: z.string(),
  node: z.string(),
  simulated: z.boolean(),
  signature: z.string(),
  severity: findingSeverity,
  certainty,
  state: findingState,
  stateAt: epochMs,
  firstSeenAt: epochMs,
  lastSeenAt: epochMs,
  score: z.number().meta({ description: "Ranks the findings of a node, 0 to 1" }),
  ...findingDetail.shape,
});

/** A finding with its history, oldest first. */
export const findingWithHistory = finding.extend({ history: z.array(findingChange) });

/** What is neither shown nor ruled out, though a band in which it would show grows. */
const possibility = z.strictObject({
  signature: z.string(),
  name: z.string(),
  missing: z.array(z.string()),
});

/** What was made of a node's history beside its findings. */
export const nodeReading = z.strictObject({
  possible: z.array(possibility),
  /** Tells the first two findings apart, or proves the only one. */
  discriminate: z.array(check.extend({ signature: z.string() })),
  /** What to look at next; null when there is no question. */
  askNext: z.string().nullable(),
  /** What of the history could not be read, and what that means for the reading. */
  notes: z.array(z.string()),
});

export const nodeFindings = z.strictObject({
  nodeId: z.int(),
  /** When the history was read, and which stretch of it; null until it was. */
  computedAt: epochMs.nullable(),
  from: epochMs.nullable(),
  to: epochMs.nullable(),
  /** Leaks and limits before what is none, those that hold before those that are resolved, best first. */
  findings: z.array(findingWithHistory),
  ...nodeReading.shape,
});

/** How many nodes have a signature. */
export const signatureCount = z.strictObject({
  signature: z.string(),
  name: z.string(),
  kind: findingDetail.shape.kind,
  severity: findingSeverity,
  nodes: z.int(),
  firm: z.int(),
  first: z.int().meta({ description: "Nodes on which no other finding fits better" }),
  states: z.record(findingState, z.int()),
});

export const findingList = z.strictObject({
  /** Of those that fit the filter. */
  findings: z.array(finding),
  total: z.int(),
  /** Of all that fit, the most frequent first, warnings before what is no leak. */
  signatures: z.array(signatureCount),
});

function repeated<Each extends z.ZodType>(each: Each) {
  return z.union([each, z.array(each).min(1).max(10)]);
}

export const findingListQuery = z.object({
  /** Repeated: any of them. Without it all but `resolved`. */
  state: repeated(findingState).optional(),
  signature: z.string().max(20).optional(),
  cluster: z.string().max(253).optional(),
  certainty: certainty.optional(),
  severity: findingSeverity.optional(),
  limit: z.coerce.number().int().min(1).max(2000).default(500),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

/** What a person may do with a finding. */
export const updateFinding = z.strictObject({
  state: z.literal("acknowledged"),
  note: shortText(2000).meta({ description: "What is known or being done about it" }),
});

export const findingParams = z.strictObject({ findingId: rowId });

/** What the list of nodes says of a node's findings: leaks and limits that hold, the best first. */
export const findingBrief = z.strictObject({
  signature: z.string(),
  name: z.string(),
  certainty,
  state: findingState,
});

export type Finding = z.infer<typeof finding>;
export type FindingBrief = z.infer<typeof findingBrief>;
export type FindingDetail = z.infer<typeof findingDetail>;
export type FindingList = z.infer<typeof findingList>;
export type FindingState = z.infer<typeof findingState>;
export type FindingWithHistory = z.infer<typeof findingWithHistory>;
export type NodeFindings = z.infer<typeof nodeFindings>;
export type NodeReading = z.infer<typeof nodeReading>;
export type SignatureCount = z.infer<typeof signatureCount>;
