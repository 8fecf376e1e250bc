import { z } from "zod";
import { annotation, effect } from "./annotation.ts";
import { cohortCounts } from "./cohort.ts";
import { shortText, storableText } from "./common.ts";
import { comparison } from "./compare.ts";
import { correlation } from "./correlation.ts";
import {
  entryKind,
  evidence,
  hypothesisState,
  investigationStatus,
  MAX_ENTRIES,
  MAX_MARKDOWN_CHARS,
  MAX_PARTS,
  pinKind,
} from "./investigation.ts";
import { compositionMode, compositionSeries, metricSeries } from "./series.ts";
import { resolveTimezone } from "./time-range.ts";
import { trend } from "./trend.ts";

/** What the file of an export says that it is. */
export const EXPORT_FORMAT = "plumbline-investigation";

const text = storableText(20_000);
const name = storableText(500);
const markdown = storableText(MAX_MARKDOWN_CHARS);
/** Epoch milliseconds that the database can hold, up to the year 9999. */
const moment = z
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31));
const zone = z
  .string()
  .max(64)
  .refine(
    (value) => value !== "" && value !== "browser" && resolveTimezone(value) !== undefined,
    "expected utc or an IANA zone",
  );
/** Page and parameters; empty where it leads nowhere. */
const address = storableText(4000).refine(
  (value) => value === "" || /^\/(?![/\\])[^\u0000-\u0020\\]*$/.test(value),
  "expected a path from /",
);

const verdict = z.strictObject({
  word: name,
  tone: z.enum(["leaking", "growing", "flat", "shrinking", "unknown", "ok"]),
});
const table = z.strictObject({
  columns: z.array(text).max(100),
  rows: z.array(z.array(z.union([text, z.number(), z.null()])).max(100)).max(5000),
});
const window = z.strictObject({ fromMs: moment, toMs: moment }).refine(({ fromMs, toMs }) => toMs > fromMs, {
  path: ["toMs"],
  message: "expected a time after fromMs",
});
const pinnedNode = z.strictObject({
  nodeId: z.int(),
  name,
  window,
  zone,
  readAtMs: z.number(),
  annotations: z.array(annotation).max(2000),
});
const effects = z.array(effect).max(2000);
const effectFigure = z.strictObject({
  title: text,
  when: name,
  node: name,
  href: address,
  verdict,
  short: name,
  sentence: text,
});
const estimate = z.strictObject({ value: name, interval: name, pValue: name });
const cohorts = z.strictObject({
  sentence: text,
  below: text,
  counts: cohortCounts,
  attributes: z
    .array(
      z.strictObject({
        attribute: name,
        label: name,
        verdict,
        separation: name,
        pValue: name,
        values: name,
        text,
        chosen: z.boolean(),
        path: address,
      }),
    )
    .max(500),
  chosen: z
    .strictObject({
      attribute: name,
      label: name,
      text,
      unit: name,
      ticks: z.array(z.strictObject({ text: name, at: z.number() })).max(100),
      rows: z
        .array(
          z.strictObject({
            value: name.nullable(),
            label: name,
            fleetPath: address,
            nodes: name,
            leaking: name.optional(),
            aside: text,
            dots: z
              .array(
                z.strictObject({
                  nodeId: z.int(),
                  title: text,
                  kind: z.enum(["leaking", "undecided", "healthy"]),
                  at: z.number(),
                  offPx: z.number(),
                }),
              )
              .max(20_000),
            box: z.tuple([z.number(), z.number(), z.number()]).optional(),
            median: name,
            difference: estimate.optional(),
            shift: estimate.optional(),
            superiority: estimate.optional(),
          }),
        )
        .max(1000),
      table,
    })
    .optional(),
});

/** Whether times go forward, and each line has a value or a gap at each of them. */
function isInStep(timesMs: readonly number[], lines: readonly (readonly unknown[] | undefined)[]): boolean {
  return (
    timesMs.every((atMs, index) => index === 0 || atMs > (timesMs[index - 1] ?? Infinity)) &&
    lines.every((line) => line === undefined || line.length === timesMs.length)
  );
}

const IN_STEP = "expected times that go forward, and a value or null in each line at each of them";

/** What a pinned view showed: its series, marks, verdicts and sentences. */
const reading = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("composition"),
    node: pinnedNode,
    mode: compositionMode.optional(),
    atMs: z.number().optional(),
    composition: compositionSeries.refine(
      ({ timesMs, bands, totalKib, kernelNoncacheKib, kernelUnreclaimableKib }) =>
        isInStep(timesMs, [
          ...bands.map(({ valuesKib }) => valuesKib),
          totalKib,
          kernelNoncacheKib,
          kernelUnreclaimableKib,
        ]),
      IN_STEP,
    ),
    effects,
    trend: trend.optional(),
  }),
  z.strictObject({ kind: z.literal("effects"), node: pinnedNode, effects }),
  z.strictObject({
    kind: z.literal("caches"),
    node: pinnedNode,
    caches: z.array(name).max(20),
    series: metricSeries.refine(
      ({ timesMs, series }) =>
        isInStep(
          timesMs,
          series.flatMap(({ values, min, max }) => [values, min, max]),
        ),
      IN_STEP,
    ),
  }),
  z.strictObject({ kind: z.literal("effect"), figure: effectFigure }),
  z.strictObject({
    kind: z.literal("scatter"),
    nodeName: name,
    correlation,
    zone,
    readAtMs: z.number(),
  }),
  z.strictObject({ kind: z.literal("comparison"), comparison, band: name.optional() }),
  z.strictObject({ kind: z.literal("cohorts"), model: cohorts }),
  z.strictObject({ kind: z.literal("table"), table, note: text }),
  z.strictObject({
    kind: z.literal("dump"),
    verdict: name,
    dominant: text,
    findings: z.array(z.strictObject({ name: text, evidence: z.array(text).max(200) })).max(200),
    warnings: z.array(text).max(1000),
  }),
  z.strictObject({ kind: z.literal("unreadable"), message: text }),
]);

const head = z.strictObject({
  title: shortText(200),
  status: investigationStatus,
  conclusion: markdown,
  text: markdown,
  window: z
    .strictObject({ from: moment, to: moment.nullable() })
    .refine(({ from, to }) => to === null || to > from, {
      path: ["to"],
      message: "expected a time after from",
    }),
  people: z.array(shortText(200)).max(50),
  openedBy: name,
  openedAt: moment,
  changedAt: moment,
  nodes: z.array(name).max(10_000),
  hypotheses: z
    .array(z.strictObject({ text: markdown, state: hypothesisState, evidence: z.array(evidence).max(50) }))
    .max(MAX_PARTS),
  pins: z
    .array(
      z.strictObject({
        number: z.int().min(1).max(1_000_000),
        kind: pinKind,
        caption: storableText(500),
        createdBy: name,
        address,
      }),
    )
    .max(MAX_PARTS)
    .refine(
      (pins) => new Set(pins.map(({ number }) => number)).size === pins.length,
      "two pins have one number",
    ),
  /** Newest first. */
  entries: z
    .array(
      z.strictObject({
        entryId: z.int(),
        at: moment,
        kind: entryKind,
        text: markdown,
        madeBy: z.enum(["person", "api", "machine"]),
        createdBy: name,
      }),
    )
    .max(MAX_ENTRIES),
  zone,
});

/** Everything that an investigation showed, in the form of a frozen share but for the moment of reading. */
export const investigationContent = z
  .strictObject({
    version: z.literal(1),
    head,
    /** By the number of the pin. */
    readings: z.record(z.string().regex(/^[1-9]\d{0,6}$/), reading),
    /** By how a text refers to them. */
    effects: z.record(
      z.string().regex(/^\[\[effect:[1-9]\d{0,8}(?:@[1-9]\d{0,8})?\]\]$/),
      z.union([effectFigure, z.strictObject({ message: text })]),
    ),
  })
  .superRefine(({ head: { pins }, readings }, context) => {
    for (const { number } of pins) {
      if (readings[number] === undefined)
        context.addIssue({
          code: "custom",
          path: ["readings", number],
          message: "expected what the pin shows",
        });
    }
  });

/** An investigation as a file that another Plumbline can take in. */
export const investigationFile = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  /** Where it was read; null where names are replaced. */
  origin: z
    .string()
    .max(500)
    .regex(/^https?:\/\/[^\s/?#\\@]+$/, "expected http:// or https:// and a host")
    .nullable(),
  /** When its data were read, and when the file was made. */
  readAt: moment,
  madeAt: moment,
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits")
    .meta({ description: "SHA-256 of `content` as canonical JSON (RFC 8785), hexadecimal" }),
  content: investigationContent,
});

export type InvestigationFile = z.infer<typeof investigationFile>;
