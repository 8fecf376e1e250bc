import { tokenScope, type Token } from "#lib/contracts/token.ts";
import { listTokens as readTokens, type TokenRow } from "#lib/server/data/tokens.ts";
import type { Context } from "./context.ts";

/** All tokens, newest first, ended ones too; without secrets. */
export async function listTokens({ ctx }: { ctx: Context }): Promise<{ tokens: Token[] }> {
  const rows = await readTokens(ctx.db.prisma);
  return { tokens: rows.map(describeToken) };
}

/** A stored token as the contract has it. */
export function describeToken(row: TokenRow): Token {
  return {
    tokenId: row.tokenId,
    name: row.name,
    cluster: row.cluster,
    prefix: row.prefix,
    scopes: tokenScope.options.filter((scope) => row.scopes.includes(scope)),
    createdAt: row.createdAtMs,
    expiresAt: row.expiresAtMs,
    lastUsedAt: row.lastUsedAtMs,
    revokedAt: row.revokedAtMs,
  };
}
