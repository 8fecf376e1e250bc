import type { CreateShare } from "#lib/contracts/share.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { insertShare, type ShareRow } from "#lib/server/data/shares.ts";
import { actorName, type Context } from "./context.ts";
import { findVisibleInvestigation } from "./find-editable-investigation.ts";
import { hashSharePassword, makeShareToken } from "./share-format.ts";

/**
 * Makes a link to an investigation. `path` is the only time that its token is seen. A frozen one cannot be opened before its
 * content is kept.
 * @throws AppError `not_found`; `unprocessable` when it would have expired already.
 */
export async function createShare({
  ctx,
  input: { investigationId, share },
}: {
  ctx: Context;
  input: { investigationId: number; share: CreateShare };
}): Promise<{ row: ShareRow; path: string }> {
  const nowMs = ctx.now();
  await findVisibleInvestigation(ctx, investigationId);
  if (share.expiresAt !== undefined && share.expiresAt <= nowMs) {
    throw new AppError("unprocessable", "The link would have expired already.", {
      issues: [{ path: "expiresAt", message: "expected a time in the future" }],
    });
  }
  const { path, tokenHash } = makeShareToken();
  const passwordHash = share.password === undefined ? null : await hashSharePassword(share.password);
  const row = await writeRecords(ctx.db, async (tables) => {
    const made = await insertShare(tables, {
      investigationId,
      tokenHash,
      kind: share.kind,
      redacted: share.redacted,
      passwordHash,
      createdBy: actorName(ctx.actor),
      createdAtMs: nowMs,
      expiresAtMs: share.expiresAt ?? null,
    });
    await appendAudit(tables, {
      atMs: nowMs,
      actor: made.createdBy,
      action: "share.make",
      subject: `share ${made.shareId}`,
      detail: {
        investigation: investigationId,
        kind: made.kind,
        redacted: made.redacted,
        password: passwordHash !== null,
        expiresAt: made.expiresAtMs,
      },
    });
    return made;
  });
  return { row, path };
}
