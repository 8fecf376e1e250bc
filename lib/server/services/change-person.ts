import type { ChangePerson } from "#lib/contracts/person.ts";
import { AppError } from "#lib/errors.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import {
  countAdministrators,
  endSessions,
  findPerson,
  lockAdministrators,
  updatePerson,
} from "#lib/server/data/people.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { forgetSessions } from "./authenticate-session.ts";
import { actorName, type Context } from "./context.ts";

/**
 * Gives a person another role, or lets them in no more (or again). Who is not let in is signed out everywhere; what they wrote
 * stays.
 * @throws AppError `not_found`; `conflict` when nobody would be left as administrator.
 */
export async function changePerson({
  ctx,
  input: { personId, changes },
}: {
  ctx: Context;
  input: { personId: string; changes: ChangePerson };
}): Promise<void> {
  const atMs = ctx.now();
  await writeRecords(ctx.db, async (tables) => {
    await lockAdministrators(tables);
    const person = await findPerson(tables, { personId });
    if (person === undefined || !(await updatePerson(tables, personId, { atMs, ...changes }))) {
      throw new AppError("not_found", "There is no such person.");
    }
    if ((await countAdministrators(tables)) === 0) {
      throw new AppError("conflict", `${person.name} is the last administrator: make another one first.`);
    }
    if (changes.disabled === true) await endSessions(tables, personId);
    await appendAudit(tables, {
      atMs,
      actor: actorName(ctx.actor),
      action: "person.change",
      subject: `person ${person.name}`,
      detail: { before: person.role, role: changes.role ?? person.role, disabled: changes.disabled ?? null },
    });
  });
  forgetSessions(ctx.db);
}
