import { z } from "zod";
import { instant } from "#lib/domain/snapshot/schema.ts";
import { INVESTIGATION_STATUSES } from "#lib/domain/investigation/status.ts";
import { annotationScope, createAnnotation } from "./annotation.ts";
import { epochMs, rowId, shortText, storableText } from "./common.ts";

/** Longest Markdown of one text, in characters. */
export const MAX_MARKDOWN_CHARS = 100_000;
/** Longest dump that a pin holds, in characters. */
export const MAX_DUMP_CHARS = 200_000;
/** Most pins, and most hypotheses, of one investigation. */
export const MAX_PARTS = 200;
/** Most entries that one answer holds. */
export const MAX_ENTRIES = 1000;

export const investigationStatus = z.enum(INVESTIGATION_STATUSES).meta({
  description:
    "open: being looked into; watching: a remedy is being proved; resolved: concluded; reopened: it came back after that",
});

export const hypothesisState = z.enum(["open", "supported", "refuted"]);

/** What is shown of a page: a pin is an address and how to look at it. */
export const pinKind = z.enum(["chart", "table", "effect", "scatter", "comparison", "dump"]);

/** Why an entry is in the log: written by people, or by the program about what happened within scope and window. */
export const entryKind = z.enum([
  "note",
  /** Opened, status or state of a hypothesis changed, pinned: what people did to the investigation. */
  "change",
  "mark",
  "event",
  "reboot",
  "verdict",
  "returned",
]);

const markdown = storableText(MAX_MARKDOWN_CHARS);
const version = z.int().min(1).max(2_147_483_647);
const versionSent = version.meta({ description: "The version that the change was made on" });
const window = z.strictObject({
  from: epochMs,
  /** null while it goes on. */
  to: epochMs.nullable(),
});
const askedWindow = z.strictObject({ from: instant, to: instant.nullable().default(null) });
const people = z.array(shortText(200)).max(50);
const askedScope = createAnnotation.shape.scope;

/** What stands behind a hypothesis: a pin by its number, the effect of a mark on a node, or a finding by its signature. */
export const evidence = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("pin"), number: z.int().min(1).max(1_000_000) }),
  z.strictObject({
    kind: z.literal("effect"),
    annotationId: z.int().min(1).max(2_147_483_647),
    nodeId: z.int().min(1).max(2_147_483_647).optional(),
  }),
  z.strictObject({
    kind: z.literal("finding"),
    signature: shortText(100),
    nodeId: z.int().min(1).max(2_147_483_647).optional(),
  }),
]);

const evidenceList = z.array(evidence).max(50);

const written = {
  version,
  createdBy: z.string(),
  createdAt: epochMs,
  updatedBy: z.string(),
  updatedAt: epochMs,
};

export const hypothesis = z.strictObject({
  hypothesisId: z.int(),
  /** Markdown. */
  text: z.string(),
  state: hypothesisState,
  evidence: evidenceList,
  ...written,
});

export const pin = z.strictObject({
  pinId: z.int(),
  /** By which texts refer to it: `[[pin:3]]`. Never used again within an investigation. */
  number: z.int(),
  kind: pinKind,
  /** Page and parameters with an absolute window, from `/`; empty for a dump. */
  address: z.string(),
  caption: z.string(),
  /** The pasted text of a dump; null otherwise. */
  content: z.string().nullable(),
  position: z.int(),
  ...written,
});

/** Where an investigation comes from that was opened in another Plumbline, as its file says; a file may have been written by anybody. */
const imported = z.strictObject({
  /** Address of the Plumbline that it was read from; null where names were replaced. */
  origin: z.string().nullable(),
  /** When it was read there. */
  readAt: epochMs,
  importedBy: z.string(),
  importedAt: epochMs,
  /** SHA-256 of the content as it came, hexadecimal. */
  contentHash: z.string(),
});

/** An investigation without its parts. */
const head = {
  investigationId: z.int(),
  title: z.string(),
  status: investigationStatus,
  /** As written. */
  scope: annotationScope,
  /** The nodes the scope meant when it was saved. */
  nodeIds: z.array(z.int()),
  window,
  people: z.array(z.string()),
  /** null where it was opened here. */
  imported: imported.nullable(),
  ...written,
};

export const investigation = z.strictObject({
  ...head,
  /** Markdown: what is known so far, and in the end what was found. */
  conclusion: z.string(),
  /** Markdown: the document. Pins and figures stand in it as `[[pin:3]]` and `[[effect:12]]`. */
  text: z.string(),
  hypotheses: z.array(hypothesis),
  /** In order. */
  pins: z.array(pin),
});

export const investigationListItem = z.strictObject({
  ...head,
  pins: z.int(),
  hypotheses: z.strictObject({ open: z.int(), supported: z.int(), refuted: z.int() }),
});

export const investigationList = z.strictObject({
  investigations: z.array(investigationListItem),
  /** How many fit the filter. */
  total: z.int(),
});

export const investigationListQuery = z.object({
  status: investigationStatus.optional(),
  /** In title, conclusion, text or the name of a node; case does not matter. */
  search: storableText(200).optional(),
  nodeId: rowId.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export const deleteInvestigationQuery = z.object({
  /** Ends its links too: frozen ones would go on answering. */
  revokeLinks: z
    .enum(["0", "1"])
    .default("0")
    .transform((each) => each === "1"),
});

const address = storableText(4000);

export const createPin = z
  .strictObject({
    kind: pinKind,
    /** Relative times become moments when it is made. */
    address: address.default(""),
    caption: storableText(500).default(""),
    /** For a dump. */
    content: storableText(MAX_DUMP_CHARS).min(1).optional(),
  })
  .refine((value) => (value.kind === "dump") === (value.content !== undefined), {
    path: ["content"],
    message: "expected the text of a dump, for a dump alone",
  });

/** What is left out stays as it is. */
export const updatePin = z.strictObject({
  version: versionSent,
  caption: storableText(500).optional(),
  /** Its place among the pins, from 0. */
  position: z.int().min(0).max(MAX_PARTS).optional(),
});

export const createHypothesis = z.strictObject({
  text: shortText(MAX_MARKDOWN_CHARS),
  state: hypothesisState.default("open"),
  evidence: evidenceList.default([]),
});

/** What is left out stays as it is. */
export const updateHypothesis = z.strictObject({
  version: versionSent,
  text: shortText(MAX_MARKDOWN_CHARS).optional(),
  state: hypothesisState.optional(),
  evidence: evidenceList.optional(),
});

export const createInvestigation = z.strictObject({
  title: shortText(200),
  scope: askedScope,
  /** From now on where it is left out; from the window of the first pin where that has one. */
  window: askedWindow.optional(),
  conclusion: markdown.default(""),
  text: markdown.default(""),
  people: people.default([]),
  /** Pins that it begins with. */
  pins: z.array(createPin).max(20).default([]),
});

/** What is left out stays as it is. */
export const updateInvestigation = z.strictObject({
  version: versionSent,
  title: shortText(200).optional(),
  status: investigationStatus.optional(),
  scope: annotationScope.optional(),
  window: askedWindow.optional(),
  conclusion: markdown.optional(),
  text: markdown.optional(),
  people: people.optional(),
});

export const entry = z.strictObject({
  entryId: z.int(),
  at: epochMs,
  kind: entryKind,
  /** Markdown of a note; plain text of what the program wrote. */
  text: z.string(),
  madeBy: z.enum(["person", "api", "machine"]),
  /** The mark that it tells of. */
  annotationId: z.int().nullable(),
  nodeIds: z.array(z.int()),
  ...written,
});

export const entryList = z.strictObject({
  /** Newest first. */
  entries: z.array(entry),
  total: z.int(),
});

export const entryListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(MAX_ENTRIES),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export const createEntry = z.strictObject({
  /** When it happened; now where it is left out. */
  at: instant.optional(),
  text: shortText(MAX_MARKDOWN_CHARS),
});

/** What is left out stays as it is. */
export const updateEntry = z.strictObject({
  version: versionSent,
  at: instant.optional(),
  text: shortText(MAX_MARKDOWN_CHARS).optional(),
});

/** One change of the investigation or of a part of it. */
export const investigationRevision = z.strictObject({
  at: epochMs,
  by: z.string(),
  /** `investigation`, `hypothesis 3`, `pin 2` or `entry 7`. */
  subject: z.string(),
  action: z.enum(["created", "changed", "deleted"]),
  /** What stood before the change, by field; only fields that differ. Of a deletion all of it. */
  before: z.record(z.string(), z.unknown()),
  /** What stood after it, by the same fields; empty for a deletion. */
  after: z.record(z.string(), z.unknown()),
});

/** Everything that an investigation ever said, newest first; kept when it is taken away. */
export const investigationHistory = z.strictObject({
  investigationId: z.int(),
  deletedAt: epochMs.nullable(),
  revisions: z.array(investigationRevision),
  total: z.int(),
});

export const investigationHistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export type InvestigationStatus = z.infer<typeof investigationStatus>;
export type HypothesisState = z.infer<typeof hypothesisState>;
export type PinKind = z.infer<typeof pinKind>;
export type EntryKind = z.infer<typeof entryKind>;
export type Evidence = z.infer<typeof evidence>;
export type Hypothesis = z.infer<typeof hypothesis>;
export type Pin = z.infer<typeof pin>;
export type Investigation = z.infer<typeof investigation>;
export type InvestigationListItem = z.infer<typeof investigationListItem>;
export type InvestigationList = z.infer<typeof investigationList>;
export type InvestigationListQuery = z.infer<typeof investigationListQuery>;
export type CreatePin = z.infer<typeof createPin>;
export type UpdatePin = z.infer<typeof updatePin>;
export type CreateHypothesis = z.infer<typeof createHypothesis>;
export type UpdateHypothesis = z.infer<typeof updateHypothesis>;
export type CreateInvestigation = z.infer<typeof createInvestigation>;
export type UpdateInvestigation = z.infer<typeof updateInvestigation>;
export type Imported = z.infer<typeof imported>;
export type Entry = z.infer<typeof entry>;
export type EntryList = z.infer<typeof entryList>;
export type CreateEntry = z.infer<typeof createEntry>;
export type UpdateEntry = z.infer<typeof updateEntry>;
export type InvestigationHistory = z.infer<typeof investigationHistory>;
