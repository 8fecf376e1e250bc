import "server-only";
import { connection } from "next/server";
import { getRuntime } from "#lib/server/http/runtime.ts";
import type { Runtime } from "#lib/server/http/runtime.ts";
import type { Context } from "#lib/server/services/context.ts";

/**
 * What a page reads with. The web entry lets only a local person reach a page, so that is who asks; nothing is read
 * while building.
 */
export async function pageContext(): Promise<{ ctx: Context; runtime: Runtime }> {
  await connection();
  const runtime = getRuntime();
  return { ctx: { db: runtime.db, actor: { kind: "local", name: "local" }, now: runtime.now }, runtime };
}
