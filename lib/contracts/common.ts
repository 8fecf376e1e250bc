import { z } from "zod";
import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";

/** Text that PostgreSQL can store (no NUL, no half of a surrogate pair), up to `maxChars`. */
export function storableText(maxChars: number) {
  return z
    .string()
    .max(maxChars)
    .refine((value) => !value.includes("\u0000") && value.isWellFormed(), "contains NUL or broken Unicode");
}

/** As `storableText`, of at least one character that is no blank. */
export function shortText(maxChars: number) {
  return storableText(maxChars)
    .transform((value) => value.trim())
    .pipe(z.string().min(1));
}

/** An id as it stands in an address. */
export const rowId = z.coerce.number().int().min(1).max(2_147_483_647);

/** Lower and upper end of a 95 % interval, in the unit of the estimate beside it. */
export const interval = z
  .tuple([z.number(), z.number()])
  .meta({ description: "95 % interval: lower, upper end" });

/** Epoch milliseconds. */
export const epochMs = z.number().int();

/** Verdict on a trend. The sentence is a field of its own. */
export const trendVerdict = z.enum([
  "leaking",
  "growing",
  "stepped",
  "levelling-off",
  "flat",
  "shrinking",
  "insufficient",
]);

/** A window that trends are kept for; it ends when the worker last computed them. */
export const trendWindow = z.enum(TREND_WINDOWS);

/** Verdict on how a slope changed at a mark. */
export const slopeVerdict = z.enum([
  "stopped",
  "slowed",
  "unchanged",
  "faster",
  "started",
  "inconclusive",
  "too-early",
]);

/** Verdict on how a level changed at a mark; the amount stands in its own field. */
export const levelVerdict = z.enum(["freed", "added", "none", "inconclusive"]);

/** Where the points of an answer come from. */
export const resolution = z.strictObject({
  source: z.enum(["raw", "5min", "1h"]),
  /** Width of one bucket of the answer, in seconds. */
  bucketSeconds: z.number().positive(),
});

/** A stretch without samples. */
export const gap = z.strictObject({ from: epochMs, to: epochMs });

/** A boot that begins inside the answer. */
export const reboot = z.strictObject({
  at: epochMs,
  bootId: z.string(),
  /** Last sample of the boot before, when there is one. */
  lastSampleAt: epochMs.nullable(),
});

/**
 * `from` and `to` of an address: Grafana's relative forms, ISO 8601 or epoch milliseconds, read by `parseTimeRange`;
 * `timezone` says whose midnight `now/d` is.
 */
export const rangeQuery = z.object({
  from: z.string().max(64).default("now-6h"),
  to: z.string().max(64).default("now"),
  timezone: z.string().max(64).optional(),
});

/** Body of every error, RFC 9457. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  /** Of a save over a newer version: how it stands now, and what was sent. */
  conflict: z.strictObject({ current: z.unknown(), sent: z.unknown() }).optional(),
});
