import { role, type Role } from "#lib/contracts/role.ts";
import type { Tables } from "./records.ts";

/** A stored invitation; times in epoch milliseconds. Its code is not in it. */
export interface InvitationRow {
  invitationId: number;
  role: Role;
  /** Whose password it sets; null for a new account. */
  personId: string | null;
  person: string | null;
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number;
}

const MAX_INVITATIONS = 500;

const select = {
  id: true,
  role: true,
  personId: true,
  person: { select: { name: true } },
  createdBy: true,
  createdAt: true,
  expiresAt: true,
} as const;

interface Selected {
  id: number;
  role: string;
  personId: string | null;
  person: { name: string } | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

function toInvitation(row: Selected): InvitationRow {
  return {
    invitationId: row.id,
    role: role.parse(row.role),
    personId: row.personId,
    person: row.person?.name ?? null,
    createdBy: row.createdBy,
    createdAtMs: row.createdAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
  };
}

const open = (nowMs: number) => ({ endedAt: null, expiresAt: { gt: new Date(nowMs) } });

/** Stores an invitation by the hash of its code. */
export async function insertInvitation(
  tables: Pick<Tables, "invitation">,
  given: {
    codeHash: string;
    role: Role;
    personId: string | null;
    createdBy: string;
    createdAtMs: number;
    expiresAtMs: number;
  },
): Promise<InvitationRow> {
  const { codeHash, role, personId, createdBy } = given;
  const row = await tables.invitation.create({
    data: {
      codeHash,
      role,
      personId,
      createdBy,
      createdAt: new Date(given.createdAtMs),
      expiresAt: new Date(given.expiresAtMs),
    },
    select,
  });
  return toInvitation(row);
}

/** Those that may still be accepted, newest first. */
export async function listInvitations(
  tables: Pick<Tables, "invitation">,
  nowMs: number,
): Promise<InvitationRow[]> {
  const rows = await tables.invitation.findMany({
    where: open(nowMs),
    orderBy: { id: "desc" },
    take: MAX_INVITATIONS,
    select,
  });
  return rows.map(toInvitation);
}

/** The invitation of a code, if it may still be accepted. */
export async function findInvitation(
  tables: Pick<Tables, "invitation">,
  codeHash: string,
  nowMs: number,
): Promise<InvitationRow | undefined> {
  const row = await tables.invitation.findFirst({ where: { codeHash, ...open(nowMs) }, select });
  return row === null ? undefined : toInvitation(row);
}

/** Ends one that is open: of several at once, one is told true. */
export async function endInvitation(
  tables: Pick<Tables, "invitation">,
  invitationId: number,
  nowMs: number,
): Promise<boolean> {
  const { count } = await tables.invitation.updateMany({
    where: { id: invitationId, ...open(nowMs) },
    data: { endedAt: new Date(nowMs) },
  });
  return count > 0;
}

/** Ends the open ones that `createdBy` made. */
export async function endInvitationsOf(
  tables: Pick<Tables, "invitation">,
  createdBy: string,
  nowMs: number,
): Promise<void> {
  await tables.invitation.updateMany({
    where: { createdBy, ...open(nowMs) },
    data: { endedAt: new Date(nowMs) },
  });
}

/** Deletes those that nobody can accept any more. @returns how many there were. */
export async function deleteEndedInvitations(
  tables: Pick<Tables, "invitation">,
  nowMs: number,
): Promise<number> {
  const { count } = await tables.invitation.deleteMany({ where: { NOT: open(nowMs) } });
  return count;
}
