import { isAtLeast, type Role } from "#lib/contracts/role.ts";
import { AppError } from "#lib/errors.ts";
import { sessionCookie } from "#lib/server/services/authenticate-session.ts";
import { authenticateToken, isKnownToken } from "#lib/server/services/authenticate-token.ts";
import { roleOf, type Actor, type Scope } from "#lib/server/services/context.ts";
import { authenticatePerson } from "./authenticate-person.ts";
import { isSameOrigin, readPeer } from "./peer.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Who may call a route: anyone; a person of at least a role, and where a scope stands beside it a token with that scope; a
 * token with a scope and nobody else.
 */
export type Access = "public" | { role: Role; scope?: Scope } | { tokenScope: Scope };

/** Methods that change nothing, so that a foreign page gains nothing by making a browser send them. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Says who asks, by the route's rule.
 * @throws AppError `unauthenticated`, `forbidden`, or `rate_limited` with the time to wait.
 */
export async function authenticate(request: Request, access: Access, runtime: Runtime): Promise<Actor> {
  if (access === "public") {
    refuseForeignWrite(request);
    return { kind: "anonymous" };
  }
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return authenticateBearer(authorization, request, access, runtime);
  if ("tokenScope" in access) {
    throw new AppError("unauthenticated", `Expected Authorization: Bearer with scope ${access.tokenScope}.`);
  }
  const actor = await authenticatePerson(request.headers, runtime);
  if (actor === undefined && sessionCookie(request.headers.get("cookie")) !== undefined) {
    throw new AppError("unauthenticated", "Your session has ended: load the page again, and sign in.");
  }
  if (actor === undefined) {
    const token = access.scope === undefined ? "" : `, or Authorization: Bearer with scope ${access.scope}`;
    throw new AppError("unauthenticated", `Sign in as ${withArticle(access.role)}${token}.`);
  }
  refuseForeignWrite(request);
  const role = roleOf(actor);
  if (!isAtLeast(role, access.role)) {
    throw new AppError("forbidden", `This is for ${access.role}s: you are here as ${withArticle(role)}.`);
  }
  return actor;
}

function refuseForeignWrite(request: Request): void {
  if (SAFE_METHODS.has(request.method) || isSameOrigin(request.headers)) return;
  throw new AppError("forbidden", "A page of another site may not write here.");
}

function withArticle(role: Role): string {
  return role === "viewer" ? "a viewer" : `an ${role}`;
}

async function authenticateBearer(
  authorization: string,
  request: Request,
  access: Exclude<Access, "public">,
  { db, now, limits }: Runtime,
): Promise<Actor> {
  const token = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1] ?? "";
  const { address } = readPeer(request.headers);
  if (!isKnownToken(db, token))
    refuseFor(limits.failedAuthentications.peek(address), "failed authentications");

  const actor = await authenticateToken({ db, nowMs: now(), token });
  if (typeof actor === "string") {
    // Guesses that were all let in before the first of them had failed are refused here.
    refuseFor(limits.failedAuthentications.take(address), "failed authentications");
    throw new AppError(
      "unauthenticated",
      actor === "unknown" ? "The token is not valid." : `The token is ${actor}.`,
    );
  }
  refuseFor(limits.requests.take(String(actor.tokenId)), "requests with this token");
  const scope = "tokenScope" in access ? access.tokenScope : access.scope;
  if (scope === undefined) throw new AppError("forbidden", "Not for tokens.");
  if (!actor.scopes.includes(scope)) throw new AppError("forbidden", `The token lacks the scope ${scope}.`);
  return actor;
}

function refuseFor(waitSeconds: number, what: string): void {
  if (waitSeconds === 0) return;
  throw new AppError("rate_limited", `Too many ${what}.`, { retryAfterSeconds: waitSeconds });
}
