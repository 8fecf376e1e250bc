import type { Accounts } from "#lib/server/data/accounts.ts";
import { SESSION_COOKIE } from "#lib/server/data/accounts.ts";
import type { Database } from "#lib/server/data/client.ts";
import { findPerson } from "#lib/server/data/people.ts";
import type { Actor } from "./context.ts";

type SignedInPerson = Extract<Actor, { kind: "person" }>;

/** How long an answer is kept: a session that was ended may work this much longer in another process. */
const SESSION_CACHE_MS = 5_000;
const MAX_CACHED = 2_000;
const MAX_COOKIE_CHARS = 400;

type Cache = Map<string, { person: SignedInPerson; atMs: number }>;

const cachesKey = Symbol.for("plumbline.session-caches");

/** One cache for each database of the process, by cookie; through globalThis, since entry and routes are bundled apart. */
const caches: WeakMap<Database, Cache> = ((
  globalThis as typeof globalThis & { [cachesKey]?: WeakMap<Database, Cache> }
)[cachesKey] ??= new WeakMap());

function cacheOf(db: Database): Cache {
  const cache = caches.get(db) ?? new Map<string, { person: SignedInPerson; atMs: number }>();
  caches.set(db, cache);
  return cache;
}

/** Forgets all sessions that are remembered in this process: whatever was ended or changed is felt at once. */
export function forgetSessions(db: Database): void {
  cacheOf(db).clear();
}

/** The cookie of a session among those that a browser sends, as `name=value`; undefined when there is none. */
export function sessionCookie(cookies: string | null): string | undefined {
  return (cookies ?? "")
    .split(";")
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${SESSION_COOKIE}=`));
}

/** Who is signed in with a session's cookie; undefined when it has ended, or the person may not come in any more. */
export async function authenticateSession({
  db,
  accounts,
  nowMs,
  cookie,
}: {
  db: Database;
  accounts: Accounts;
  nowMs: number;
  cookie: string;
}): Promise<SignedInPerson | undefined> {
  if (cookie.length > MAX_COOKIE_CHARS) return undefined;
  const cache = cacheOf(db);
  const known = cache.get(cookie);
  if (known !== undefined && nowMs - known.atMs < SESSION_CACHE_MS) return known.person;
  cache.delete(cookie);
  const session = await accounts.findSession(cookie);
  if (session === undefined) return undefined;
  const row = await findPerson(db.prisma, { personId: session.personId });
  if (row === undefined || row.disabledAtMs !== null) return undefined;
  const { personId, name, role } = row;
  const person: SignedInPerson = { kind: "person", personId, sessionId: session.sessionId, name, role };
  cache.set(cookie, { person, atMs: nowMs });
  if (cache.size > MAX_CACHED) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  return person;
}
