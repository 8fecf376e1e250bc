import { AppError } from "#lib/errors.ts";
import type { Accounts, SignInPlace } from "#lib/server/data/accounts.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { findPerson } from "#lib/server/data/people.ts";
import { forgetSessions } from "./authenticate-session.ts";
import { checkPassword } from "./check-password.ts";
import type { Context } from "./context.ts";
import { requirePerson } from "./require-person.ts";

/**
 * Gives the person who asks another password and signs them out everywhere else.
 * @returns the cookie of the session that goes on here.
 * @throws AppError `forbidden` without an account, `unprocessable` when the new one is not good enough or `current` is not theirs.
 */
export async function changePassword({
  ctx,
  accounts,
  input: { cookie, current, next, place },
}: {
  ctx: Context;
  accounts: Accounts;
  input: { cookie: string; current: string; next: string; place: SignInPlace };
}): Promise<string> {
  const { personId, name } = requirePerson(ctx);
  const email = (await findPerson(ctx.db.prisma, { personId }))?.email ?? "";
  checkPassword(next, [name, email], "next");
  const setCookie = await accounts.changePassword({ cookie, current, next, place });
  forgetSessions(ctx.db);
  await appendAudit(ctx.db.prisma, {
    atMs: ctx.now(),
    actor: name,
    action: setCookie === undefined ? "password.refuse" : "password.change",
    subject: `person ${name}`,
    detail: {},
  });
  if (setCookie !== undefined) return setCookie;
  throw new AppError("unprocessable", "This is not your password.", {
    issues: [{ path: "current", message: "expected your password as it is now" }],
  });
}
