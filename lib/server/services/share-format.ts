import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Share } from "#lib/contracts/share.ts";
import type { ShareRow } from "#lib/server/data/shares.ts";

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
/** Freezing that takes longer than this was cut off. */
const FREEZING_MS = 10 * 60_000;

/** Makes the token of a link: 192 random bits. */
export function makeShareToken(): { path: string; tokenHash: string } {
  const token = randomBytes(24).toString("base64url");
  return { path: `/s/${token}`, tokenHash: shareTokenHash(token) };
}

/** A link is looked up by this alone. A plain hash is enough: there is nothing to guess in 192 random bits. */
export function shareTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** What is kept of a password: salt and scrypt key. */
export async function hashSharePassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password.normalize("NFC"), salt, KEY_BYTES);
  return `${salt.toString("base64url")}.${key.toString("base64url")}`;
}

/** Whether a password is the one that was hashed. */
export async function isSharePassword(password: string, hash: string): Promise<boolean> {
  const [salt = "", key = ""] = hash.split(".");
  const expected = Buffer.from(key, "base64url");
  const given = await derive(password.normalize("NFC"), Buffer.from(salt, "base64url"), KEY_BYTES);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** What a browser keeps that gave the password of a link: of no use with another token or another password. */
export function shareKey({ tokenHash, passwordHash }: Pick<ShareRow, "tokenHash" | "passwordHash">): string {
  return createHmac("sha256", passwordHash ?? "")
    .update(tokenHash)
    .digest("base64url");
}

/** Whether a browser may see a link: it has no password, or the browser gave it. */
export function isUnlocked(row: ShareRow, key: string | undefined): boolean {
  if (row.passwordHash === null) return true;
  const [given, expected] = [Buffer.from(key ?? ""), Buffer.from(shareKey(row))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function stateOf(row: ShareRow, nowMs: number): Share["state"] {
  const isOver = row.expiresAtMs !== null && row.expiresAtMs <= nowMs;
  if (row.revokedAtMs !== null) return "revoked";
  if (row.kind === "frozen" && row.frozenAtMs === null)
    return nowMs - row.createdAtMs > FREEZING_MS ? "failed" : "freezing";
  return isOver ? "expired" : "open";
}

/** A stored link as the contract has it. */
export function describeShare(row: ShareRow, nowMs: number): Share {
  return {
    shareId: row.shareId,
    kind: row.kind,
    redacted: row.redacted,
    state: stateOf(row, nowMs),
    hasPassword: row.passwordHash !== null,
    createdBy: row.createdBy,
    createdAt: row.createdAtMs,
    expiresAt: row.expiresAtMs,
    revokedAt: row.revokedAtMs,
    uses: row.uses,
    previews: row.previews,
    lastUsedAt: row.lastUsedAtMs,
    parts:
      row.partsTotal === null || row.partsDone === null
        ? null
        : { done: row.partsDone, total: row.partsTotal },
    frozenAt: row.frozenAtMs,
    contentHash: row.contentHash,
  };
}
