import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { endToken } from "#lib/server/data/tokens.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { forgetToken } from "./authenticate-token.ts";
import { actorName, type Context } from "./context.ts";

/**
 * Ends a token: at once in this process, within `TOKEN_CACHE_MS` in others.
 * @throws AppError `not_found` when there is none, or it has ended already.
 */
export async function revokeToken({
  ctx,
  input,
}: {
  ctx: Context;
  input: { tokenId: number };
}): Promise<void> {
  const nowMs = ctx.now();
  await writeRecords(ctx.db, async (tables) => {
    if (!(await endToken(tables, input.tokenId, nowMs))) {
      throw new AppError("not_found", `There is no token ${input.tokenId} in use.`);
    }
    await appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: "token.revoke",
      subject: `token ${input.tokenId}`,
      detail: {},
    });
  });
  forgetToken(ctx.db, input.tokenId);
}
