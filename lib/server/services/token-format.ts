import { createHash, randomBytes, randomInt } from "node:crypto";

const PREFIX_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
const format = /^pl_([a-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

/** Makes a token `pl_<prefix>_<secret>`: the prefix may be shown, the secret is 256 random bits. */
export function makeToken(): { token: string; prefix: string; hash: string } {
  const prefix = Array.from({ length: 8 }, () => PREFIX_ALPHABET[randomInt(PREFIX_ALPHABET.length)]).join("");
  const token = `pl_${prefix}_${randomBytes(32).toString("base64url")}`;
  return { token, prefix, hash: hashToken(token) };
}

/** Prefix and hash of a token; undefined for what cannot be one, so that nothing is looked up for it. */
export function readToken(token: string): { prefix: string; hash: string } | undefined {
  const prefix = format.exec(token)?.[1];
  return prefix === undefined ? undefined : { prefix, hash: hashToken(token) };
}

/** A plain hash is enough: there is nothing to guess in 256 random bits. */
function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
