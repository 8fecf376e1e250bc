import { authenticateSession, sessionCookie } from "#lib/server/services/authenticate-session.ts";
import type { PersonActor } from "#lib/server/services/context.ts";
import { hasAdministrator } from "#lib/server/services/has-administrator.ts";
import { readPeer } from "./peer.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Who a request without a token comes from: who is signed in; else the person at this machine, where it is trusted or nobody is
 * administrator yet; else, on a server that is open to be read, anybody. Undefined for nobody that may be let in: whoever presents a
 * session that has ended, or a token, is never taken for somebody else.
 */
export async function authenticatePerson(
  headers: Headers,
  runtime: Runtime,
): Promise<PersonActor | undefined> {
  const { accounts, db, now, trustLoopback, anonymousViewer } = runtime;
  if (/^Bearer\b/i.test(headers.get("authorization") ?? "")) return undefined;
  const cookie = sessionCookie(headers.get("cookie"));
  if (cookie !== undefined)
    return accounts && (await authenticateSession({ db, accounts, nowMs: now(), cookie }));
  if (readPeer(headers).local && (trustLoopback || !(await hasAdministrator(db, now())))) {
    return { kind: "local", name: "local" };
  }
  return anonymousViewer ? { kind: "anonymous" } : undefined;
}
