import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { endSessions as deleteSessions } from "#lib/server/data/people.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { forgetSessions } from "./authenticate-session.ts";
import type { Context } from "./context.ts";
import { requirePerson } from "./require-person.ts";

/**
 * Signs the person who asks out: here, in one other browser, or everywhere.
 * @throws AppError `forbidden` without an account, `not_found` for a session that is none of theirs.
 */
export async function endSessions({
  ctx,
  input,
}: {
  ctx: Context;
  input: { which: "this" | "all" | { sessionId: string } };
}): Promise<void> {
  const { personId, sessionId, name } = requirePerson(ctx);
  const { which } = input;
  const one = which === "all" ? undefined : which === "this" ? sessionId : which.sessionId;
  await writeRecords(ctx.db, async (tables) => {
    const ended = await deleteSessions(tables, personId, one);
    if (ended === 0) throw new AppError("not_found", "You are not signed in there.");
    await appendAudit(tables, {
      atMs: ctx.now(),
      actor: name,
      action: "session.end",
      subject: `person ${name}`,
      detail: { sessions: ended, everywhere: which === "all" },
    });
  });
  forgetSessions(ctx.db);
}
