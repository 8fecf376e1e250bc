import { z } from "zod";
import { instant } from "#lib/domain/snapshot/schema.ts";
import { epochMs, storableText } from "./common.ts";

/** live: follows the data; frozen: shows what was there when it was made, whatever happens to the data later. */
const shareKind = z.enum(["live", "frozen"]);

export const SHARE_PASSWORD_CHARS = { least: 8, most: 256 } as const;

export const createShare = z.strictObject({
  kind: shareKind.default("live"),
  /** Replaces names of hosts, users, clusters and labels, addresses and ids, the same for the same, before anything leaves. */
  redacted: z.boolean().default(false),
  expiresAt: instant.optional(),
  /** Asked of whoever opens the link. */
  password: storableText(SHARE_PASSWORD_CHARS.most).min(SHARE_PASSWORD_CHARS.least).optional(),
});

export const share = z.strictObject({
  shareId: z.int(),
  kind: shareKind,
  redacted: z.boolean(),
  /** freezing: its data are being copied, and nobody can open it yet; failed: that ended half-way. */
  state: z.enum(["freezing", "failed", "open", "expired", "revoked"]),
  hasPassword: z.boolean(),
  createdBy: z.string(),
  createdAt: epochMs,
  expiresAt: epochMs.nullable(),
  revokedAt: epochMs.nullable(),
  /** Times that somebody opened it. */
  uses: z.int(),
  /** Times that a program looked at it, such as a chat that draws a preview. */
  previews: z.int(),
  lastUsedAt: epochMs.nullable(),
  /** Of a frozen one: views and figures, and how many of them are copied. */
  parts: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
  frozenAt: epochMs.nullable(),
  /** SHA-256 of what a frozen one keeps, hexadecimal. */
  contentHash: z.string().nullable(),
});

/** The only answer that holds the path of the link. */
export const madeShare = share.extend({ path: z.string() });

/** Newest first; those that cannot be opened any more too. */
export const shareList = z.strictObject({ shares: z.array(share) });

/** A link that answers, with what it is of. */
export const openShare = share.extend({
  investigation: z.strictObject({
    investigationId: z.int(),
    title: z.string(),
    /** null while it stands; frozen links of one that was taken away go on answering. */
    deletedAt: epochMs.nullable(),
  }),
});

export const openShareList = z.strictObject({ shares: z.array(openShare), total: z.int() });

export const openShareQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

/** What the page of a link with a password sends. */
export const unlockShare = z.strictObject({
  token: z.string().max(100),
  password: z.string().max(SHARE_PASSWORD_CHARS.most),
});

export type CreateShare = z.infer<typeof createShare>;
export type Share = z.infer<typeof share>;
export type OpenShareList = z.infer<typeof openShareList>;
export type MadeShare = z.infer<typeof madeShare>;
