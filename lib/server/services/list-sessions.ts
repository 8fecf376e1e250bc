import type { Session } from "#lib/contracts/person.ts";
import { listSessions as readSessions } from "#lib/server/data/people.ts";
import type { Context } from "./context.ts";
import { requirePerson } from "./require-person.ts";

/** Where the person who asks is signed in, newest first. @throws AppError `forbidden` without an account. */
export async function listSessions({ ctx }: { ctx: Context }): Promise<{ sessions: Session[] }> {
  const { personId, sessionId } = requirePerson(ctx);
  // Sessions are dated by the library that makes them, and so by the machine's clock.
  const rows = await readSessions(ctx.db.prisma, personId, Date.now());
  return {
    sessions: rows.map((row) => ({
      sessionId: row.sessionId,
      startedAt: row.startedAtMs,
      expiresAt: row.expiresAtMs,
      address: row.address,
      userAgent: row.userAgent,
      current: row.sessionId === sessionId,
    })),
  };
}
