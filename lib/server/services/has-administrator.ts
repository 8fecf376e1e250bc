import type { Database } from "#lib/server/data/client.ts";
import { countAdministrators } from "#lib/server/data/people.ts";

/** How long "there is none" is believed; that there is one stays so, since the last one cannot be taken away. */
const ASK_AGAIN_MS = 1_000;

const knownKey = Symbol.for("plumbline.administrator-known");
type Known = WeakMap<Database, "yes" | { noneAtMs: number }>;

/** Through globalThis, since entry and routes are bundled apart. */
const known: Known = ((globalThis as typeof globalThis & { [knownKey]?: Known })[knownKey] ??= new WeakMap());

/** Whether somebody has an account as administrator. */
export async function hasAdministrator(db: Database, nowMs: number): Promise<boolean> {
  const before = known.get(db);
  if (before === "yes") return true;
  if (before !== undefined && Math.abs(nowMs - before.noneAtMs) < ASK_AGAIN_MS) return false;
  const found = (await countAdministrators(db.prisma)) > 0;
  known.set(db, found ? "yes" : { noneAtMs: nowMs });
  return found;
}

/** Asks anew next time: somebody became one. */
export function forgetAdministrator(db: Database): void {
  known.delete(db);
}
