import { placeOf, type DumpLine } from "./dump-line.ts";

const FARTHEST = 3;
const LONGEST = 60;

/**
 * What a person wrote over a table to tell it from the next: a short line without numbers of its own, or one that ends
 * in a colon. A command, a path, a ruler, a clock or the words of another table are no caption.
 */
export function captionOf(first: DumpLine | undefined, lines: readonly DumpLine[]): string | undefined {
  if (first === undefined) return undefined;
  const start = placeOf(first.index, lines);
  for (let back = 1; back <= FARTHEST; back += 1) {
    const line = lines[start - back];
    if (line === undefined || line.index !== first.index - back) return undefined;
    const text = line.text.trim();
    if (text === "") continue;
    if (line.isCommand || text.length > LONGEST || !/[a-z]/i.test(text)) return undefined;
    const words = text.split(/\s+/);
    const isCaption = /:$/.test(text) ? words.length <= 10 : words.length <= 3 && !/\d{3,}/.test(text);
    return isCaption && !/[|=\t]|\d:\d|\/proc\/|kB\b|[Pp]ass?wor/.test(text)
      ? text.replace(/:$/, "")
      : undefined;
  }
  return undefined;
}
