import type { AcceptInvitation } from "#lib/contracts/invitation.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { hashedPassword, type Accounts, type SignInPlace } from "#lib/server/data/accounts.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { endInvitation, findInvitation, type InvitationRow } from "#lib/server/data/invitations.ts";
import {
  endSessions,
  findPerson,
  insertPerson,
  updatePassword,
  type PersonRow,
} from "#lib/server/data/people.ts";
import { writeRecords, type Tables } from "#lib/server/data/records.ts";
import { errorCode } from "#lib/server/data/transaction.ts";
import { forgetSessions } from "./authenticate-session.ts";
import { checkPassword } from "./check-password.ts";
import type { Context } from "./context.ts";
import { forgetAdministrator } from "./has-administrator.ts";
import { invitationHash } from "./make-invitation.ts";
import { signIn, type SignedIn } from "./sign-in.ts";

/**
 * Uses a one-time address: makes the account, or sets the password, and signs in. It is used up only when all of that was
 * stored.
 * @throws AppError `not_found` when it is not open (any more), `unprocessable` with the fields that are wrong, `conflict` when name
 * or address is somebody else's.
 */
export async function acceptInvitation({
  ctx,
  accounts,
  input: { place, ...given },
}: {
  ctx: Context;
  accounts: Accounts;
  input: AcceptInvitation & { place: SignInPlace };
}): Promise<SignedIn> {
  const found = await findInvitation(ctx.db.prisma, invitationHash(given.code), ctx.now());
  if (found === undefined) throw isOver();
  const wanted = await whoAccepts(ctx, found, given);
  checkPassword(given.password, [wanted.name, wanted.email], "password");
  const passwordHash = await hashedPassword(given.password);
  try {
    await writeRecords(ctx.db, async (tables) => {
      if (!(await endInvitation(tables, found.invitationId, ctx.now()))) throw isOver();
      await store(tables, { found, wanted, passwordHash, atMs: ctx.now() });
    });
  } catch (error) {
    if (errorCode(error) !== "P2002") throw error;
    throw new AppError("conflict", "Somebody has an account with this name or address already.");
  }
  forgetSessions(ctx.db);
  forgetAdministrator(ctx.db);
  return signIn({ ctx, accounts, input: { email: wanted.email, password: given.password, place } });
}

const isOver = () =>
  new AppError(
    "not_found",
    "This address was used, taken back or has expired. Ask an administrator for another one.",
  );

async function whoAccepts(
  ctx: Context,
  { personId }: InvitationRow,
  { name, email }: AcceptInvitation,
): Promise<Pick<PersonRow, "name" | "email">> {
  if (personId !== null) {
    const person = await findPerson(ctx.db.prisma, { personId });
    if (person === undefined) throw isOver();
    return person;
  }
  const issues: Issue[] = [
    ...(name === undefined ? [{ path: "name", message: "expected how you are called" }] : []),
    ...(email === undefined ? [{ path: "email", message: "expected an e-mail address" }] : []),
  ];
  if (name === undefined || email === undefined) {
    throw new AppError("unprocessable", "A new account needs a name and an address.", { issues });
  }
  return { name, email };
}

async function store(
  tables: Tables,
  {
    found,
    wanted: { name, email },
    passwordHash,
    atMs,
  }: {
    found: InvitationRow;
    wanted: Pick<PersonRow, "name" | "email">;
    passwordHash: string;
    atMs: number;
  },
): Promise<void> {
  const { personId, role, invitationId } = found;
  if (personId === null) await insertPerson(tables, { name, email, role, passwordHash, atMs });
  else {
    await updatePassword(tables, personId, { passwordHash, atMs });
    await endSessions(tables, personId);
  }
  await appendAudit(tables, {
    atMs,
    actor: name,
    action: personId === null ? "person.create" : "password.reset",
    subject: `person ${name}`,
    detail: { role, invitation: invitationId },
  });
}
