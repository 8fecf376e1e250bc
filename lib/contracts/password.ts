import { z } from "zod";

export const PASSWORD_LENGTH = { least: 12, most: 256 } as const;

const MIN_DISTINCT = 6;

/** For signing in: what cannot be a password is not even compared. */
export const givenPassword = z.string().min(1).max(PASSWORD_LENGTH.most);

/**
 * Why a new password is not good enough; undefined when it is. Length counts, not kinds of characters (NIST SP 800-63B, 5.1.1.2);
 * what everybody who knows the person would try first is refused.
 * @param words name and address of the person.
 */
export function passwordFault(password: string, words: readonly string[]): string | undefined {
  if (password.length < PASSWORD_LENGTH.least)
    return `expected at least ${PASSWORD_LENGTH.least} characters; a few words make a good one`;
  if (password.length > PASSWORD_LENGTH.most) return `expected at most ${PASSWORD_LENGTH.most} characters`;
  if (new Set(password.toLowerCase()).size < MIN_DISTINCT)
    return `expected at least ${MIN_DISTINCT} different characters`;
  const plain = password.toLowerCase();
  const rest = ["plumbline", "password", ...words.flatMap((word) => word.toLowerCase().split(/[\s@.]+/))]
    .filter((word) => word.length > 3)
    .reduce((text, word) => text.replaceAll(word, ""), plain);
  if (rest.length < PASSWORD_LENGTH.least / 2)
    return "expected more than a name, an address and the word password";
  return undefined;
}
