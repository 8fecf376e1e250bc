import { z } from "zod";
import { epochMs, storableText } from "./common.ts";

export const auditQuery = z.object({
  actor: storableText(200).optional(),
  action: storableText(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export type AuditQuery = z.infer<typeof auditQuery>;

export const auditEvent = z.strictObject({
  auditId: z.int(),
  at: epochMs,
  actor: z.string(),
  action: z.string(),
  /** What was written: `annotation 12`. */
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

export type AuditEvent = z.infer<typeof auditEvent>;

/** Newest first. `actors` and `actions`: all that occur, for a choice. */
export const auditList = z.strictObject({
  events: z.array(auditEvent),
  total: z.int(),
  actors: z.array(z.string()),
  actions: z.array(z.string()),
});

export type AuditList = z.infer<typeof auditList>;
