import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { endInvitation } from "#lib/server/data/invitations.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";

/** Takes an invitation back. @throws AppError `not_found` when there is none that is open. */
export async function revokeInvitation({
  ctx,
  input: { invitationId },
}: {
  ctx: Context;
  input: { invitationId: number };
}): Promise<void> {
  const atMs = ctx.now();
  await writeRecords(ctx.db, async (tables) => {
    if (!(await endInvitation(tables, invitationId, atMs))) {
      throw new AppError("not_found", `There is no invitation ${invitationId} that is open.`);
    }
    await appendAudit(tables, {
      atMs,
      actor: actorName(ctx.actor),
      action: "invitation.revoke",
      subject: `invitation ${invitationId}`,
      detail: {},
    });
  });
}
