import { timingSafeEqual } from "node:crypto";
import type { Database } from "#lib/server/data/client.ts";
import { findTokensByPrefix, touchToken, type TokenRow } from "#lib/server/data/tokens.ts";
import { SCOPES, type Actor } from "./context.ts";
import { readToken } from "./token-format.ts";

export type TokenActor = Extract<Actor, { kind: "token" }>;

/** How long an answer is kept: a revoked token may work this much longer in another process. */
export const TOKEN_CACHE_MS = 10_000;
/** How exact "last used" is. */
const TOUCH_EVERY_MS = 60_000;
const MAX_CACHED = 10_000;

interface Known {
  row: TokenRow;
  atMs: number;
}

const cachesKey = Symbol.for("plumbline.token-caches");
type Caches = WeakMap<Database, Map<string, Known>>;

/**
 * By hash, one cache for each database of the process. The entry, which takes snapshots, and the routes, which revoke, are bundled
 * apart: through globalThis they have one cache, so that revoking is felt at once.
 */
const caches: Caches = ((globalThis as typeof globalThis & { [cachesKey]?: Caches })[cachesKey] ??=
  new WeakMap());

function cacheOf(db: Database): Map<string, Known> {
  const cache = caches.get(db) ?? new Map<string, Known>();
  caches.set(db, cache);
  return cache;
}

/** Whether a token was good a moment ago: such a caller is not slowed by the failures of its neighbours. */
export function isKnownToken(db: Database, token: string): boolean {
  const read = readToken(token);
  return read !== undefined && cacheOf(db).has(read.hash);
}

/** Forgets what is remembered about a token, in this process. */
export function forgetToken(db: Database, tokenId: number): void {
  const cache = cacheOf(db);
  for (const [hash, { row }] of cache) if (row.tokenId === tokenId) cache.delete(hash);
}

/**
 * Says whose token this is: an actor, or why not. The form is checked before anything is looked up, the hash compared
 * in constant time, and a good token remembered for `TOKEN_CACHE_MS`.
 */
export async function authenticateToken({
  db,
  nowMs,
  token,
}: {
  db: Database;
  nowMs: number;
  token: string;
}): Promise<TokenActor | "unknown" | "expired" | "revoked"> {
  const read = readToken(token);
  if (read === undefined) return "unknown";
  const cache = cacheOf(db);
  const known = cache.get(read.hash);
  if (known !== undefined && nowMs - known.atMs < TOKEN_CACHE_MS) return judge(known.row, nowMs);

  const candidates = await findTokensByPrefix(db.prisma, read.prefix);
  const row = candidates.find(({ hash }) => equalHash(hash, read.hash));
  cache.delete(read.hash);
  if (row === undefined) return "unknown";
  const verdict = judge(row, nowMs);
  if (typeof verdict === "string") return verdict;
  cache.set(read.hash, { row, atMs: nowMs });
  if (cache.size > MAX_CACHED) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  await touchToken(db.prisma, row.tokenId, { atMs: nowMs, unlessSinceMs: nowMs - TOUCH_EVERY_MS });
  return verdict;
}

function judge(row: TokenRow, nowMs: number): TokenActor | "expired" | "revoked" {
  if (row.revokedAtMs !== null) return "revoked";
  if (row.expiresAtMs !== null && row.expiresAtMs <= nowMs) return "expired";
  return {
    kind: "token",
    tokenId: row.tokenId,
    name: row.name,
    clusterId: row.clusterId ?? undefined,
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
  };
}

function equalHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
