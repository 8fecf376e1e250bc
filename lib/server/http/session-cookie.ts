import { AppError } from "#lib/errors.ts";
import { SESSION_COOKIE, type Accounts, type SignInPlace } from "#lib/server/data/accounts.ts";
import { isBehindTls, readPeer } from "./peer.ts";
import type { Runtime } from "./runtime.ts";

/** @throws AppError `unprocessable` on a server that cannot sign sessions. */
export function requireAccounts({ accounts }: Runtime): Accounts {
  if (accounts !== undefined) return accounts;
  throw new AppError(
    "unprocessable",
    "This server keeps no accounts: it was started without PLUMBLINE_LOCAL_SECRET.",
  );
}

/** Where a request comes from, for the list of sessions. */
export function placeOf({ headers }: Request): SignInPlace {
  const { address } = readPeer(headers);
  return {
    address: address === "unknown" ? undefined : address,
    userAgent: headers.get("user-agent") ?? undefined,
  };
}

/**
 * Counts an attempt that costs the hash of a password, by address and by the person it is meant for.
 * @throws AppError `rate_limited` with the time to wait.
 */
export function limitSignIns({ limits }: Runtime, { headers }: Request, email?: string): void {
  const waitSeconds = Math.max(
    limits.signInsFrom.take(readPeer(headers).address),
    email === undefined ? 0 : limits.signInsAs.take(email.trim().toLowerCase()),
  );
  if (waitSeconds === 0) return;
  throw new AppError("rate_limited", `Too many attempts: try again in ${Math.ceil(waitSeconds)} s.`, {
    retryAfterSeconds: waitSeconds,
  });
}

/** A session's cookie as it is sent: for TLS alone where the browser speaks TLS. */
export function sentCookie({ headers }: Pick<Request, "headers">, setCookie: string): string {
  return isBehindTls(headers) ? `${setCookie}; Secure` : setCookie;
}

/** Takes a session's cookie away. */
export function clearedCookie(request: Pick<Request, "headers">): string {
  return sentCookie(request, `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
}
