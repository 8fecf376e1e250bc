import type { Invitation } from "#lib/contracts/invitation.ts";
import { findInvitation, listInvitations as readInvitations } from "#lib/server/data/invitations.ts";
import type { Context } from "./context.ts";
import { describeInvitation, invitationHash } from "./make-invitation.ts";

/** Those that may still be accepted, newest first; without their codes. */
export async function listInvitations({ ctx }: { ctx: Context }): Promise<{ invitations: Invitation[] }> {
  const rows = await readInvitations(ctx.db.prisma, ctx.now());
  return { invitations: rows.map(describeInvitation) };
}

/** The invitation of a code; undefined when it was used, taken back, has expired or never was. */
export async function getInvitation({
  ctx,
  input,
}: {
  ctx: Context;
  input: { code: string };
}): Promise<Invitation | undefined> {
  const row = await findInvitation(ctx.db.prisma, invitationHash(input.code), ctx.now());
  return row && describeInvitation(row);
}
