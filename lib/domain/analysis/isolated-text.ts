/** Marks of direction that a writer may have put in, to turn what follows around: U+061C, U+200E and F, U+202A to E, U+2066 to 9. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Letters that are written from right to left: Hebrew to Arabic Extended, their presentation forms, and those beyond the BMP. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text that somebody wrote, as it may stand inside a sentence, an attribute or a drawing: it never reorders what stands
 * around it. Marks of direction are taken out; a text with right-to-left letters is wrapped in an isolate (U+2068, U+2069).
 * Any other text is returned as it is.
 *
 * @example isolatedText("a\u202eb") // "ab"
 */
export function isolatedText(text: string): string {
  const plain = text.replace(DIRECTION_MARKS, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
