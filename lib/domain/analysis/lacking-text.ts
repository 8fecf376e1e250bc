import type { Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { formatNumber } from "../memory/quantity.ts";

/**
 * How much there is of what is missing, inside a sentence; what is not whole is rounded down.
 *
 * @param where whose it is, after the noun: " on side B".
 * @example lackingText(insufficient("points before the mark", 12, 1)) // "1 point before the mark, 12 needed"
 */
export function lackingText({ reason, needed, had }: Insufficient, where = ""): string {
  const whole = Math.floor(had);
  // The noun is the last plural before a preposition: "points", "independent columns in the design", "minutes of data".
  const noun = whole === 1 ? reason.replace(/^((?:\w+ ){0,2}?\w+)s(?= |$)/, "$1") : reason;
  return `${formatNumber(whole, 0)} ${noun}${where}, ${formatNumber(needed, 0)} needed`;
}
