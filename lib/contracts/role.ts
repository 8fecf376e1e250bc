import { z } from "zod";

/** What a person may do, the least first: each role may do all that those before it may. */
export const role = z.enum(["viewer", "investigator", "administrator"]);

export type Role = z.infer<typeof role>;

/** Whether `held` is at least `least`. */
export function isAtLeast(held: Role, least: Role): boolean {
  return role.options.indexOf(held) >= role.options.indexOf(least);
}
