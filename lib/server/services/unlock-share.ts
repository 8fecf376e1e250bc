import type { Database } from "#lib/server/data/client.ts";
import { findOpenShare } from "#lib/server/data/shares.ts";
import { isSharePassword, shareKey, shareTokenHash } from "./share-format.ts";

/**
 * What a browser keeps once it gave the password of a link; undefined when the password is not that of the link, or there is no
 * such link.
 */
export async function unlockShare({
  db,
  nowMs,
  input: { token, password },
}: {
  db: Database;
  nowMs: number;
  input: { token: string; password: string };
}): Promise<string | undefined> {
  const row = await findOpenShare(db.prisma, shareTokenHash(token), nowMs);
  if (row === undefined || row.passwordHash === null) return undefined;
  return (await isSharePassword(password, row.passwordHash)) ? shareKey(row) : undefined;
}
