import { AppError } from "#lib/errors.ts";
import type { Actor, Context } from "./context.ts";

/**
 * The person who is signed in.
 * @throws AppError `forbidden` for who is here without an account.
 */
export function requirePerson({ actor }: Context): Extract<Actor, { kind: "person" }> {
  if (actor.kind === "person") return actor;
  throw new AppError("forbidden", "Only for somebody who is signed in with an account.");
}
