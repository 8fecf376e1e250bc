import { config, requireDatabaseUrl } from "#lib/server/config.ts";
import { openAccounts, type Accounts } from "#lib/server/data/accounts.ts";
import { openDatabase, type Database } from "#lib/server/data/client.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limit.ts";

/** What the routes of one process share. */
export interface Runtime {
  db: Database;
  /** Epoch milliseconds. */
  now: () => number;
  /** Passwords and sessions; undefined where the server has no secret to sign them with. */
  accounts: Accounts | undefined;
  /** Whether a person at this machine is administrator even though somebody has an account. */
  trustLoopback: boolean;
  /** Whether everybody who reaches the server may read. */
  anonymousViewer: boolean;
  /** A node is silent when its newest snapshot is older than this. */
  silentAfterMs: number;
  /** Compare every answer with its schema and refuse a wrong one, or compare now and then and log it. */
  checkAnswers: "every" | "sample";
  limits: {
    /** By address: tokens that did not fit. */
    failedAuthentications: RateLimiter;
    /** By token. */
    requests: RateLimiter;
    /** By address: attempts to sign in, or to use a one-time address. */
    signInsFrom: RateLimiter;
    /** By e-mail address: attempts to sign in as one person. */
    signInsAs: RateLimiter;
  };
}

const holderKey = Symbol.for("plumbline.runtime");

/** The entry and the routes are bundled apart and share one runtime, and so one pool, through globalThis. */
const holder = globalThis as typeof globalThis & { [holderKey]?: Runtime };

/**
 * The runtime of this process, made at the first call; the database is connected to when it is first asked.
 * @throws Error when the environment is not usable or names no database.
 */
export function getRuntime(): Runtime {
  return (holder[holderKey] ??= openRuntime());
}

function openRuntime(): Runtime {
  const { databasePool, localSecret, trustLoopback, anonymousViewer, silentAfterMs } = config();
  const db = openDatabase({ url: requireDatabaseUrl(), poolSize: databasePool });
  return makeRuntime({
    db,
    now: () => Date.now(),
    accounts: localSecret === undefined ? undefined : openAccounts(db, localSecret),
    trustLoopback: trustLoopback === "on",
    anonymousViewer,
    silentAfterMs,
    checkAnswers: "sample",
  });
}

/** Sets the runtime of this process: tests and tools bring their own database and clock. */
export function setRuntime(runtime: Runtime | undefined): void {
  if (runtime === undefined) delete holder[holderKey];
  else holder[holderKey] = runtime;
}

/**
 * A runtime with its limits: 20 failed authentications at once and one every 5 s; 1,000 requests a token and 500 a second; 20
 * attempts to sign in from an address and one every 5 s; 10 as one person and one every 30 s.
 */
export function makeRuntime(parts: Omit<Runtime, "limits">): Runtime {
  return {
    ...parts,
    limits: {
      failedAuthentications: createRateLimiter({ burst: 20, perSecond: 0.2, now: parts.now }),
      signInsFrom: createRateLimiter({ burst: 20, perSecond: 0.2, now: parts.now }),
      signInsAs: createRateLimiter({ burst: 10, perSecond: 1 / 30, now: parts.now }),
      requests: createRateLimiter({ burst: 1000, perSecond: 500, now: parts.now }),
    },
  };
}
