import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { z } from "zod";
import { instant } from "#lib/domain/snapshot/schema.ts";
import { textMap } from "#lib/domain/snapshot/text-map.ts";
import {
  epochMs,
  interval,
  levelVerdict,
  rangeQuery,
  rowId,
  shortText,
  slopeVerdict,
  storableText,
} from "./common.ts";

/** What people mark. */
export const personKind = z.enum(["intervention", "deploy", "incident", "note"]);

/** What collectors report as having happened; anything else that they report is an `event`. */
export const eventKind = z.enum([
  "oom-kill",
  "allocation-failure",
  "limit-reached",
  "eviction",
  "memory-pressure",
  "drop-caches",
  "restart",
]);

/** What marks itself. */
export const machineKind = z.enum([
  "reboot",
  "kernel-change",
  "version-change",
  "collector-silent",
  "boot-conflict",
  "finding",
  ...eventKind.options,
  "event",
]);

export type MachineKind = z.infer<typeof machineKind>;

export const annotationKind = z.enum([...personKind.options, ...machineKind.options]);

const labels = textMap({ entries: 64, keyChars: 200, valueChars: 500, valuesAreText: false });

/**
 * Which nodes a mark is about: those named, those with all labels, those of a cluster; several of these narrow one
 * another, `{}` means all.
 */
export const annotationScope = z.strictObject({
  nodes: z
    .array(
      z.union(
        [
          z.int().min(1).max(2_147_483_647),
          z.strictObject({ cluster: storableText(253), name: storableText(253) }),
        ],
        { error: "expected the id of a node, or its cluster and name" },
      ),
    )
    .max(10_000)
    .optional(),
  labels: labels.optional(),
  cluster: storableText(253).optional(),
});

/** A scope as it is asked for: an empty part would narrow nothing, and so mean every node without saying so. */
const askedScope = annotationScope.extend({
  labels: labels
    .refine(
      (value) => typeof value !== "object" || Object.keys(value ?? {}).length > 0,
      "expected at least one label; leave labels out to mean nodes with any",
    )
    .optional(),
});

/**
 * With what a deed is compared: `auto` takes nodes of the same cluster that nothing was done to meanwhile, chosen when it is
 * studied; `none` compares with nothing; a scope names the nodes, less those that are treated.
 */
export const annotationControls = z
  .union([z.enum(["auto", "none"]), annotationScope])
  .meta({ description: "`auto`: untouched nodes of the same cluster; `none`; or a scope" });

const askedControls = z
  .union([z.enum(["auto", "none"]), askedScope], {
    error: "expected auto, none, or a scope of nodes, labels or a cluster",
  })
  .meta({ description: "`auto`: untouched nodes of the same cluster; `none`; or a scope" });

const text = storableText(10_000);
const tags = z.array(shortText(64)).max(20);

/** Nothing was measured before: an earlier time is a field that was never set, or epoch seconds. */
export const EARLIEST_MARK_MS = Date.parse("2000-01-01T00:00:00Z");
/** What is said of such a time. */
export const TOO_EARLY = "expected a time from the year 2000 on; epoch times are in milliseconds";

// What is no moment at all has been said already.
const markInstant = instant.refine((atMs) => atMs < 0 || atMs >= EARLIEST_MARK_MS, {
  message: TOO_EARLY,
});

export const createAnnotation = z.strictObject({
  at: markInstant,
  /** For a stretch of time; after `at`. */
  endsAt: markInstant.optional(),
  scope: askedScope.default({}),
  /** For interventions and deployments. */
  controls: askedControls.default("auto"),
  kind: personKind,
  title: shortText(200),
  text: text.optional(),
  tags: tags.optional(),
});

/** What is left out stays as it is; null takes away. */
export const updateAnnotation = z.strictObject({
  at: markInstant.optional(),
  endsAt: markInstant.nullable().optional(),
  scope: askedScope.optional(),
  controls: askedControls.optional(),
  kind: personKind.optional(),
  title: shortText(200).optional(),
  text: text.nullable().optional(),
  tags: tags.optional(),
});

export const annotation = z.strictObject({
  annotationId: z.int(),
  at: epochMs,
  endsAt: epochMs.nullable(),
  /** As written. */
  scope: annotationScope,
  /** The nodes the scope meant when it was saved. */
  nodeIds: z.array(z.int()),
  controls: annotationControls,
  /** The nodes that a scope of controls meant when it was saved; empty for `auto` and `none`. */
  controlNodeIds: z.array(z.int()),
  kind: annotationKind,
  title: z.string(),
  text: z.string().nullable(),
  tags: z.array(z.string()),
  /** Who or what wrote it. */
  author: z.string(),
  madeBy: z.enum(["person", "api", "machine"]),
  createdAt: epochMs,
  updatedAt: epochMs,
  /** When it was taken away; null while it stands. */
  deletedAt: epochMs.nullable(),
});

/** `total` counts what fits; `annotations` holds the newest of that, after `offset` of them. */
export const annotationList = z.strictObject({ annotations: z.array(annotation), total: z.int() });

/** Most marks that one answer holds. */
export const MAX_ANNOTATIONS = 2000;

/** A parameter that may be repeated. */
function repeated<Each extends z.ZodType>(each: Each) {
  return z.union([each, z.array(each).min(1).max(20)]);
}

export const annotationListQuery = rangeQuery.extend({
  from: z.string().max(64).default("now-30d"),
  nodeId: rowId.optional(),
  /** Repeated: any of them. */
  kind: repeated(annotationKind).optional(),
  /** Repeated: all of them. */
  tag: repeated(shortText(64)).optional(),
  /** Part of title, text, author or the name of a node, in any case; or a whole tag. */
  search: storableText(200).optional(),
  /** `deleted`: those that were taken away. */
  state: z.enum(["kept", "deleted"]).default("kept"),
  limit: z.coerce.number().int().min(1).max(MAX_ANNOTATIONS).default(MAX_ANNOTATIONS),
  /** Of the newest, how many to leave out. */
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

/** Tags that marks have, the most used first. */
export const annotationTagList = z.strictObject({
  tags: z.array(z.strictObject({ tag: z.string(), count: z.int() })),
});

/** Names of what may be set of a mark, with the nodes that its scopes meant. */
export const ANNOTATION_FIELDS = {
  at: true,
  endsAt: true,
  scope: true,
  nodeIds: true,
  controls: true,
  controlNodeIds: true,
  kind: true,
  title: true,
  text: true,
  tags: true,
} as const;

export const annotationFields = annotation.pick(ANNOTATION_FIELDS);

/** How a mark stood after somebody wrote it. */
export const annotationVersion = z.strictObject({
  at: epochMs,
  by: z.string(),
  action: z.enum(["created", "changed", "deleted"]),
  /** Names of the fields that differ from the version before. */
  changed: z.array(z.string()),
  mark: annotationFields,
});

/** Everything that a mark ever said, oldest first; kept when it is taken away. */
export const annotationHistory = z.strictObject({
  annotationId: z.int(),
  deletedAt: epochMs.nullable(),
  versions: z.array(annotationVersion),
});

const side = z.strictObject({
  from: epochMs,
  to: epochMs,
  n: z.int(),
  slopePerHour: z.number().nullable(),
  ci95: interval.nullable(),
});

/** Slope and level of one metric before and after a mark. Slopes are in `unit` per hour. */
export const effect = z.strictObject({
  annotationId: z.int(),
  nodeId: z.int(),
  at: epochMs,
  metric: z.string(),
  unit: z.string(),
  method: z.string(),
  before: side,
  after: side,
  slopeChange: z.strictObject({ perHour: z.number(), ci95: interval }).nullable(),
  levelChange: z.strictObject({ value: z.number(), ci95: interval }).nullable(),
  slopeVerdict,
  levelVerdict,
  /** Nodes left alone meanwhile, and the change they showed; null while there are none. */
  controls: z.strictObject({ nodes: z.int(), differencePerHour: z.number(), ci95: interval }).nullable(),
  /** The sentence, with numbers. */
  text: z.string(),
  /** With `too-early`: when there will be enough data. */
  enoughAt: epochMs.nullable(),
});

export const effectQuery = z.object({
  metric: z.string().default(DEFAULT_METRIC),
  /** How far to look to either side, e.g. `6h`; cut at neighbouring interventions and reboots. */
  before: z.string().max(20).default("6h"),
  after: z.string().max(20).default("6h"),
  /** Zone of the times in the sentence. */
  timezone: z.string().max(64).optional(),
});

export const effectListQuery = rangeQuery.extend({
  from: z.string().max(64).default("now-24h"),
  ...effectQuery.shape,
});

export const effectList = z.strictObject({ effects: z.array(effect) });

export type CreateAnnotation = z.infer<typeof createAnnotation>;
export type UpdateAnnotation = z.infer<typeof updateAnnotation>;
export type Annotation = z.infer<typeof annotation>;
export type AnnotationControls = z.infer<typeof annotationControls>;
export type AnnotationScope = z.infer<typeof annotationScope>;
export type AnnotationFields = z.infer<typeof annotationFields>;
export type AnnotationHistory = z.infer<typeof annotationHistory>;
export type AnnotationVersion = z.infer<typeof annotationVersion>;
export type EffectList = z.infer<typeof effectList>;
export type AnnotationKind = z.infer<typeof annotationKind>;
export type Effect = z.infer<typeof effect>;
