import "server-only";
import { headers } from "next/headers";
import type { Role } from "#lib/contracts/role.ts";
import { authenticatePerson } from "#lib/server/http/authenticate-person.ts";
import { toAppError } from "#lib/server/http/problem.ts";
import { getRuntime } from "#lib/server/http/runtime.ts";
import { actorName, roleOf } from "#lib/server/services/context.ts";

/** Who looks at the pages, for the bar on top of them. While the database is away that is nobody. */
export async function loadShellPerson(): Promise<
  { name: string; role: Role; hasAccount: boolean } | "stranger" | undefined
> {
  const sent = await headers();
  try {
    const actor = await authenticatePerson(sent, getRuntime());
    if (actor === undefined) return undefined;
    if (actor.kind === "anonymous") return "stranger";
    return { name: actorName(actor), role: roleOf(actor), hasAccount: actor.kind === "person" };
  } catch (error) {
    if (toAppError(error).code === "unavailable") return undefined;
    throw error;
  }
}
