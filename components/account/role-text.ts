import type { Role } from "#lib/contracts/role.ts";

/** What a role may do, in a few words. */
export const ROLE_TEXT: Readonly<Record<Role, string>> = {
  viewer: "reads everything",
  investigator: "reads, and writes marks, experiments, findings and investigations",
  administrator: "does everything: tokens, people, imports and deletions too",
};
