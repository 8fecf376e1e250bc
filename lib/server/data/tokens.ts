import type { Tables } from "./records.ts";

/** A stored token; times in epoch milliseconds. The secret is not in it, and its hash only where it is compared. */
export interface TokenRow {
  tokenId: number;
  clusterId: number | null;
  cluster: string | null;
  name: string;
  prefix: string;
  scopes: string[];
  createdAtMs: number;
  expiresAtMs: number | null;
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
}

const MAX_TOKENS = 1000;

const select = {
  id: true,
  clusterId: true,
  cluster: { select: { name: true } },
  name: true,
  prefix: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

interface Selected {
  id: number;
  clusterId: number | null;
  cluster: { name: string } | null;
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

function toToken(row: Selected): TokenRow {
  return {
    tokenId: row.id,
    clusterId: row.clusterId,
    cluster: row.cluster?.name ?? null,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    createdAtMs: row.createdAt.getTime(),
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    lastUsedAtMs: row.lastUsedAt?.getTime() ?? null,
    revokedAtMs: row.revokedAt?.getTime() ?? null,
  };
}

/** Stores a new token. `cluster` is made when it is not there yet; null for all clusters. */
export async function insertToken(
  tables: Pick<Tables, "apiToken" | "cluster">,
  token: {
    cluster: string | null;
    name: string;
    prefix: string;
    hash: string;
    scopes: readonly string[];
    createdAtMs: number;
    expiresAtMs: number | null;
  },
): Promise<TokenRow> {
  const createdAt = new Date(token.createdAtMs);
  const cluster =
    token.cluster === null
      ? null
      : await tables.cluster.upsert({
          where: { name: token.cluster },
          create: { name: token.cluster, createdAt },
          update: {},
          select: { id: true },
        });
  const row = await tables.apiToken.create({
    data: {
      clusterId: cluster?.id ?? null,
      name: token.name,
      prefix: token.prefix,
      hash: token.hash,
      scopes: [...token.scopes],
      createdAt,
      expiresAt: token.expiresAtMs === null ? null : new Date(token.expiresAtMs),
    },
    select,
  });
  return toToken(row);
}

/** Tokens that begin with a prefix, with the hash to compare: nearly always one. */
export async function findTokensByPrefix(
  tables: Pick<Tables, "apiToken">,
  prefix: string,
): Promise<(TokenRow & { hash: string })[]> {
  const rows = await tables.apiToken.findMany({
    where: { prefix },
    take: 8,
    orderBy: { id: "asc" },
    select: { ...select, hash: true },
  });
  return rows.map((row) => ({ ...toToken(row), hash: row.hash }));
}

/** Newest first. */
export async function listTokens(tables: Pick<Tables, "apiToken">): Promise<TokenRow[]> {
  const rows = await tables.apiToken.findMany({ orderBy: { id: "desc" }, take: MAX_TOKENS, select });
  return rows.map(toToken);
}

/** Notes that a token was used, unless that was noted after `unlessSinceMs`. */
export async function touchToken(
  tables: Pick<Tables, "apiToken">,
  tokenId: number,
  { atMs, unlessSinceMs }: { atMs: number; unlessSinceMs: number },
): Promise<void> {
  await tables.apiToken.updateMany({
    where: { id: tokenId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: new Date(unlessSinceMs) } }] },
    data: { lastUsedAt: new Date(atMs) },
  });
}

/** Ends a token; false when there is none that is not ended already. */
export async function endToken(
  tables: Pick<Tables, "apiToken">,
  tokenId: number,
  atMs: number,
): Promise<boolean> {
  const { count } = await tables.apiToken.updateMany({
    where: { id: tokenId, revokedAt: null },
    data: { revokedAt: new Date(atMs) },
  });
  return count > 0;
}
