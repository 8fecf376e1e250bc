import { z } from "zod";
import { instant } from "#lib/domain/snapshot/schema.ts";
import { epochMs, shortText } from "./common.ts";

/** What a token may do: send snapshots, write annotations, read everything of its cluster. */
export const tokenScope = z.enum(["read", "snapshots:write", "annotations:write"]);

const name = shortText(100);

/** A token for one cluster, which is made when it does not exist yet; without `cluster`, for reading all of them. */
export const issueToken = z
  .strictObject({
    name,
    cluster: name.optional(),
    scopes: z.array(tokenScope).min(1).max(3),
    expiresAt: instant.optional(),
  })
  .refine(({ cluster, scopes }) => cluster !== undefined || !scopes.includes("snapshots:write"), {
    message: "snapshots are of one cluster: expected cluster",
    path: ["cluster"],
  });

export const token = z.strictObject({
  tokenId: z.int(),
  name: z.string(),
  cluster: z.string().nullable(),
  /** The visible beginning, `pl_<prefix>_…`. */
  prefix: z.string(),
  scopes: z.array(tokenScope),
  createdAt: epochMs,
  expiresAt: epochMs.nullable(),
  /** To the minute. */
  lastUsedAt: epochMs.nullable(),
  revokedAt: epochMs.nullable(),
});

/** The only answer that holds the secret. */
export const issuedToken = token.extend({ secret: z.string() });

export const tokenList = z.strictObject({ tokens: z.array(token) });

export type IssueToken = z.infer<typeof issueToken>;
export type Token = z.infer<typeof token>;
export type IssuedToken = z.infer<typeof issuedToken>;
