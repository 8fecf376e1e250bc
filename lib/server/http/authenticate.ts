import { AppError } from "#lib/errors.ts";
import { authenticateToken, isKnownToken } from "#lib/server/services/authenticate-token.ts";
import type { Actor, Scope } from "#lib/server/services/context.ts";
import { isLocalPerson, isSameOrigin, readPeer } from "./peer.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Who may call a route: anyone; the local person; a token with a scope, or the local person; a token with a scope and
 * nobody else.
 */
export type Access = "public" | "local" | { scope: Scope } | { tokenScope: Scope };

/** Methods that change nothing, so that a foreign page gains nothing by making a browser send them. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Says who asks, by the route's rule.
 * @throws AppError `unauthenticated`, `forbidden`, or `rate_limited` with the time to wait.
 */
export async function authenticate(request: Request, access: Access, runtime: Runtime): Promise<Actor> {
  if (access === "public") return { kind: "anonymous" };
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return authenticateBearer(authorization, request, access, runtime);
  if (typeof access === "object" && "tokenScope" in access) {
    throw new AppError("unauthenticated", `Expected Authorization: Bearer with scope ${access.tokenScope}.`);
  }
  if (!isLocalPerson(request.headers, runtime.localSecret)) {
    throw new AppError(
      "unauthenticated",
      access === "local"
        ? "Only for a person at the server's own machine, or who opened its one-time address."
        : `Expected Authorization: Bearer with scope ${access.scope}.`,
    );
  }
  if (!SAFE_METHODS.has(request.method) && !isSameOrigin(request.headers)) {
    throw new AppError("forbidden", "A page of another site may not write here.");
  }
  return { kind: "local", name: "local" };
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
  if (access === "local") throw new AppError("forbidden", "Not for tokens.");
  const scope = "scope" in access ? access.scope : access.tokenScope;
  if (!actor.scopes.includes(scope)) throw new AppError("forbidden", `The token lacks the scope ${scope}.`);
  return actor;
}

function refuseFor(waitSeconds: number, what: string): void {
  if (waitSeconds === 0) return;
  throw new AppError("rate_limited", `Too many ${what}.`, { retryAfterSeconds: waitSeconds });
}
