/** Longest key that is kept; the longest of a real kernel has some 40 characters. */
const LONGEST_KEY = 200;

/**
 * Whether a text can be the name of a counter: printable ASCII without blanks, bounded. Anything else is damage, and
 * would be refused later by the database (NUL) or by the wire format, together with its healthy neighbours.
 */
export function isKernelKey(text: string): boolean {
  return text.length <= LONGEST_KEY && /^[\x21-\x7e]+$/.test(text);
}
