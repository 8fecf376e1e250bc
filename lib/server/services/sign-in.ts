import { AppError } from "#lib/errors.ts";
import type { Accounts, SignInPlace } from "#lib/server/data/accounts.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { endSessions, findPerson, type PersonRow } from "#lib/server/data/people.ts";
import type { Context } from "./context.ts";

/** A person who has just signed in, and the cookie that says so. */
export interface SignedIn {
  person: PersonRow;
  setCookie: string;
}

/**
 * Begins a session. An address that nobody has takes as long as a wrong password. Both a session and a refusal of somebody who
 * has an account leave a line in the audit trail.
 * @throws AppError `unauthenticated`, with the same words whatever was wrong.
 */
export async function signIn({
  ctx,
  accounts,
  input: { email, password, place },
}: {
  ctx: Context;
  accounts: Accounts;
  input: { email: string; password: string; place: SignInPlace };
}): Promise<SignedIn> {
  const address = email.trim().toLowerCase();
  const person = await findPerson(ctx.db.prisma, { email: address });
  // Asked for a disabled account too, so that its time tells nothing.
  const setCookie = await accounts.signIn({ email: address, password, place });
  const isIn = person !== undefined && person.disabledAtMs === null && setCookie !== undefined;
  // The password fitted, and so there is a session already.
  if (person !== undefined && !isIn && setCookie !== undefined)
    await endSessions(ctx.db.prisma, person.personId);
  if (person !== undefined) {
    await appendAudit(ctx.db.prisma, {
      atMs: ctx.now(),
      actor: isIn ? person.name : "anonymous",
      action: isIn ? "session.start" : "session.refuse",
      subject: `person ${person.name}`,
      detail: { address: place.address ?? null, disabled: person.disabledAtMs !== null },
    });
  }
  if (!isIn) throw new AppError("unauthenticated", "E-mail address and password do not fit.");
  return { person, setCookie };
}
