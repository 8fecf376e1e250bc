import type { Role } from "#lib/contracts/role.ts";
import type { Database } from "#lib/server/data/client.ts";

/** What a token may do. `read` covers every GET that is not public. */
export const SCOPES = ["read", "snapshots:write", "annotations:write"] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Who asks. A token belongs to one cluster and sees only that (undefined: all clusters). `person` has an account and is signed
 * in, `share` is whoever opened a shared link, confined to the nodes of its investigation, `local` is the person at this machine
 * where that is enough, `system` the server's own processes.
 */
export type Actor =
  | { kind: "token"; tokenId: number; name: string; clusterId: number | undefined; scopes: readonly Scope[] }
  | { kind: "person"; personId: string; sessionId: string; name: string; role: Role }
  | { kind: "share"; shareId: number; nodeIds: ReadonlySet<number> }
  | { kind: "local"; name: string }
  | { kind: "system"; name: string }
  | { kind: "anonymous" };

/** What every verb is given. `now` is epoch milliseconds. */
export interface Context {
  db: Database;
  actor: Actor;
  now: () => number;
}

/** A person, or whoever counts as one: those for whom a role decides. */
export type PersonActor = Exclude<Actor, { kind: "token" | "share" }>;

/** What a person may do. The machine's owner and the server's own processes may do everything, a stranger may read at most. */
export function roleOf(actor: PersonActor): Role {
  if (actor.kind === "person") return actor.role;
  return actor.kind === "anonymous" ? "viewer" : "administrator";
}

/** How an audit line and an annotation name the actor. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "token":
      return `token ${actor.name}`;
    case "share":
      return `share ${actor.shareId}`;
    case "anonymous":
      return "anonymous";
    default:
      return actor.name;
  }
}
