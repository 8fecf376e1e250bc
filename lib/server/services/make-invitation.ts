import { createHash, randomBytes } from "node:crypto";
import type { Invitation, MakeInvitation } from "#lib/contracts/invitation.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { endInvitationsOf, insertInvitation, type InvitationRow } from "#lib/server/data/invitations.ts";
import { findPerson } from "#lib/server/data/people.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";

const LIFETIME_MS = 3 * 86_400_000;

/** An invitation is stored under this: its code has 192 random bits, so that a plain hash is enough. */
export function invitationHash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

/**
 * Makes a one-time address, good for three days: for an account with a role, or for another password of somebody who has one.
 * `path` is the only time that the code is seen. With `alone` those that the same actor made before are void.
 * @throws AppError `not_found` when there is no such person.
 */
export async function makeInvitation({
  ctx,
  input,
  alone = false,
}: {
  ctx: Context;
  input: MakeInvitation;
  alone?: boolean;
}): Promise<Invitation & { path: string }> {
  const nowMs = ctx.now();
  const createdBy = actorName(ctx.actor);
  const code = randomBytes(24).toString("base64url");
  const row = await writeRecords(ctx.db, async (tables) => {
    const person = "personId" in input ? await findPerson(tables, input) : undefined;
    if ("personId" in input && person === undefined) {
      throw new AppError("not_found", "There is no such person.");
    }
    if (alone) await endInvitationsOf(tables, createdBy, nowMs);
    const inserted = await insertInvitation(tables, {
      codeHash: invitationHash(code),
      role: "role" in input ? input.role : (person?.role ?? "viewer"),
      personId: person?.personId ?? null,
      createdBy,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + LIFETIME_MS,
    });
    await appendAudit(tables, {
      atMs: nowMs,
      actor: createdBy,
      action: "invitation.make",
      subject: `invitation ${inserted.invitationId}`,
      detail: { role: inserted.role, person: inserted.person },
    });
    return inserted;
  });
  return { ...describeInvitation(row), path: `/invitation/${code}` };
}

/** A stored invitation as the contract has it. */
export function describeInvitation(row: InvitationRow): Invitation {
  return {
    invitationId: row.invitationId,
    role: row.role,
    person: row.person,
    createdBy: row.createdBy,
    createdAt: row.createdAtMs,
    expiresAt: row.expiresAtMs,
  };
}
