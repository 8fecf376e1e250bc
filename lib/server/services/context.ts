import type { Database } from "#lib/server/data/client.ts";

/** What a token may do. `read` covers every GET that is not public. */
export const SCOPES = ["read", "snapshots:write", "annotations:write"] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Who asks. A token belongs to one cluster and sees only that (undefined: all clusters). `local` is the person at this
 * machine or with the cookie of the one-time address, `system` the server's own processes.
 */
export type Actor =
  | { kind: "token"; tokenId: number; name: string; clusterId: number | undefined; scopes: readonly Scope[] }
  | { kind: "local"; name: string }
  | { kind: "system"; name: string }
  | { kind: "anonymous" };

/** What every verb is given. `now` is epoch milliseconds. */
export interface Context {
  db: Database;
  actor: Actor;
  now: () => number;
}

/** How an audit line and an annotation name the actor. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "token":
      return `token ${actor.name}`;
    case "anonymous":
      return "anonymous";
    default:
      return actor.name;
  }
}
