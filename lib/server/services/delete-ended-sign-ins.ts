import { deleteEndedInvitations } from "#lib/server/data/invitations.ts";
import { deleteEndedSessions } from "#lib/server/data/people.ts";
import type { Context } from "./context.ts";

/**
 * Deletes sessions that have expired, with the addresses they came from, and invitations that were used, taken back or have
 * expired: none of them opens anything any more, and the audit trail keeps who made and used them. @returns how many there were.
 */
export async function deleteEndedSignIns({
  ctx,
}: {
  ctx: Context;
}): Promise<{ sessions: number; invitations: number }> {
  const nowMs = ctx.now();
  const { prisma } = ctx.db;
  return {
    sessions: await deleteEndedSessions(prisma, nowMs),
    invitations: await deleteEndedInvitations(prisma, nowMs),
  };
}
