import { momentOf } from "./caption-moment.ts";
import { placeOf, type DumpLine } from "./dump-line.ts";

const FARTHEST = 4;
const LONGEST = 60;

/** A heading of Markdown whose words are a command or a path, or a comment in a shell, is no caption. */
const HEADING = /^\s{0,4}#{2,6}\s/;
const COMMAND =
  /[/|;&$<>=]|^(?:sudo|cat|free|slabtop|smem|df|grep|e?grep|uname|head|tail|vmstat|top|ps|dmesg|kubectl|oc|crictl|echo|watch|uptime|date|ls|ssh)\b/;

/**
 * What a person wrote over a table to tell it from the next: a short line without numbers of its own, or one that ends
 * in a colon, also above the command that printed the table; or a moment, with rulers and marks of headings around it. A
 * command, a path, a ruler, a clock or the words of another table are no caption.
 */
export function captionOf(first: DumpLine | undefined, lines: readonly DumpLine[]): string | undefined {
  if (first === undefined) return undefined;
  const start = placeOf(first.index, lines);
  let isAboveCommand = false;
  for (let back = 1; back <= FARTHEST; back += 1) {
    const line = lines[start - back];
    if (line === undefined || line.index !== first.index - back) return undefined;
    const text = line.text.trim();
    if (text === "") continue;
    if (text.length > LONGEST) return undefined;
    const bare = withoutMarks(text);
    if (momentOf(bare) !== undefined) return bare;
    if (line.isCommand && !(HEADING.test(text) && !COMMAND.test(bare))) {
      isAboveCommand = true;
      continue;
    }
    if (!/[a-z]/i.test(text)) return undefined;
    const words = bare.split(/\s+/);
    const isCaption = /:$/.test(text)
      ? words.length <= 10
      : !isAboveCommand && words.length <= 3 && !/\d{3,}/.test(text);
    return isCaption && !/[|=\t]|\d:\d|\/proc\/|kB\b|[Pp]ass?wor/.test(text) ? bare : undefined;
  }
  return undefined;
}

/** A line without the marks of a heading, rulers, arrows, the ending of a file's name and the colon around its words. */
export function withoutMarks(text: string): string {
  return text
    .trim()
    .replace(/^(?:#{1,6}\s{1,8}|==>\s{1,8}|[-=*~_+>]{2,80}\s{0,8})/, "")
    .replace(/(?:\.(?:txt|log|out))?\s{1,8}<==$|\s{0,8}[-=*~_+<]{2,80}$/, "")
    .replace(/\s{0,8}:$/, "")
    .trim();
}
