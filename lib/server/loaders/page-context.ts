import "server-only";
import { headers } from "next/headers";
import { isAtLeast, type Role } from "#lib/contracts/role.ts";
import { AppError } from "#lib/errors.ts";
import { authenticatePerson } from "#lib/server/http/authenticate-person.ts";
import { getRuntime } from "#lib/server/http/runtime.ts";
import type { Runtime } from "#lib/server/http/runtime.ts";
import { roleOf, type Context } from "#lib/server/services/context.ts";

/**
 * What a page reads with; nothing is read while building. The web entry lets only those reach a page who may (`page-access.ts`); it
 * is asked again here, so that a page that is reached in another way shows nothing.
 * @throws AppError `unauthenticated`, `forbidden`.
 */
export async function pageContext(least: Role = "viewer"): Promise<{ ctx: Context; runtime: Runtime }> {
  const sent = await headers();
  const runtime = getRuntime();
  const actor = await authenticatePerson(sent, runtime);
  if (actor === undefined) throw new AppError("unauthenticated", "Nobody is signed in.");
  if (!isAtLeast(roleOf(actor), least)) throw new AppError("forbidden", `This is for ${least}s.`);
  return { ctx: { db: runtime.db, actor, now: runtime.now }, runtime };
}
