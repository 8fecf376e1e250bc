import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/**
 * The layout of files that are one line of integers. The first line with anything on it counts; a number that is none (negative,
 * beyond 2^53) is undefined in its place. Fewer than `least` numbers are none.
 *
 * @param expected what a readable line would have held.
 */
export function parseNumberLine(
  text: string,
  { path, least, expected }: { path: string; least: number; expected: string },
): Parsed<readonly (number | undefined)[]> {
  const warnings = collectWarnings(path);
  for (const line of scanLines(text)) {
    const fields = splitFields(line.text);
    if (fields.length === 0) continue;
    if (!line.terminated) {
      // The last number may be cut.
      fields.pop();
      if (fields.length < least) warnings.add(line, "a line end: the last number may be cut");
    }
    const isNumbers = fields.length >= least && fields.every((field) => /^-?\d{1,20}$/.test(field));
    if (isNumbers) return { value: fields.map(parseCount), warnings: warnings.list };
    if (warnings.list.length === 0) warnings.add(line, expected);
    break;
  }
  return { value: [], warnings: warnings.list };
}

/** A file that is one number, such as /proc/sys/net/netfilter/nf_conntrack_count or a counter of a cgroup of v1. */
export function parseSingleNumber(text: string, path: string): Parsed<number | undefined> {
  const { value, warnings } = parseNumberLine(text, { path, least: 1, expected: "an integer below 2^53" });
  return { value: value.length === 1 ? value[0] : undefined, warnings };
}
