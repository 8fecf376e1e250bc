import type { Person } from "#lib/contracts/person.ts";
import { listPeople as readPeople } from "#lib/server/data/people.ts";
import type { Context } from "./context.ts";

/** Everybody with an account, the oldest account first. */
export async function listPeople({ ctx }: { ctx: Context }): Promise<{ people: Person[] }> {
  const rows = await readPeople(ctx.db.prisma, Date.now());
  return {
    people: rows.map((row) => ({
      personId: row.personId,
      name: row.name,
      email: row.email,
      role: row.role,
      createdAt: row.createdAtMs,
      disabledAt: row.disabledAtMs,
      signedInAt: row.signedInAtMs,
    })),
  };
}
