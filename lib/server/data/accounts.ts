import { createHmac } from "node:crypto";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { isAPIError } from "better-auth/api";
import { hashPassword } from "better-auth/crypto";
import { betterAuth } from "better-auth/minimal";
import { PASSWORD_LENGTH } from "#lib/contracts/password.ts";
import { logger } from "#lib/server/log.ts";
import type { Database } from "./client.ts";

/** Cookie of a session: its token, and a signature of it by the server's secret. */
export const SESSION_COOKIE = "plumbline.session_token";

/** A session ends after so many days, however much it was used. */
const SESSION_DAYS = 14;

/** Where a sign-in comes from, for the list of sessions. */
export interface SignInPlace {
  /** Of the socket; undefined when it is not known. */
  address: string | undefined;
  userAgent: string | undefined;
}

/** Passwords and sessions of people. A session is told by its cookie, `name=value` as a browser sends it. */
export interface Accounts {
  /** Begins a session. @returns its Set-Cookie, without `Secure`; undefined when address and password do not fit. */
  signIn(given: { email: string; password: string; place: SignInPlace }): Promise<string | undefined>;
  /** The session of a cookie and whose it is; undefined when there is none (any more). */
  findSession(cookie: string): Promise<{ sessionId: string; personId: string } | undefined>;
  /**
   * Gives the person of a session another password; all their sessions end and one begins.
   * @returns its Set-Cookie; undefined when `current` is not their password.
   */
  changePassword(given: {
    cookie: string;
    current: string;
    next: string;
    place: SignInPlace;
  }): Promise<string | undefined>;
}

function headersFrom({ address, userAgent }: SignInPlace, cookie?: string): Headers {
  const headers = new Headers();
  if (address !== undefined) headers.set("x-plumbline-address", address);
  if (userAgent !== undefined) headers.set("user-agent", userAgent.slice(0, 300));
  if (cookie !== undefined) headers.set("cookie", cookie);
  return headers;
}

function cookieOf(headers: Headers): string {
  const found = headers.getSetCookie().findLast((each) => each.startsWith(`${SESSION_COOKIE}=`));
  if (found === undefined) throw new RangeError("the session that was begun has no cookie");
  return found;
}

/** Waits for `work`; undefined when the library says that what was given does not fit. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return undefined;
    throw error;
  }
}

/**
 * Opens the accounts of a database. better-auth is used as a library only: none of its addresses is served, and nothing leaves
 * the machine.
 * @param localSecret of the server; a key for the signatures is derived from it.
 */
export function openAccounts(db: Pick<Database, "prisma">, localSecret: string): Accounts {
  const log = logger("accounts");
  const { api } = betterAuth({
    appName: "Plumbline",
    // Only for addresses in mail, which is never sent.
    baseURL: "http://localhost",
    secret: createHmac("sha256", localSecret).update("plumbline sessions, version 1").digest("base64url"),
    database: prismaAdapter(db.prisma, { provider: "postgresql", transaction: true }),
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message) => log.error(message) },
    // Limited by our own routes.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
    },
    user: { modelName: "person" },
    account: { modelName: "credential", fields: { userId: "personId" } },
    session: {
      fields: { userId: "personId" },
      expiresIn: SESSION_DAYS * 86_400,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    advanced: {
      cookiePrefix: "plumbline",
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: ["x-plumbline-address"] },
    },
  });
  return {
    signIn: async ({ email, password, place }) => {
      const done = await unlessRefused(
        api.signInEmail({ body: { email, password }, headers: headersFrom(place), returnHeaders: true }),
      );
      return done && cookieOf(done.headers);
    },
    findSession: async (cookie) => {
      const found = await api.getSession({ headers: new Headers({ cookie }) });
      return found === null ? undefined : { sessionId: found.session.id, personId: found.user.id };
    },
    changePassword: async ({ cookie, current, next, place }) => {
      const done = await unlessRefused(
        api.changePassword({
          body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
          headers: headersFrom(place, cookie),
          returnHeaders: true,
        }),
      );
      return done && cookieOf(done.headers);
    },
  };
}

/** A password as it is stored: scrypt with a salt of its own (N 16,384, r 16, p 1). */
export async function hashedPassword(password: string): Promise<string> {
  return hashPassword(password);
}
