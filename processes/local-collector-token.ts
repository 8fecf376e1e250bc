import { hostname } from "node:os";
import type { Database } from "#lib/server/data/client.ts";
import type { Context } from "#lib/server/services/context.ts";
import { issueToken } from "#lib/server/services/issue-token.ts";
import { listTokens } from "#lib/server/services/list-tokens.ts";
import { readToken } from "#lib/server/services/token-format.ts";
import { readSecretFile, writeSecretFile } from "./secret-file.ts";

/** Cluster that the local collector reports into. */
export const LOCAL_CLUSTER = "local";

/**
 * Sees to it that `path` holds a token with which the local collector may push into the cluster `local`. One that the
 * database does not know, or that was revoked, is replaced: the data folder and the database can be of different age.
 */
export async function ensureLocalCollectorToken(db: Database, path: string): Promise<void> {
  const ctx: Context = { db, actor: { kind: "system", name: "supervisor" }, now: () => Date.now() };
  const present = readToken(readSecretFile(path) ?? "");
  if (present !== undefined) {
    const { tokens } = await listTokens({ ctx });
    if (tokens.some(({ prefix, revokedAt }) => prefix === present.prefix && revokedAt === null)) return;
  }
  const { secret } = await issueToken({
    ctx,
    input: { cluster: LOCAL_CLUSTER, name: `collector on ${hostname()}`, scopes: ["snapshots:write"] },
  });
  writeSecretFile(path, secret);
}
