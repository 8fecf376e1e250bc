import type { MadeShare } from "#lib/contracts/share.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords, type Tables } from "#lib/server/data/records.ts";
import { endShare, replaceShareToken } from "#lib/server/data/shares.ts";
import { actorName, type Context } from "./context.ts";
import { findVisibleInvestigation } from "./find-editable-investigation.ts";
import { describeShare, makeShareToken } from "./share-format.ts";

interface WhichShare {
  investigationId: number;
  shareId: number;
}

function absent({ shareId, investigationId }: WhichShare): AppError {
  return new AppError(
    "not_found",
    `There is no link ${shareId} to investigation ${investigationId} that is open.`,
  );
}

/**
 * Gives a link another address: the old one ends at once. What it shows, its password and its counts stay.
 * @throws AppError `not_found` when there is none that is open.
 */
export async function replaceShare({ ctx, input }: { ctx: Context; input: WhichShare }): Promise<MadeShare> {
  await findVisibleInvestigation(ctx, input.investigationId, { alsoHidden: true });
  const nowMs = ctx.now();
  const { path, tokenHash } = makeShareToken();
  const row = await writeRecords(ctx.db, async (tables) => {
    const replaced = await replaceShareToken(tables, { ...input, tokenHash, nowMs });
    if (replaced === undefined) throw absent(input);
    await appendAudit(tables, {
      atMs: nowMs,
      actor: actorName(ctx.actor),
      action: "share.replace",
      subject: `share ${input.shareId}`,
      detail: { investigation: input.investigationId },
    });
    return replaced;
  });
  return { ...describeShare(row, nowMs), path };
}

/**
 * Ends a link at once.
 * @throws AppError `not_found` when there is none that is not ended already.
 */
export async function revokeShare({ ctx, input }: { ctx: Context; input: WhichShare }): Promise<void> {
  await findVisibleInvestigation(ctx, input.investigationId, { alsoHidden: true });
  const nowMs = ctx.now();
  await writeRecords(ctx.db, async (tables) => {
    if (!(await endShare(tables, { ...input, nowMs }))) throw absent(input);
    await auditRevoked(ctx, tables, input);
  });
}

/** Tells the audit trail that a link was ended. Belongs into the transaction that ends it. */
export async function auditRevoked(
  ctx: Context,
  tables: Tables,
  { investigationId, shareId }: WhichShare,
): Promise<void> {
  await appendAudit(tables, {
    atMs: ctx.now(),
    actor: actorName(ctx.actor),
    action: "share.revoke",
    subject: `share ${shareId}`,
    detail: { investigation: investigationId },
  });
}
