import type { IssueToken, IssuedToken } from "#lib/contracts/token.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { insertToken } from "#lib/server/data/tokens.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { makeToken } from "./token-format.ts";
import { describeToken } from "./list-tokens.ts";

/**
 * Makes a token. `secret` of the answer is the only time that it is seen: stored are its visible prefix and its hash.
 * @throws AppError `unprocessable` when it would have expired already.
 */
export async function issueToken({ ctx, input }: { ctx: Context; input: IssueToken }): Promise<IssuedToken> {
  const nowMs = ctx.now();
  if (input.expiresAt !== undefined && input.expiresAt <= nowMs) {
    throw new AppError("unprocessable", "The token would have expired already.", {
      issues: [{ path: "expiresAt", message: "expected a time in the future" }],
    });
  }
  const made = makeToken();
  const row = await writeRecords(ctx.db, async (tables) => {
    const inserted = await insertToken(tables, {
      cluster: input.cluster ?? null,
      name: input.name,
      prefix: made.prefix,
      hash: made.hash,
      scopes: [...new Set(input.scopes)],
      createdAtMs: nowMs,
      expiresAtMs: input.expiresAt ?? null,
    });
    await appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: "token.issue",
      subject: `token ${inserted.tokenId}`,
      detail: {
        name: inserted.name,
        prefix: inserted.prefix,
        cluster: inserted.cluster,
        scopes: inserted.scopes,
      },
    });
    return inserted;
  });
  return { ...describeToken(row), secret: made.token };
}
