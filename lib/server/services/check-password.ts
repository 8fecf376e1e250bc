import { passwordFault } from "#lib/contracts/password.ts";
import { AppError } from "#lib/errors.ts";

/** @throws AppError `unprocessable` that names `field`, when a new password of a person is not good enough. */
export function checkPassword(password: string, words: readonly string[], field: string): void {
  const message = passwordFault(password, words);
  if (message === undefined) return;
  throw new AppError("unprocessable", `The password is not good enough: ${message}.`, {
    issues: [{ path: field, message }],
  });
}
